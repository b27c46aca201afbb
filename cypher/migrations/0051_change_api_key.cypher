// The change log is read by the API key that was used.
// params: none
// returns: none
// schema
CREATE INDEX change_api_key IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.keyId, n.createdAt, n.uid)
