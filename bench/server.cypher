// What the server is.
// params: none
// returns: name, version, edition
// read
CALL dbms.components() YIELD name, versions, edition
RETURN name, versions[0] AS version, edition
