// The state of the node `n` at $asOf, as `s`; null: there was none.
CASE WHEN n.recordedFrom <= $asOf THEN n
  ELSE head([(n)-[:PREVIOUS]->(v:Revision) WHERE v.recordedFrom <= $asOf AND v.recordedTo > $asOf | v]) END AS s
