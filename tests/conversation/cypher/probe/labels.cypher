// How many nodes of each label a tenant has.
// params: tenant
// returns: label, count
// read
MATCH (n:Item)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
UNWIND [label IN labels(n) WHERE label <> 'Item'] AS label
RETURN label, count(*) AS count
