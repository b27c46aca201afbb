// What stands under ids that a caller gave for a turn and its messages; the thread is locked until this transaction ends. No row:
// there is no such thread. `turn` is null, or else says whether it is a turn of this thread, and its state.
// params: tenant, thread, resource, turn, ids
// returns: messages, turn
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
WHERE $resource IS NULL OR t.resource = $resource
SET t._lock = true
SET t._lock = null
WITH t WHERE t:Thread AND ($resource IS NULL OR t.resource = $resource)
CALL (t) {
  UNWIND $ids AS id
  MATCH (m:Item {tenant: $tenant, uid: id})
  OPTIONAL MATCH (w:Item&Turn {tenant: $tenant, uid: m.turn})
  RETURN collect(m {.uid, .turn, .seq, .contentHash, memory: w.memory, isHere: m:Message AND m.thread = t.uid}) AS messages
}
OPTIONAL MATCH (u:Item {tenant: $tenant, uid: $turn})
RETURN messages, u {.state, .firstSeq, .lastSeq, isHere: u:Turn AND u.thread = t.uid} AS turn
