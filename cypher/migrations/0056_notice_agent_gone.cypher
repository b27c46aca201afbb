// Notices are not looked up by their agent any more: those that were told stay for ever.
// params: none
// returns: none
// schema
DROP INDEX notice_agent IF EXISTS
