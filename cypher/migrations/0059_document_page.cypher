// Documents are found by their page's name, which links may give without folders.
// params: none
// returns: none
// schema
CREATE INDEX document_page IF NOT EXISTS FOR (n:Document) ON (n.tenant, n.page)
