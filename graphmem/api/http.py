"""The GraphQL endpoint: credential first, then the query; one log line a request."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress

import orjson
import strawberry
import structlog
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol

from graphmem.access.keyring import open_principal
from graphmem.access.principal import Principal
from graphmem.api.context import Context
from graphmem.api.errors import INTERNAL
from graphmem.errors import GraphmemError, InvalidInput, LimitExceeded, Unauthenticated
from graphmem.graph.trips import Trips, count_trips
from graphmem.runtime import Services
from graphmem.values import new_id

log = structlog.get_logger(__name__)

_STATUS: Mapping[type[GraphmemError], int] = {Unauthenticated: 401, LimitExceeded: 413, InvalidInput: 400}
_GONE = 499
"""Noted for a caller that hung up before it had sent all; nobody reads it."""
_SAID = {"Unsupported content type": "Unsupported content type; send JSON as application/json"}
"""What is not said clearly below."""
_LINGER = 4
_LINGER_SECONDS = 5.0
_LONGEST_NAME = 100
_LONG = re.compile(r"\d{19}")


class Endpoint(GraphQL[Context, None]):
    """Answers POST and GET queries. A failed credential is answered before the body is read.

    Failures of the request itself are JSON of GraphQL's form with a status of their kind, as GraphQL over HTTP asks.
    """

    def __init__(self, schema: strawberry.Schema) -> None:
        super().__init__(schema, graphql_ide=None, subscription_protocols=())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services: Services = scope["state"]["services"]
        most = services.settings.max_body_bytes
        request, began = Request(scope, _bounded(receive, most)), time.perf_counter()
        scope["request_id"] = new_id()
        response: Response | None = None
        with count_trips() as trips:
            try:
                response = await self._answer(request, services, trips)
                response.headers["X-Request-Id"] = scope["request_id"]
                if response.status_code == _STATUS[LimitExceeded]:
                    await _drained(receive, _LINGER * most)
                await response(scope, receive, send)
            finally:
                _log_line(request, response, trips, (time.perf_counter() - began) * 1000)

    async def _answer(self, request: Request, services: Services, trips: Trips) -> Response:
        try:
            _check_size(request.headers.get("content-length", ""), services.settings.max_body_bytes)
            request.scope["graphmem"] = Context(services, await _principal(request, services), trips)
            return await self.run(request)
        except GraphmemError as error:
            return failure(error.message, error.extensions, _STATUS.get(type(error), 503))
        except HTTPException as error:
            reason = _SAID.get(error.reason, error.reason)
            return failure(reason, InvalidInput(reason).extensions, error.status_code)
        except ClientDisconnect:
            return Response(status_code=_GONE)
        except Exception:
            reference = request.scope["request_id"]
            log.exception("internal error", reference=reference)
            return failure(f"Internal error. Reference: {reference}", {"code": INTERNAL, "reference": reference}, 500)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:  # noqa: ARG002
        context: Context = request.scope["graphmem"]
        return context

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:  # noqa: ARG002
        return False

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData | list[GraphQLRequestData]:
        found = await super().parse_http_body(request)
        if isinstance(found, GraphQLRequestData) and not isinstance(found.operation_name, str | None):
            raise HTTPException(400, "`operationName` must be a string or null")
        return found

    def parse_json(self, data: str | bytes) -> object:
        """A request, or its variables or extensions: an object in each case."""
        try:
            found = self.decode_json(data)
        except json.JSONDecodeError as error:
            raise HTTPException(400, f"the request's JSON can't be read: {error}") from error
        if not isinstance(found, dict | list | None):
            raise HTTPException(400, "a request, and its variables and extensions, must be JSON objects")
        return {} if found is None else found

    def encode_json(self, data: object) -> str | bytes:
        return orjson.dumps(data)

    def decode_json(self, data: str | bytes) -> object:
        found = orjson.loads(data)
        # Of an integer of more than 64 bits it makes the nearest float, which nobody would notice to be another number.
        return json.loads(data) if _LONG.search(data if isinstance(data, str) else data.decode()) else found


async def _principal(request: Request, services: Services) -> Principal:
    if services.settings.open_access:
        return open_principal(services.settings)
    return await services.keyring.authenticate(request.headers.get("authorization"))


def _check_size(declared: str, most: int) -> None:
    if declared.isdecimal() and int(declared) > most:
        raise _too_large(most)


def _bounded(receive: Receive, most: int) -> Receive:
    """`receive`, for a body whose size need not be declared. Starlette's own limit does not answer in JSON."""
    taken = 0

    async def receive_bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise _too_large(most)
        return message

    return receive_bounded


async def _drained(receive: Receive, most: int) -> None:
    """Passes over what is still sent, up to `most` bytes: a client that is cut off while it sends never reads why."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_LINGER_SECONDS):
            while most > 0 and (message := await receive()).get("more_body"):
                most -= len(message["body"])


def _too_large(most: int) -> LimitExceeded:
    message = f"the request has more than {most:,} bytes (max_body_bytes); send it in parts"
    return LimitExceeded(message, limit="max_body_bytes", value=most)


def failure(message: str, extensions: Mapping[str, object], status: int) -> Response:
    body = {"data": None, "errors": [{"message": message, "extensions": extensions}]}
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return Response(orjson.dumps(body), status, headers, "application/json")


def _log_line(request: Request, response: Response | None, trips: Trips, ms: float) -> None:
    """Names, times and numbers: no text of the caller's or of the graph's, and nothing of a key but its id."""
    context: Context | None = request.scope.get("graphmem")
    log.info(
        "request",
        request_id=request.scope["request_id"],
        method=request.method,
        operation=(context.operation or "")[:_LONGEST_NAME] or None if context else None,
        status=response.status_code if response else None,
        ms=round(ms, 1),
        tenant=context.principal.tenant if context else None,
        key=context.principal.key_id if context else None,
        trips=trips.count,
        database_ms=round(trips.ms, 1),
        statements=[[trip.statement, round(trip.ms, 1)] for trip in trips.made[:20]],
    )
