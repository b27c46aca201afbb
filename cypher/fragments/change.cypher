// The entry `c` of the change log as one map.
c {.uid, .createdAt, .action, .keyId, .keyName, .resource, .agent, .touched, .before, .after} AS change
