// The stored properties of the message `m` that callers read, as one map.
m {.uid, .thread, .resource, .turn, .seq, .role, .speaker, .agent, .parts, .content, .tokens, .version, .createdAt, .updatedAt,
  .deletedAt} AS message
