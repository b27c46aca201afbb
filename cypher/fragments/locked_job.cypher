// The job `j` named, write-locked before it is looked at.
MATCH (j:Item {tenant: $tenant, uid: $uid})
USING INDEX SEEK j:Item(tenant, uid)
WHERE j:Job
SET j.kind = j.kind
WITH collect(j) AS locked
UNWIND locked AS j
