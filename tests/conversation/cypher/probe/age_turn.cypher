// Lets the time of a turn be over, and its jobs be due.
// params: tenant, uid
// returns: none
// write
MATCH (u:Item&Turn {tenant: $tenant, uid: $uid})
SET u.expiresAt = datetime.realtime('Z') - duration('PT1S')
WITH u
MATCH (j:Job {state: 'ready'})-[:ON]->(u)
SET j.runAfter = datetime.realtime('Z') - duration('PT1S'), j.dueAt = datetime.realtime('Z') - duration('PT1S')
