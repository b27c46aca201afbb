// What all vectors are made with is noted once: a search may compare any of them.
// params: none
// returns: none
// write
MATCH (s:IndexState)
WHERE s.kind <> 'vectors'
WITH collect(s) AS states
FOREACH (s IN states[1..] | DELETE s)
FOREACH (s IN states[..1] | SET s.kind = 'vectors')
