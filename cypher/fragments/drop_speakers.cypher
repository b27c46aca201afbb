// Takes from the resource `resource`, which is locked then, the speakers of its thread `t` who speak in none of its other threads.
CALL (t, resource) {
  MATCH (owner:Item&Resource {tenant: $tenant, uid: resource})
  SET owner._lock = true
  WITH t, owner
  OPTIONAL MATCH (owner)-[:HAS_THREAD]->(o:Thread)
  WHERE o <> t
  WITH t, owner, collect(o.speakers) AS others
  SET owner.speakers = [x IN owner.speakers WHERE NOT x IN t.speakers OR any(names IN others WHERE x IN names)], owner._lock = null
}
