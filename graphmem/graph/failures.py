"""Driver errors become ours here and nowhere else."""

from __future__ import annotations

from neo4j import exceptions as driver

from graphmem.errors import Conflict, GraphmemError, OverMemory, TimedOut, Unavailable

_OVER_MEMORY = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
_TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"
_SAME_SCHEMA = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
_CONSTRAINT = "Neo.ClientError.Schema.ConstraintValidationFailed"

DRIVER_ERRORS = (driver.Neo4jError, driver.DriverError, OSError)


def is_retryable(error: BaseException) -> bool:
    """Whether the same transaction may succeed if it is run again.

    The server marks its memory-limit error transient, but the same statement meets the same limit: final.
    """
    if isinstance(error, driver.Neo4jError):
        # Two starters that make one index at once: the loser finds it there when it asks again.
        return error.code == _SAME_SCHEMA or (error.code != _OVER_MEMORY and error.is_retryable())
    # A commit whose answer was lost: safe to repeat, because every write of ours is idempotent.
    return isinstance(error, driver.IncompleteCommit | OSError) or (
        isinstance(error, driver.DriverError) and error.is_retryable()
    )


def translate(error: BaseException) -> BaseException:
    """Ours for an expected failure; the error itself when it means a bug."""
    if isinstance(error, driver.Neo4jError):
        return _of_server(error)
    if isinstance(error, driver.DriverError | OSError):
        return Unavailable("Neo4j does not answer; check that it runs and that GRAPHMEM_NEO4J_URI is right")
    return error


def _of_server(error: driver.Neo4jError) -> GraphmemError | driver.Neo4jError:
    code = error.code or ""
    if code == _OVER_MEMORY:
        return OverMemory("the database's memory limit was reached; ask for less in one call")
    if code.startswith(_TIMED_OUT):
        return TimedOut("the database stopped the statement at its time limit; ask for less in one call")
    if code == _CONSTRAINT:
        return Conflict("another call made the same id or key at the same time; repeat the call")
    if isinstance(error, driver.AuthError) or ".Security." in code:
        return Unavailable("Neo4j refuses the user name or password; check GRAPHMEM_NEO4J_USER and _PASSWORD")
    if error.is_retryable() or code.startswith("Neo.ClientError.Cluster"):
        return Unavailable("Neo4j could not finish the transaction for now; repeat the call")
    return error
