// Properties of a tenant's items in which a word stands.
// params: tenant, word
// returns: labels, key
// read
MATCH (n:Item)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
UNWIND keys(n) AS key
WITH n, key, n[key] AS value
WHERE value IS :: STRING AND toLower(value) CONTAINS $word OR value IS :: LIST<STRING NOT NULL> AND any(x IN value WHERE toLower(x) CONTAINS $word)
RETURN labels(n) AS labels, key
