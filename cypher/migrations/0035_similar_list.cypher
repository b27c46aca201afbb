// Nearly equal texts are listed, the most alike first.
// params: none
// returns: none
// schema
CREATE INDEX similar_list IF NOT EXISTS FOR ()-[r:SIMILAR_TO]-() ON (r.tenant, r.state, r.cosine)
