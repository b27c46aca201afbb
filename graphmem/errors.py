"""Every failure a caller can expect, each with a stable code.

The code, not the wording, is the contract: it is what `extensions.code` carries over GraphQL and what
the command line's exit status is chosen by. Anything that is not a `GraphmemError` is a bug and is masked.
"""

from __future__ import annotations

from typing import Any, ClassVar


class GraphmemError(Exception):
    """Base of all expected failures.

    `field` names the argument at fault, as a path (`nodes[700].confidence`); `details` holds what a program
    needs in order to react (a limit's value, the current version).
    """

    code: ClassVar[str] = "ERROR"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, field: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.details = details

    @property
    def extensions(self) -> dict[str, Any]:
        """What stands beside the message in a GraphQL error."""
        found: dict[str, Any] = {"code": self.code}
        if self.field is not None:
            found["field"] = self.field
        return found | self.details


class InvalidInput(GraphmemError):
    """A value is not acceptable; the message says which and what would be."""

    code = "INVALID_INPUT"
    exit_status = 2


class LimitExceeded(InvalidInput):
    """A limit was passed; `details` has its name and value."""

    code = "LIMIT_EXCEEDED"


class Unauthenticated(GraphmemError):
    """No credential, or one that is unknown or revoked."""

    code = "UNAUTHENTICATED"


class Forbidden(GraphmemError):
    """The credential is good but lacks the scope or is bound elsewhere."""

    code = "FORBIDDEN"


class NotFound(GraphmemError):
    """Nothing of that id in this tenant; another tenant's id looks just the same."""

    code = "NOT_FOUND"


class Conflict(GraphmemError):
    """The graph's state does not allow the change (a cycle, an id in use)."""

    code = "CONFLICT"


class VersionConflict(Conflict):
    """`expectedVersion` is not the current one, which stands in `details`."""

    code = "VERSION_CONFLICT"


class IdempotencyConflict(Conflict):
    """An idempotency key was used again with another input."""

    code = "IDEMPOTENCY_CONFLICT"


class Unavailable(GraphmemError):
    """A part that is needed (Neo4j, the embedder) does not answer; the same call may succeed later."""

    code = "UNAVAILABLE"
    exit_status = 3


class TimedOut(GraphmemError):
    """The database stopped a statement at its time limit."""

    code = "TIMEOUT"
    exit_status = 3


class OverMemory(GraphmemError):
    """The database stopped a statement at its memory limit; repeating it would end the same way."""

    code = "OVER_MEMORY"
    exit_status = 3


class IndexMismatch(GraphmemError):
    """The graph's vectors were made by another model, dimension or recipe than the one configured."""

    code = "INDEX_MISMATCH"
    exit_status = 4


class SchemaMismatch(GraphmemError):
    """The graph's schema is not one that this version can work with."""

    code = "SCHEMA_MISMATCH"
    exit_status = 4


class ServerError(GraphmemError):
    """The managed Neo4j could not be installed, started or stopped."""

    code = "SERVER"
    exit_status = 5
