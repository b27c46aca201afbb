// Messages of any tenant that have words and no vector, by tenant.
// params: none
// returns: tenant, ids
// read
MATCH (m:Message)
WHERE m.embeddedText IS NULL AND m.text IS NOT NULL
RETURN m.tenant AS tenant, collect(m.uid) AS ids
