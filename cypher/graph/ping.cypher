// Whether the database answers, and its version.
// params: none
// returns: version
// read
CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version
