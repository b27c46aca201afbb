// Keeps the messages `m` of a list that pass the filter; a filter that is null passes everything.
WHERE ($roles IS NULL OR m.role IN $roles) AND ($since IS NULL OR m.createdAt >= $since) AND ($until IS NULL OR m.createdAt < $until)
