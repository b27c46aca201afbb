// Notes that what is stored of documents is not what came from them, so that they are stored when they come again.
// params: tenant, uids
// returns: none
// write
UNWIND $uids AS uid
MATCH (d:Item&Document {tenant: $tenant, uid: uid})
SET d.storedHash = null
