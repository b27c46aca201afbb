// What messages change of their thread. In: `t` locked, `base`, `openCalls`, `made`.
WITH *, $speakers AS speakers
SET t._lock = null, t.lastSeq = base + size(made), t.messageCount = t.messageCount + size(made), t.updatedAt = $now,
  t.lastMessageAt = last(made).createdAt, t.openCalls = ([x IN openCalls WHERE NOT x IN $answered + $opened] + $opened)[-1000..],
  t.titleSource = CASE WHEN t.title IS NULL AND NOT t.titlePinned AND $title IS NOT NULL THEN 'message' ELSE t.titleSource END,
  t.title = CASE WHEN t.title IS NULL AND NOT t.titlePinned THEN $title ELSE t.title END
// use: add_speakers
