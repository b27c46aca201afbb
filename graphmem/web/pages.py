"""The pages that the service itself serves."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from string import Template
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphmem.config import Settings

_FOLDER: Final = Path(__file__).parent
_NOT_SERVED: Final = {".html", ".md"}

_LINK = """\
      <dt><a href="graphiql">/graphiql</a></dt>
      <dd>GraphiQL: write queries in the browser, with the schema's documentation beside them.</dd>
"""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' {styles}; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may load: nothing from another host, no script inside the page."""


def routes(settings: Settings) -> list[BaseRoute]:
    """`/`, and with introspection on `/graphiql` and its files. Reads the pages from the package, once."""
    landing = (_FOLDER / "landing.html").read_text("utf-8")
    landing = Template(landing).substitute(graphiql=_LINK if settings.introspection else "")
    found: list[BaseRoute] = [Route("/", _page(landing))]
    if settings.introspection:
        found.append(Route("/graphiql", _page((_FOLDER / "graphiql" / "index.html").read_text("utf-8"))))
        found.append(Mount("/graphiql", _Files(directory=_FOLDER / "graphiql"), middleware=[Middleware(_Headers)]))
    return found


def _page(html: str) -> Callable[[Request], Awaitable[Response]]:
    styles = " ".join(f"'{_digest(style)}'" for style in re.findall(r"<style>(.*?)</style>", html, re.DOTALL))
    headers = _security(styles) | {"Cache-Control": "no-cache"}

    async def answer(_: Request) -> Response:
        return HTMLResponse(html, headers=headers)

    return answer


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _security(styles: str = "") -> dict[str, str]:
    return {
        "Content-Security-Policy": POLICY.format(styles=styles).replace(" ;", ";"),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
    }


class _Files(StaticFiles):
    """Scripts, styles and licences. The page itself has its own route, with its own headers."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        return ("", None) if Path(path).suffix in _NOT_SERVED else super().lookup_path(path)


class _Headers:
    """Adds the headers of static files: kept for an hour, then asked for again by their ETag."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_security())
                headers["Cache-Control"] = "public, max-age=3600"
            await send(message)

        await self.app(scope, receive, with_headers)
