// Branch of the pool: as search_titles, of the nodes that were named then as they are now.
  MATCH (name:Name)
  WHERE name.tenant = $tenant AND name.key IN $nameKeys AND COUNT { (name)<-[:NAMED]-() } <= $nameNodes
  UNWIND [word IN $names WHERE word[0] = name.key] AS word
  CALL (name) {
    MATCH (name)<-[:NAMED]-(n:Knowledge)
    WHERE n.tenant = $tenant AND n.resource IN $resources
    WITH n,
    // use: as_of_state
    WITH n, s WHERE s.searchTitle = n.searchTitle AND s.searchAliases = n.searchAliases AND
    // use: as_of_wanted
    RETURN collect({n: n, s: s}) AS nodes
  }
  WITH word, nodes WHERE size(nodes) > 0
  WITH collect({nodes: nodes, start: word[1], end: word[2]}) AS named
  UNWIND named AS word
  WITH word, named WHERE none(other IN named WHERE other.start <= word.start AND word.end <= other.end AND other.end - other.start > word.end - word.start)
  UNWIND word.nodes AS one
  RETURN one.n AS n, one.s AS s, false AS former, 0.0 AS dense, 0.0 AS lexical, $titleBonus / sqrt(size(word.nodes)) AS title, 0 AS held
