// The notice `n` as one map.
n {.uid, .text, .source, .thread, .agent, .expiresAt, .acknowledgedAt, .createdAt} AS notice
