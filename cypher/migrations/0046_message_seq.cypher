// A place in a thread is taken once.
// params: none
// returns: none
// schema
CREATE CONSTRAINT message_seq IF NOT EXISTS FOR (n:Message) REQUIRE (n.tenant, n.thread, n.seq) IS UNIQUE
