CYPHER 25
// Labels, properties and edge types that the service doesn't know. A label without an item of a tenant is told without one.
// params: none
// returns: tenant, id, problem, detail
// read
WITH {
    Item: ['createdAt', 'tenant', 'uid', 'updatedAt'],
    Knowledge: ['aliases', 'confidence', 'content', 'contentHash', 'embeddedText', 'facets', 'metadata', 'recordedFrom',
    'resource', 'searchAliases', 'searchContent', 'searchTitle', 'source', 'status', 'stems', 'tags', 'tenantToken', 'title',
    'type', 'validFrom', 'validTo', 'version'],
    Revision: ['aliases', 'confidence', 'content', 'contentHash', 'embeddedText', 'facets', 'metadata', 'recordedFrom',
    'recordedTo', 'resource', 'searchAliases', 'searchContent', 'searchTitle', 'source', 'status', 'stems', 'tags',
    'tenantToken', 'title', 'type', 'validFrom', 'validTo', 'version'],
    Name: ['common', 'key', 'start', 'texts'],
    Entity: ['counts', 'key', 'name', 'nodes', 'spellings', 'start'],
    Document: ['contentHash', 'mediaType', 'path', 'resource', 'title'],
    Chunk: ['confidence', 'node', 'order', 'resource', 'source', 'status', 'text', 'type', 'validTo'],
    PendingLink: ['bound', 'confidence', 'from', 'missing', 'reason', 'resources', 'source', 'to', 'type', 'validFrom',
    'validTo', 'weight'],
    Job: ['attempts', 'dueAt', 'error', 'finishedAt', 'key', 'kind', 'lease', 'leaseUntil', 'openKey', 'payload', 'result',
    'runAfter', 'state'],
    Change: ['action', 'after', 'agent', 'before', 'idempotencyKey', 'inputHash', 'keyId', 'keyName', 'reply', 'resource',
    'touched'],
    ApiKey: ['agent', 'hash', 'keyId', 'name', 'resource', 'revokedAt', 'scopes'],
    IndexState: ['createdAt', 'dimension', 'generation', 'kind', 'model', 'recipe'],
    Migration: ['appliedAt', 'checksum', 'name', 'number'],
    MigrationLock: ['asked', 'leaseUntil', 'name', 'owner']
} AS known, {
    RELATED_TO: ['confidence', 'createdAt', 'origin', 'reason', 'recordedFrom', 'recordedTo', 'source', 'validFrom',
    'validTo', 'weight'],
    DEPENDS_ON: ['confidence', 'createdAt', 'origin', 'reason', 'recordedFrom', 'recordedTo', 'source', 'validFrom',
    'validTo', 'weight'],
    SUPERSEDES: ['confidence', 'createdAt', 'origin', 'reason', 'recordedFrom', 'recordedTo', 'source', 'validFrom',
    'validTo', 'weight'],
    CONFLICTS_WITH: ['confidence', 'createdAt', 'origin', 'reason', 'recordedFrom', 'recordedTo', 'source', 'validFrom',
    'validTo', 'weight'],
    MENTIONS: ['createdAt', 'origin', 'recordedFrom', 'recordedTo', 'spelling'],
    NAMED: [],
    CONTAINS: [],
    HAS_CHUNK: [],
    DERIVED_FROM: [],
    PREVIOUS: [],
    ON: []
} AS types
CALL (known, types) {
  MATCH (n:Item)
  UNWIND [label IN labels(n) WHERE NOT label IN keys(known) | 'label ' + label] + [key IN keys(n)
    WHERE NOT key STARTS WITH 'embedding_' AND NOT key IN known.Item AND none(label IN labels(n) WHERE key IN known[label])
    | 'property ' + key] AS detail
  RETURN n.tenant AS tenant, n.uid AS id, detail
 UNION ALL
  MATCH (n:Item)-[r]->()
  UNWIND CASE WHEN type(r) IN keys(types) THEN [key IN keys(r) WHERE NOT key IN types[type(r)] | 'property ' + key + ' of ' + type(r)]
    ELSE ['edge type ' + type(r)] END AS detail
  RETURN DISTINCT n.tenant AS tenant, n.uid AS id, detail
 UNION ALL
  MATCH (n:IndexState|Migration|MigrationLock)
  UNWIND [key IN keys(n) WHERE none(label IN labels(n) WHERE key IN known[label]) | 'property ' + key + ' of ' + labels(n)[0]] AS detail
  RETURN '' AS tenant, '' AS id, detail
 UNION ALL
  CALL db.labels() YIELD label
  WITH label WHERE NOT label IN keys(known)
  RETURN '' AS tenant, '' AS id, 'label ' + label AS detail
}
RETURN tenant, id, 'unknown name' AS problem, detail
ORDER BY tenant, id, detail
