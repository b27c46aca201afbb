// The pool in order of its own score; the first $topK are the seeds.
WITH n, max(dense) AS dense, max(lexical) AS lexical, max(title) AS title
WITH n, n.uid AS uid, $dense * dense + (1 - $dense) * lexical + title AS own, dense, lexical, title
ORDER BY own DESC, uid
WITH collect({n: n, uid: uid, root: n, strength: own, row: [uid, own, dense, lexical, title]}) AS pool
WITH [x IN pool | x.row] AS pool, pool[..$topK] AS front
WITH pool, front, [x IN front | x.n] AS seeds, [] AS reached, [] AS found, 0 AS depth, [] AS caps
