// Takes the pending links that waited for the given ids; whoever takes them opens the edges or lets them wait again.
// params: tenant, ids
// returns: from, to, type, properties, resources, bound
// write
UNWIND $ids AS id
MATCH (p:PendingLink {tenant: $tenant, missing: id})
WITH p, p.from AS from, p.to AS to, p.type AS type, p.resources AS resources, p.bound AS bound,
  p {.weight, .confidence, .source, .reason, .validFrom, .validTo} AS properties
DETACH DELETE p
RETURN from, to, type, properties, resources, bound
