// Takes the working memory of the `owners` away, with all it said before.
CALL (owners) {
  UNWIND owners AS owner
  MATCH (owner)-[:HAS_PROFILE]->(p:Profile)
  CALL (p) {
    MATCH (p)-[:HAS_FIELD]->(f:Field)
    CALL (f) {
      MATCH (f)-[:PREVIOUS]->(v:FieldRevision)
      DETACH DELETE v
    }
    DETACH DELETE f
  }
  CALL (p) {
    MATCH (p)-[:PREVIOUS]->(v:ProfileRevision)
    DETACH DELETE v
  }
  DETACH DELETE p
}
