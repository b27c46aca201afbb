"""What a caller gets to see of a failure.

Expected failures (`GraphmemError`) keep their message and code. GraphQL's own complaints about a request get a code.
Anything else is a bug or a leak: it is logged once, with its traceback, under a reference, and the caller gets only
that reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import strawberry
import structlog
from graphql import ExecutionResult as CoreExecutionResult
from graphql import GraphQLError, GraphQLSyntaxError
from strawberry.exceptions import MissingQueryError
from strawberry.extensions import SchemaExtension
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionContext, ExecutionResult, StreamExecutionResult

from graphmem.api import given
from graphmem.api.limits import token_limit
from graphmem.config import Settings
from graphmem.errors import GraphmemError, InvalidInput
from graphmem.values import new_id

PARSE_FAILED: Final = "GRAPHQL_PARSE_FAILED"
VALIDATION_FAILED: Final = "GRAPHQL_VALIDATION_FAILED"
INTERNAL: Final = "INTERNAL"

_REQUEST_ERRORS = (MissingQueryError, CannotGetOperationTypeError, InvalidOperationTypeError)
_SUGGESTION = re.compile(r"\s*Did you mean .*?\?(?=\s|$)", re.DOTALL)

log = structlog.get_logger()


class Schema(strawberry.Schema):
    """A schema that leaves the logging of errors to `Errors`; Strawberry's own would write each one's traceback."""

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        pass


def extension(settings: Settings) -> Callable[[], SchemaExtension]:
    """The schema's first extension: what the others raise passes through it too."""
    return partial(Errors, suggest=settings.introspection)


class Errors(SchemaExtension):
    """Gives every error of a result its code and hides what is not the caller's business.

    `suggest` keeps GraphQL's "Did you mean …?", which tells names of the schema.
    """

    def __init__(self, suggest: bool) -> None:
        self.suggest = suggest
        self.references: dict[int, str] = {}
        self.streamed = False

    def on_operation(self) -> Iterator[None]:
        try:
            yield
        except _REQUEST_ERRORS:
            raise
        except Exception as error:
            raise self.shown(_as_graphql(error)) from None
        result = self.execution_context.result
        if not self.streamed and isinstance(result, ExecutionResult | CoreExecutionResult):
            self._show_all(result)

    def on_stream_result(self, result: StreamExecutionResult) -> Iterator[None]:
        self.streamed = True
        self.references.clear()  # they are by identity, and an exception of an earlier result may be gone
        if isinstance(result, ExecutionResult):
            self._show_all(result)
        yield

    def _show_all(self, result: ExecutionResult | CoreExecutionResult) -> None:
        if result.errors:
            result.errors = [self.shown(error) for error in result.errors]

    def shown(self, error: GraphQLError) -> GraphQLError:
        """The error as the caller may see it: same place, no cause, always a code."""
        root = _root(error)
        if isinstance(root, GraphmemError):
            # A scalar's complaint comes with the variable's or argument's name around it.
            message = root.message if error.path else error.message
            return _copy(error, message, _located(root.extensions, message))
        if isinstance(root, GraphQLError):
            return self._shown_request(error, root)
        if isinstance(root, _REQUEST_ERRORS):
            return _copy(error, error.message, {"code": VALIDATION_FAILED})
        return self._masked(error, root)

    def _shown_request(self, error: GraphQLError, root: GraphQLError) -> GraphQLError:
        message = self._told(error.message)
        if root.extensions and "code" in root.extensions:
            return _copy(error, message, _located(root.extensions, message))
        if isinstance(root, GraphQLSyntaxError):
            limit = token_limit(root)
            return _copy(error, *(limit.message, limit.extensions) if limit else (message, {"code": PARSE_FAILED}))
        if given.is_refused(message):
            return _copy(error, message, _located({"code": InvalidInput.code}, message))
        if error.path is None:
            return _copy(error, message, {"code": VALIDATION_FAILED})
        return self._masked(error, root)  # a value of ours that the schema does not allow

    def _told(self, message: str) -> str:
        plain = _SUGGESTION.sub("", message)
        if not self.suggest:
            return given.in_json(plain)
        listed = given.with_members(plain, self.execution_context.schema._schema)
        return given.in_json(message if listed == plain else listed)

    def _masked(self, error: GraphQLError, root: Exception) -> GraphQLError:
        reference = self.references.get(id(root))
        if reference is None:
            reference = self.references[id(root)] = new_id()
            log.error(
                "internal error",
                reference=reference,
                operation=self.execution_context.operation_name,
                path=error.path,
                exc_info=root,
            )
        return _copy(error, f"Internal error. Reference: {reference}", {"code": INTERNAL, "reference": reference})


def _as_graphql(error: Exception) -> GraphQLError:
    return error if isinstance(error, GraphQLError) else GraphQLError(str(error), original_error=error)


def _root(error: GraphQLError) -> Exception:
    """What was first raised. A cause that GraphQL itself wrapped is followed, one of the program is not."""
    root: Exception = error
    while isinstance(root, GraphQLError) and root.original_error is not None:
        root = root.original_error
    return root


def _located(extensions: dict[str, object], message: str) -> dict[str, object]:
    """The extensions, with the field that the message is about where it tells one and they don't."""
    field = given.field(message)
    return extensions if field is None else {"code": extensions["code"], "field": field} | extensions


def _copy(error: GraphQLError, message: str, extensions: dict[str, object]) -> GraphQLError:
    return GraphQLError(message, error.nodes, error.source, error.positions, error.path, extensions=extensions)
