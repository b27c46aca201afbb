// Notes a migration as applied.
// params: number, name, checksum
// returns: none
// write
MERGE (m:Migration {number: $number})
ON CREATE SET m.name = $name, m.checksum = $checksum, m.appliedAt = datetime()
