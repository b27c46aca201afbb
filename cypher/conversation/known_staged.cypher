// What stands under ids that a caller gave for messages of a turn.
// params: tenant, turn, ids
// returns: uid, contentHash, isHere
// read
UNWIND $ids AS id
MATCH (m:Item {tenant: $tenant, uid: id})
RETURN m.uid AS uid, m.contentHash AS contentHash, m:StagedMessage AND m.turn = $turn AS isHere
