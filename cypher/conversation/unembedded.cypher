// Messages of any tenant that have words and no vector of this generation, by tenant. `settled`: how many of them were not written
// since $since.
// params: since
// returns: tenant, ids, settled
// read
MATCH (m:Message)
WHERE m.embedding_GENERATION IS NULL AND m.text IS NOT NULL
RETURN m.tenant AS tenant, collect(m.uid) AS ids, sum(CASE WHEN m.updatedAt < $since THEN 1 ELSE 0 END) AS settled
