// Knowledge nodes, made a minute apart.
// params: tenant, rows, start
// returns: none
// write
UNWIND $rows AS row
CREATE (n:Item:Knowledge {tenant: $tenant, uid: row.uid, title: row.uid, content: row.uid, type: 'fact', aliases: [],
  source: 'docs', confidence: 1.0, status: 'active', resource: '*', tags: [], metadata: '{}', facets: '', version: 1,
  createdAt: $start + duration({minutes: row.at}), updatedAt: $start + duration({minutes: row.at}),
  validFrom: $start, validTo: datetime('9999-12-31T00:00:00Z')})
