// Notes of documents whose file is gone that links no longer find them, and that they are to be stored when the file is back.
// params: tenant, uids
// returns: none
// write
UNWIND $uids AS uid
MATCH (d:Item&Document {tenant: $tenant, uid: uid})
SET d.keys = [], d.storedHash = null
