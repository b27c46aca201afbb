// Every index with what it is over and whether a constraint owns it.
// params: none
// returns: name, type, labels, properties, unique, options
// read
SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint, options
WHERE type <> 'LOOKUP'
RETURN name, type, labelsOrTypes AS labels, properties, owningConstraint IS NOT NULL AS unique, options
