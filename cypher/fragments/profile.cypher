// What the profile `p` and its fields `fields` are, as maps.
p {.uid, .scope, .kind, .definition, .defined, .definedAt, .version, .createdAt, .updatedAt} AS profile, fields
