// The lists that the caller ranks.
RETURN pool, [n IN seeds | [i IN range(0, size($stems) - 1) WHERE $stems[i] IN n.stems]] AS hits, found, mentions, shared, counts, nodes, caps + cut AS caps
