"""The leased queue in the graph: any number of processes can put work in and take it out.

A job is delivered at least once, so that to do one again must come to the same: handlers look at what there is, and
write under locks. Leases are measured by the database's clock alone.
"""

from graphmem.jobs.attempt import Handler
from graphmem.jobs.claim import claim
from graphmem.jobs.complete import complete
from graphmem.jobs.enqueue import RESUME_AFTER, enqueue, enqueue_ids, enqueue_many, new_job
from graphmem.jobs.fail import LOST, fail, retry_failed
from graphmem.jobs.job import Job, State
from graphmem.jobs.listing import counts, find, jobs
from graphmem.jobs.prune import prune
from graphmem.jobs.renew import release, renew
from graphmem.jobs.worker import Worker

__all__ = [
    "LOST",
    "RESUME_AFTER",
    "Handler",
    "Job",
    "State",
    "Worker",
    "claim",
    "complete",
    "counts",
    "enqueue",
    "enqueue_ids",
    "enqueue_many",
    "fail",
    "find",
    "jobs",
    "new_job",
    "prune",
    "release",
    "renew",
    "retry_failed",
]
