"""The GraphQL endpoint: credential first, then the query; one log line a request."""

from __future__ import annotations

import time
from collections.abc import Mapping

import orjson
import strawberry
import structlog
from cross_web import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL

from graphmem.access.keyring import open_principal
from graphmem.access.principal import Principal
from graphmem.api.context import Context, Services
from graphmem.errors import Forbidden, GraphmemError, InvalidInput, LimitExceeded, Unauthenticated
from graphmem.graph.trips import Trips, count_trips
from graphmem.values import new_id

log = structlog.get_logger(__name__)

_STATUS: Mapping[type[GraphmemError], int] = {
    Unauthenticated: 401,
    Forbidden: 403,
    LimitExceeded: 413,
    InvalidInput: 400,
}


class Endpoint(GraphQL[Context, None]):
    """Answers POST and GET queries. A failed credential is answered before the body is read."""

    def __init__(self, schema: strawberry.Schema) -> None:
        super().__init__(schema, graphql_ide=None, subscription_protocols=())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await WebSocket(scope, receive, send).close(code=1008)
            return
        request = Request(scope, receive)
        began = time.perf_counter()
        with count_trips() as trips:
            response, context = await self._answer(request, trips)
        response.headers["X-Request-Id"] = scope["request_id"]
        await response(scope, receive, send)
        _log_line(request, response, context, trips, (time.perf_counter() - began) * 1000)

    async def _answer(self, request: Request, trips: Trips) -> tuple[Response, Context | None]:
        request.scope["request_id"] = new_id()
        context = None
        try:
            services: Services = request.state.services
            _check_size(request, services.settings.max_body_bytes)
            context = Context(services, await _principal(request, services), trips)
            request.scope["graphmem"] = context
            return await self.run(request), context
        except GraphmemError as error:
            return failure(error, _STATUS.get(type(error), 503)), context
        except HTTPException as error:
            return failure(InvalidInput(error.reason), error.status_code), context

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:  # noqa: ARG002
        context: Context = request.scope["graphmem"]
        return context

    def encode_json(self, data: object) -> str | bytes:
        return orjson.dumps(data)

    def decode_json(self, data: str | bytes) -> object:
        return orjson.loads(data)


async def _principal(request: Request, services: Services) -> Principal:
    if services.settings.open_access:
        return open_principal(services.settings)
    return await services.keyring.authenticate(request.headers.get("authorization"))


def _check_size(request: Request, most: int) -> None:
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise LimitExceeded(
            f"the request has {declared} bytes; at most {most}, so send it in parts",
            limit="max_body_bytes", value=most, actual=int(declared),
        )  # fmt: skip


def failure(error: GraphmemError, status: int) -> Response:
    body = {"data": None, "errors": [{"message": error.message, "extensions": error.extensions}]}
    return Response(orjson.dumps(body), status, media_type="application/json")


def _log_line(request: Request, response: Response, context: Context | None, trips: Trips, ms: float) -> None:
    log.info(
        "request",
        request_id=request.scope["request_id"],
        method=request.method,
        operation=context.operation if context else None,
        status=response.status_code,
        ms=round(ms, 1),
        tenant=context.principal.tenant if context else None,
        key=context.principal.key_id if context else None,
        trips=trips.count,
        database_ms=round(trips.ms, 1),
        statements=[[trip.statement, round(trip.ms, 1)] for trip in trips.made[:20]],
    )
