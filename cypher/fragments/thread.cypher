// The stored properties of the thread `t` that the room reads, as one map, instants in microseconds (graph/instants.py).
t {.uid, .resource, .title, .titlePinned, .speakers, .contextType, .topic, .metadata, .lastSeq, .messageCount, .version,
  lastMessageAt: t.lastMessageAt.epochMillis * 1000 + t.lastMessageAt.microsecond % 1000,
  createdAt: t.createdAt.epochMillis * 1000 + t.createdAt.microsecond % 1000,
  updatedAt: t.updatedAt.epochMillis * 1000 + t.updatedAt.microsecond % 1000} AS thread
