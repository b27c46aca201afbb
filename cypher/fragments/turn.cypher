// The turn `u` of the thread `t` as one map; an open one whose time is over is expired.
u {.uid, .thread, resource: t.resource, .attempt, .agent, .expiresAt, .endedAt, .reason, .firstSeq, .lastSeq, .createdAt, .updatedAt,
  state: CASE WHEN u.state = 'open' AND u.expiresAt <= datetime.realtime() THEN 'expired' ELSE u.state END,
  staged: coalesce(u.staged, 0)} AS turn
