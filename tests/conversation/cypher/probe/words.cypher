// Properties of a tenant's items in which a word stands.
// params: tenant, word
// returns: labels, key
// read
MATCH (n:Item)
WHERE n.tenant = $tenant AND n.uid IS NOT NULL
UNWIND keys(n) AS key
WITH n, key, n[key] AS value
WHERE any(x IN CASE WHEN value IS :: STRING THEN [value] WHEN value IS :: LIST<STRING NOT NULL> THEN value ELSE [] END
  WHERE toLower(x) CONTAINS $word)
RETURN labels(n) AS labels, key
