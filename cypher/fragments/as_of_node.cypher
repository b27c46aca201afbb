// What `n` was in the state `s`, as one map.
s {uid: n.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
  .createdAt, .updatedAt, .validFrom, .validTo, .version} AS node
