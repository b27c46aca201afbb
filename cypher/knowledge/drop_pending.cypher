// Drops pending links, such as those whose edges are open now. Their ids are in order.
// params: tenant, ids
// returns: none
// write
UNWIND $ids AS id
MATCH (p:Item&PendingLink {tenant: $tenant, uid: id})
DETACH DELETE p
