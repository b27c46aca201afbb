// The pool in order of its own score; the first $topK are the seeds.
WITH n, s.stems AS stems, n.uid AS uid, scores, replaces
ORDER BY scores[0] DESC, uid
WITH collect({n: n, uid: uid, root: n, strength: scores[0], stems: stems, row: [uid] + scores + [replaces]}) AS pool
WITH [x IN pool | x.row] AS pool, pool[..$topK] AS front
WITH pool, front, [x IN front | x.n] AS seeds, [x IN front | [i IN range(0, size($stems) - 1) WHERE $stems[i] IN x.stems]] AS hits,
  [] AS reached, [] AS found, 0 AS depth, [] AS caps
