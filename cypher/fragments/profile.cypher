// What the profile `p` and its fields `fields` are, as maps, instants in microseconds (graph/instants.py).
p {.uid, .scope, .kind, .definition, .defined, .version,
  updatedAt: p.updatedAt.epochMillis * 1000 + p.updatedAt.microsecond % 1000} AS profile, fields
