// Adds those of the list `speakers` who are new to the speakers of thread `t` and its resource.
WITH *, [x IN speakers WHERE NOT x IN t.speakers] AS newcomers
SET t.speakers = (t.speakers + newcomers)[..100]
WITH *
CALL (t, newcomers) {
  WITH t, newcomers WHERE size(newcomers) > 0
  MATCH (r:Item&Resource {tenant: $tenant, uid: t.resource})
  SET r._lock = true
  WITH r, [x IN newcomers WHERE NOT x IN r.speakers] AS strangers
  SET r.speakers = (r.speakers + strangers)[..100], r._lock = null
}
