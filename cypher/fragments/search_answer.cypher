// The lists that the caller ranks. Of the pool only seeds and what was reached: the rest is neither hit nor on the way to one.
// Where few nodes can be hits, what was asked for of them comes at once, which is cheaper than a second trip.
WITH *, [x IN found | x[0]] + [x IN mentions | x[0]] + [x IN shared | x[0]] AS met
WITH *, pool[..$topK] + [x IN pool[$topK..] WHERE x[0] IN met] AS shown
WITH *, COLLECT { UNWIND [x IN shown | x[0]] + met AS uid RETURN DISTINCT uid } AS uids
WITH *, CASE WHEN size(uids) <= $atOnce THEN uids ELSE [] END AS uids
// use: search_winners
RETURN shown AS pool, [stems IN [n IN seeds WHERE size(mentions) + size(shared) > 0 | n.stems] | [i IN range(0, size($stems) - 1) WHERE $stems[i] IN stems]] AS hits,
  found, mentions, shared, counts, nodes, caps + cut AS caps, rows, edges, unknown
