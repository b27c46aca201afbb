// The migrations that this graph has seen.
// params: none
// returns: number, name, checksum
// read
MATCH (m:Migration)
RETURN m.number AS number, m.name AS name, m.checksum AS checksum
ORDER BY number
