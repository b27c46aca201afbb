// What vectors of messages are made from, and those of this generation were; those without words, or deleted, are left out.
// params: tenant, ids
// returns: uid, role, speaker, content, createdAt, contentHash, embeddedText
// read
UNWIND $ids AS id
MATCH (m:Item&Message {tenant: $tenant, uid: id})
WHERE m.text IS NOT NULL
RETURN m.uid AS uid, m.role AS role, m.speaker AS speaker, m.content AS content, m.createdAt AS createdAt,
  m.contentHash AS contentHash, CASE WHEN m.embedding_GENERATION IS NOT NULL THEN m.embeddedText END AS embeddedText
