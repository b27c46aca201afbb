// How much there is of a tenant's knowledge, links that wait, edges and entries of the log.
// params: tenant
// returns: nodes, pending, edges, revisions, changes
// read
RETURN COUNT { (:Knowledge {tenant: $tenant}) } AS nodes, COUNT { (:PendingLink {tenant: $tenant}) } AS pending,
  COUNT { (:Knowledge {tenant: $tenant})-[:RELATED_TO|DEPENDS_ON|SUPERSEDES|CONFLICTS_WITH]->() } AS edges,
  COUNT { (:Revision {tenant: $tenant}) } AS revisions, COUNT { (:Change {tenant: $tenant}) } AS changes
