// The stored properties of `n` that the room reads, as one map.
n {.uid, .title, .content, .type, .aliases, .source, .confidence, .status, .resource, .tags, .metadata,
  .createdAt, .updatedAt, .validFrom, .validTo, .version} AS node
