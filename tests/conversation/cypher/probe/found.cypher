// Ids of messages that full text finds.
// params: lucene
// returns: uid
// read
CALL db.index.fulltext.queryNodes('message_text', $lucene) YIELD node
RETURN node.uid AS uid
