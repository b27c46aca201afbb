// Says which tool calls of a thread wait for a result.
// params: tenant, uid, openCalls
// returns: none
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $uid})
SET t.openCalls = $openCalls
