// A key is found before its tenant is known.
// params: none
// returns: none
// schema
CREATE CONSTRAINT api_key IF NOT EXISTS FOR (n:ApiKey) REQUIRE n.keyId IS UNIQUE
