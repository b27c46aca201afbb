// Marks the fields of the resource of the thread `t` that rest on messages of `t`, and parts them from these; `parted`: how many.
CALL (t) {
  MATCH (t)<-[:HAS_THREAD]-(:Resource)-[:HAS_PROFILE]->(:Profile)-[:HAS_FIELD]->(f:Field)-[e:FROM]->(m:Message)
  WHERE m.thread = t.uid
  SET f.sourceGone = true
  DELETE e
  RETURN count(*) AS parted
}
