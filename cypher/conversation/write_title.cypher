// Gives a locked thread a title that was made up, of {text, message}; null: it has none until a message gives one.
// params: tenant, thread, title
// returns: uid
// write
MATCH (t:Item&Thread {tenant: $tenant, uid: $thread})
SET t.title = $title.text, t.titleMessage = $title.message, t.titleSource = CASE WHEN $title IS NOT NULL THEN 'message' END
RETURN t.uid AS uid
