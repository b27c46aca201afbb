// The lists that the caller ranks. Of the pool only seeds and what was reached: the rest is neither hit nor on the way to one.
WITH *, [x IN found | x[0]] + [x IN mentions | x[0]] + [x IN shared | x[0]] AS met
RETURN pool[..$topK] + [x IN pool[$topK..] WHERE x[0] IN met] AS pool,
  [n IN seeds | [i IN range(0, size($stems) - 1) WHERE $stems[i] IN n.stems]] AS hits, found, mentions, shared, counts, nodes, caps + cut AS caps
