// The stored properties of the thread `t` that the room reads, as one map.
t {.uid, .resource, .title, .titlePinned, .speakers, .contextType, .topic, .metadata, .lastSeq, .messageCount, .lastMessageAt,
  .version, .createdAt, .updatedAt} AS thread
