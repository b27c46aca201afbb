// What a context shows of the message `m`, as one map; when it was said is in microseconds (graph/instants.py).
m {.uid, .seq, .turn, .role, .speaker, .agent, .parts, .content,
  createdAt: m.createdAt.epochMillis * 1000 + m.createdAt.microsecond % 1000, vectors: 1 + COUNT { (m)-[:HAS_CHUNK]->() }} AS line
