"""Driver errors become ours here and nowhere else."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from neo4j import exceptions as driver

from graphmem.errors import Conflict, GraphmemError, OverMemory, TimedOut, Unavailable

_OVER_MEMORY = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
_TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"
_ENDED = "Neo.ClientError.Transaction.Terminated"
_LOCK_STOPPED = "Neo.ClientError.Transaction.LockClientStopped"
_SAME_SCHEMA = "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
_CONSTRAINT = "Neo.ClientError.Schema.ConstraintValidationFailed"
_GONE = "Neo.ClientError.Statement.EntityNotFound"
_NO_DATABASE = "Neo.ClientError.Database.DatabaseNotFound"

DRIVER_ERRORS = (driver.Neo4jError, driver.DriverError)


def is_outage(error: BaseException | None) -> bool:
    """Whether Neo4j, or the way to it, is down: a matter of the server and not of the statement."""
    down = (driver.ServiceUnavailable, driver.SessionExpired, driver.DatabaseUnavailable)
    return isinstance(error, down) and _refusal(error) is None


def is_retryable(error: BaseException) -> bool:
    """Whether the same transaction may succeed if it is run again.

    The driver's opinion, but for a few. The server marks its memory-limit error transient, but the same statement
    meets the same limit. A commit whose answer was lost is repeated, because every write of ours is idempotent. Two
    starters may make one index at once: the loser finds it there when it asks again. A wait for a lock may have been
    ended because the server stops. What a statement had found may have been deleted while it waited for a lock.
    """
    if is_outage(error):
        return True
    if isinstance(error, driver.Neo4jError):
        return error.code in (_SAME_SCHEMA, _LOCK_STOPPED, _GONE) or (
            error.code != _OVER_MEMORY and error.is_retryable()
        )
    return False


@contextmanager
def translated(*, managed: bool) -> Iterator[None]:
    """Raises ours in place of an expected failure of the driver; any other error is a bug and passes as it is.

    `managed`: the server is the one that graphmem starts, and not one that the settings name.
    """
    try:
        yield
    except DRIVER_ERRORS as error:
        ours = translate(error, managed=managed)
        if ours is None:
            raise
        raise ours from error


def translate(error: BaseException, *, managed: bool) -> GraphmemError | None:
    """Ours for an expected failure, None for a bug."""
    if isinstance(error, driver.Neo4jError):
        return _of_server(error, managed=managed)
    if isinstance(error, driver.ConnectionAcquisitionTimeoutError):
        return Unavailable("all connections to Neo4j are busy; repeat the call, or set GRAPHMEM_NEO4J_POOL higher")
    if (refused := _refusal(error)) is not None:
        return Unavailable(
            f"the certificate of Neo4j is not trusted: {refused.verify_message}; set GRAPHMEM_NEO4J_CA_FILE to the "
            "authority that signed it, and GRAPHMEM_NEO4J_URI to a name that it was made for"
        )
    if is_outage(error):
        named = "check that it runs and that GRAPHMEM_NEO4J_URI is right"
        advice = "start it with `graphmem neo4j start`" if managed else named
        return Unavailable(f"Neo4j does not answer; {advice}")
    return None


def _of_server(error: driver.Neo4jError, *, managed: bool) -> GraphmemError | None:
    code = error.code or ""
    if code == _OVER_MEMORY:
        return OverMemory("the database's memory limit was reached; ask for less in one call, or in fewer at once")
    if code.startswith(_TIMED_OUT):
        return TimedOut("the database stopped the statement at its time limit; ask for less in one call")
    if code == _ENDED:
        return Unavailable("the transaction was ended at the database; repeat the call if that was not on purpose")
    if code == _LOCK_STOPPED:
        return Unavailable("others were writing the same for too long; repeat the call")
    if code == _CONSTRAINT:
        return Conflict("another call made the same id or key at the same time; repeat the call")
    if code == _NO_DATABASE:
        return Unavailable("Neo4j has no such database; check GRAPHMEM_NEO4J_DATABASE")
    if isinstance(error, driver.AuthError) or ".Security." in code:
        where = "the file `password` in GRAPHMEM_HOME" if managed else "GRAPHMEM_NEO4J_USER and _PASSWORD"
        return Unavailable(f"Neo4j refuses the user name or password; check {where}")
    if is_retryable(error):
        return Unavailable("Neo4j could not finish the transaction for now; repeat the call")
    return None


def _refusal(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """Why a certificate was refused, if that is what is behind the error. Routing wraps its causes in a group."""
    behind: list[BaseException] = [error]
    while behind:
        found = behind.pop()
        if isinstance(found, ssl.SSLCertVerificationError):
            return found
        if isinstance(found, BaseExceptionGroup):
            behind.extend(found.exceptions)
        if found.__cause__ is not None:
            behind.append(found.__cause__)
    return None
