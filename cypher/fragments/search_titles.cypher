// Branch of the pool: nodes whose folded title or alias stands in the question ($names: [key, first word, word after the last]).
// A name inside a longer one that is found too doesn't count, nor does one of more than $nameNodes nodes.
  MATCH (name:Name)
  WHERE name.tenant = $tenant AND name.key IN $nameKeys AND COUNT { (name)<-[:NAMED]-() } <= $nameNodes
  UNWIND [word IN $names WHERE word[0] = name.key] AS word
  CALL (name) {
    MATCH (name)<-[:NAMED]-(n:Knowledge)
    WHERE n.tenant = $tenant AND n.status IN $statuses AND n.resource IN $resources AND n.validTo > $now
    RETURN collect(n) AS nodes
  }
  WITH word, nodes WHERE size(nodes) > 0
  WITH collect({nodes: nodes, start: word[1], end: word[2]}) AS named
  UNWIND named AS word
  WITH word, named WHERE none(other IN named WHERE other.start <= word.start AND word.end <= other.end AND other.end - other.start > word.end - word.start)
  UNWIND word.nodes AS n
  RETURN n, false AS former, 0.0 AS dense, 0.0 AS lexical, $titleBonus / sqrt(size(word.nodes)) AS title, 0 AS held
