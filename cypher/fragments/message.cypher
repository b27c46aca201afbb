// The stored properties of the message `m` that callers read, as one map, instants in microseconds (graph/instants.py). Whose it is its
// thread `t` says: a message of a thread that was moved may not have been brought over yet.
m {.uid, .thread, resource: t.resource, .turn, .seq, .role, .speaker, .agent, .parts, .content, .tokens, .version, .deletedAt,
  createdAt: m.createdAt.epochMillis * 1000 + m.createdAt.microsecond % 1000,
  updatedAt: m.updatedAt.epochMillis * 1000 + m.updatedAt.microsecond % 1000} AS message
