// Whether a pending link p is none that a caller may change who is bound to the resource `bound` (null: any will do).
(bound IS NOT NULL AND coalesce(p.bound <> bound, true)
  AND NOT EXISTS { MATCH (e:Item&Knowledge {tenant: $tenant}) WHERE e.uid IN [p.from, p.to] AND e.resource = bound })
