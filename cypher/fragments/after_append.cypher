// What messages change of their thread. In: `t` locked, `base`, `openCalls`, `made`.
WITH *, $speakers AS speakers, t.title IS NULL AND NOT t.titlePinned AND $title IS NOT NULL AS names
SET t._lock = null, t.lastSeq = base + size(made), t.messageCount = t.messageCount + size(made), t.updatedAt = $now,
  t.lastMessageAt = CASE WHEN last(made).createdAt < $now THEN last(made).createdAt ELSE $now END,
  t.openCalls = ([x IN openCalls WHERE NOT x IN $answered + $opened] + $opened)[-1000..],
  t.titleSource = CASE WHEN names THEN 'message' ELSE t.titleSource END,
  t.titleMessage = CASE WHEN names THEN $title.message ELSE t.titleMessage END,
  t.title = CASE WHEN names THEN $title.text ELSE t.title END
// use: add_speakers
