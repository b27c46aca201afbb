CYPHER 25
// Fields of working memory that no profile has, profiles that nobody has, and fields that rest on a message that is not there, without
// saying so.
// params: none
// returns: tenant, id, problem, detail
// read
CALL () {
  MATCH (f:Field)
  WITH f, [(f)<-[:HAS_FIELD]-(p:Profile) | p.uid] AS profiles, [(f)-[:FROM]->(m:Message) | m] AS messages
  WITH f, CASE
    WHEN size(profiles) = 0 THEN 'no profile has the field'
    WHEN profiles <> [f.profile] THEN 'another profile than its own has the field'
    WHEN size(messages) > 1 THEN 'it rests on several messages'
    WHEN f.source IS NOT NULL AND f.sourceGone IS NULL AND size(messages) = 0 THEN 'it rests on a message that is not there: ' + f.source
    WHEN f.sourceGone IS NULL AND any(m IN messages WHERE m.deletedAt IS NOT NULL) THEN 'it rests on a deleted message: ' + f.source
    WHEN any(m IN messages WHERE f.source IS NULL OR m.uid <> f.source) THEN 'it rests on another message than it says'
  END AS detail
  WHERE detail IS NOT NULL
  RETURN f.tenant AS tenant, f.uid AS id, f.name + ': ' + detail AS detail
 UNION ALL
  MATCH (p:Profile)
  WITH p, [(p)<-[:HAS_PROFILE]-(o) | o.uid] AS owners
  WHERE owners <> [p.owner]
  RETURN p.tenant AS tenant, p.uid AS id, CASE WHEN size(owners) = 0 THEN 'nobody has the profile of ' + p.owner
    ELSE 'another than ' + p.owner + ' has its profile' END AS detail
 UNION ALL
  MATCH (o:Resource|Thread)
  WHERE COUNT { (o)-[:HAS_PROFILE]->() } > 1
  RETURN o.tenant AS tenant, o.uid AS id, 'it has several profiles' AS detail
}
RETURN tenant, id, 'orphan field' AS problem, detail
ORDER BY tenant, id, detail
