// Takes or renews the lease on migrating, or tells who has it. A starter that died loses it when the lease ends.
// params: owner, seconds
// returns: owner
// write
MERGE (l:MigrationLock {name: 'schema'})
SET l.asked = $owner
WITH l, l.owner IS NULL OR l.owner = $owner OR l.leaseUntil < datetime.realtime() AS free
SET l.owner = CASE WHEN free THEN $owner ELSE l.owner END,
    l.leaseUntil = CASE WHEN free THEN datetime.realtime() + duration({seconds: $seconds}) ELSE l.leaseUntil END
RETURN l.owner AS owner
