// What a context shows of the message `m`, as one map; instants are dear to send, so there is one.
m {.uid, .seq, .turn, .role, .speaker, .agent, .parts, .content, .createdAt, vectors: 1 + COUNT { (m)-[:HAS_CHUNK]->() }} AS line
