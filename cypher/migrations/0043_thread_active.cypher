// A resource's threads are listed by their last message.
// params: none
// returns: none
// schema
CREATE INDEX thread_active IF NOT EXISTS FOR (n:Thread) ON (n.tenant, n.resource, n.lastMessageAt, n.uid)
