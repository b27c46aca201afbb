CYPHER 25
// Labels, properties and edge types that the service doesn't know. A label without an item of a tenant is told without one.
// params: none
// returns: tenant, id, problem, detail
// read
WITH {
    Item: ['createdAt', 'tenant', 'uid', 'updatedAt'],
    Knowledge: ['aliases', 'change', 'confidence', 'content', 'contentHash', 'embeddedText', 'facets', 'metadata',
    'overLong', 'reason', 'recordedFrom', 'resource', 'searchAliases', 'searchContent', 'searchTitle', 'source',
    'status', 'stems', 'tags', 'tenantToken', 'title', 'type', 'validFrom', 'validTo', 'version'],
    Revision: ['aliases', 'change', 'confidence', 'content', 'contentHash', 'embeddedText', 'facets', 'metadata',
    'overLong', 'reason', 'recordedFrom', 'recordedTo', 'resource', 'searchAliases', 'searchContent', 'searchTitle',
    'source', 'status', 'stems', 'tags', 'tenantToken', 'title', 'type', 'validFrom', 'validTo', 'version'],
    Merge: ['lost', 'undoneAt'],
    Name: ['common', 'key', 'start', 'texts'],
    Entity: ['counts', 'key', 'name', 'nodes', 'spellings', 'start'],
    Document: ['contentHash', 'edges', 'keys', 'linked', 'links', 'mediaType', 'page', 'path', 'resource', 'root', 'storedHash', 'title'],
    Chunk: ['confidence', 'node', 'order', 'resource', 'source', 'status', 'text', 'type', 'validTo'],
    PendingLink: ['bound', 'confidence', 'from', 'missing', 'movedBy', 'movedFrom', 'reason', 'resources', 'source',
    'to', 'type', 'validFrom', 'validTo', 'weight'],
    Job: ['attempts', 'dueAt', 'error', 'finishedAt', 'key', 'kind', 'lease', 'leaseUntil', 'openKey', 'payload',
    'result', 'runAfter', 'state'],
    Change: ['action', 'after', 'agent', 'before', 'idempotencyKey', 'inputHash', 'keyId', 'keyName', 'reply',
    'resource', 'touched'],
    ApiKey: ['agent', 'hash', 'keyId', 'name', 'resource', 'revokedAt', 'scopes'],
    Resource: ['facets', 'metadata', 'name', 'speakers', 'version'],
    Thread: ['contextType', 'facets', 'lastMessageAt', 'lastSeq', 'messageCount', 'messageFacets', 'metadata',
    'movedSeq', 'openCalls', 'resource', 'speakers', 'title', 'titleMessage', 'titlePinned', 'titleSource', 'topic',
    'version'],
    ThreadCopy: ['change', 'contextType', 'copyTo', 'facets', 'lastSeq', 'messageCount', 'messageFacets', 'metadata',
    'openCalls', 'resource', 'speakers', 'title', 'titleMessage', 'titlePinned', 'titleSource', 'topic', 'version'],
    Erased: ['told'],
    Turn: ['agent', 'answeredCalls', 'attempt', 'endedAt', 'expiresAt', 'firstSeq', 'lastSeq', 'memory', 'openCalls',
    'reason', 'speakers', 'staged', 'state', 'thread', 'title', 'titleMessage', 'ttlSeconds'],
    StagedMessage: ['agent', 'content', 'contentHash', 'facets', 'hasTimeWord', 'isQuestion', 'order', 'parts',
    'role', 'speaker', 'text', 'thread', 'tokens', 'turn', 'words'],
    Message: ['agent', 'content', 'contentHash', 'context', 'deletedAt', 'embeddedText', 'facets', 'hasTimeWord',
    'isQuestion', 'parts', 'recordedFrom', 'resource', 'role', 'seq', 'speaker', 'tenantToken', 'text', 'thread',
    'tokens', 'turn', 'version', 'words'],
    MessageRevision: ['agent', 'content', 'contentHash', 'parts', 'recordedFrom', 'recordedTo', 'resource', 'role',
    'seq', 'speaker', 'thread', 'tokens', 'turn', 'version'],
    MessageChunk: ['agent', 'message', 'order', 'resource', 'role', 'text', 'thread'],
    Notice: ['acknowledgedAt', 'agent', 'expiresAt', 'resource', 'source', 'text', 'thread', 'waitsFor'],
    Profile: ['defined', 'definedAt', 'definition', 'kind', 'owner', 'scope', 'version'],
    ProfileRevision: ['defined', 'definedAt', 'definition', 'kind', 'recordedTo'],
    Field: ['asOf', 'at', 'change', 'name', 'profile', 'recordedFrom', 'source', 'sourceGone', 'text', 'tokens',
    'value', 'verifyElsewhere', 'version'],
    FieldRevision: ['asOf', 'at', 'change', 'name', 'recordedFrom', 'recordedTo', 'source', 'sourceGone', 'text',
    'tokens', 'value', 'verifyElsewhere', 'version'],
    IndexState: ['createdAt', 'dimension', 'generation', 'kind', 'model', 'next', 'nextDimension', 'nextLeft', 'nextModel',
    'nextRecipe', 'recipe', 'retired'],
    Migration: ['appliedAt', 'checksum', 'name', 'number'],
    MigrationLock: ['asked', 'leaseUntil', 'name', 'owner']
} AS known, {
    RELATED_TO: ['closedBy', 'confidence', 'createdAt', 'openedBy', 'origin', 'reason', 'recordedFrom', 'recordedTo',
    'source', 'validFrom', 'validTo', 'weight'],
    DEPENDS_ON: ['closedBy', 'confidence', 'createdAt', 'openedBy', 'origin', 'reason', 'recordedFrom', 'recordedTo',
    'source', 'validFrom', 'validTo', 'weight'],
    SUPERSEDES: ['closedBy', 'confidence', 'createdAt', 'openedBy', 'origin', 'reason', 'recordedFrom', 'recordedTo',
    'source', 'validFrom', 'validTo', 'weight'],
    CONFLICTS_WITH: ['closedBy', 'confidence', 'createdAt', 'openedBy', 'origin', 'reason', 'recordedFrom',
    'recordedTo', 'source', 'tenant', 'validFrom', 'validTo', 'weight'],
    SIMILAR_TO: ['cosine', 'createdAt', 'hashes', 'lexical', 'state', 'tenant'],
    MENTIONS: ['createdAt', 'origin', 'recordedFrom', 'recordedTo', 'spelling'],
    NAMED: [],
    CONTAINS: [],
    HAS_CHUNK: [],
    DERIVED_FROM: ['createdAt', 'openedBy', 'origin'],
    PREVIOUS: [],
    MERGED: ['after', 'before', 'kept'],
    ON: [],
    HAS_THREAD: [],
    HAS_TURN: [],
    CLONED_FROM: [],
    HAS_MESSAGE: [],
    NEXT: [],
    FOR: [],
    HAS_PROFILE: [],
    HAS_FIELD: [],
    FROM: []
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
