// What was asked for of the winners of a search, in their order, and the open edges out of them; edges among them come first.
// Of a node with more than $scan edges out, those to other winners are looked up, and some of the others.
// params: tenant, uids, statuses, resources, now, properties, open, scan, edges
// returns: rows, edges
// read
WITH $uids AS uids
// use: search_winners
RETURN rows, edges
