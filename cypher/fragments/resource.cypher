// The stored properties of the resource `r`, as one map.
r {.uid, .name, .speakers, .metadata, .version, .createdAt, .updatedAt} AS resource
