"""The pages: what is served, under which headers, and that they load nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

import graphmem.web
from graphmem.config import Settings
from graphmem.web.pages import routes

FOLDER = Path(graphmem.web.__file__).parent
OURS = [path for path in FOLDER.rglob("*") if path.suffix in {".html", ".js", ".css"} and "vendor" not in path.parts]
VENDORED = [path.name for path in (FOLDER / "graphiql" / "vendor").iterdir() if path.suffix in {".js", ".css"}]


@asynccontextmanager
async def client(**settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(Starlette(routes=routes(Settings(**settings))))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as found:
        yield found


async def get(path: str, **settings: Any) -> httpx.Response:
    async with client(**settings) as found:
        return await found.get(path)


async def test_the_landing_page_says_what_is_where() -> None:
    answer = await get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for place in ("/graphql", "/graphiql", "/healthz", "/readyz"):
        assert place in answer.text


async def test_without_introspection_there_is_only_the_landing_page() -> None:
    landing = await get("/", introspection=False)
    assert landing.status_code == 200
    assert "graphiql" not in landing.text.lower()
    for path in ("/graphiql", "/graphiql/graphiql.js", "/graphiql/vendor/graphiql.min.js"):
        assert (await get(path, introspection=False)).status_code == 404


async def test_everything_that_the_page_names_is_served() -> None:
    async with client() as found:
        page = await found.get("/graphiql")
        assert page.status_code == 200
        named = re.findall(r'(?:src|href)="(graphiql/[^"]+)"', page.text)
        assert len(named) == 6
        for path in named:
            answer = await found.get(f"/{path}")
            assert answer.status_code == 200
            kind = "text/css" if path.endswith(".css") else "text/javascript"
            assert answer.headers["content-type"].startswith(kind)


@pytest.mark.parametrize("path", ["/", "/graphiql", "/graphiql/graphiql.js"])
async def test_a_policy_forbids_other_hosts_and_scripts_inside_pages(path: str) -> None:
    headers = (await get(path)).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert "http" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_the_policy_allows_the_landing_page_its_own_style() -> None:
    assert re.search(
        r"style-src 'self' 'sha256-[A-Za-z0-9+/]{43}='", (await get("/")).headers["content-security-policy"]
    )
    assert "style-src 'self';" in (await get("/graphiql")).headers["content-security-policy"]


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_what_we_wrote_names_no_other_host_and_runs_nothing_inline(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"(?:https?:)?//[a-z0-9-]+\.[a-z]", text)
    if path.suffix == ".html":
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son[a-z]+=|javascript:|\sstyle=", text)


@pytest.mark.parametrize("name", VENDORED)
async def test_what_others_wrote_loads_nothing_when_it_is_loaded(name: str) -> None:
    text = (await get(f"/graphiql/vendor/{name}")).text
    loading = r"@import|url\((?!['\"]?data:)" if name.endswith(".css") else r"importScripts|\beval\(|new Function"
    assert not re.search(rf"{loading}|sourceMappingURL", text)


async def test_licences_are_served_beside_what_they_cover() -> None:
    for name in ("graphiql", "react"):
        answer = await get(f"/graphiql/vendor/{name}.LICENSE.txt")
        assert answer.text.startswith("MIT License")


async def test_pages_are_asked_for_each_time_and_files_kept_until_they_change() -> None:
    async with client() as found:
        assert (await found.get("/graphiql")).headers["cache-control"] == "no-cache"
        first = await found.get("/graphiql/vendor/graphiql.min.js")
        assert first.headers["cache-control"] == "public, max-age=3600"
        again = await found.get("/graphiql/vendor/graphiql.min.js", headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 304


@pytest.mark.parametrize(
    "path", ["index.html", "vendor/README.md", "../pages.py", "%2e%2e/pages.py", "..%2fpages.py", ""]
)
async def test_nothing_else_of_the_package_is_served(path: str) -> None:
    answer = await get(f"/graphiql/{path}")
    assert answer.status_code == 404


def test_the_key_is_never_written_where_it_outlives_the_tab() -> None:
    script = (FOLDER / "graphiql" / "graphiql.js").read_text("utf-8")
    assert "sessionStorage.setItem" in script
    assert not re.search(r"localStorage|document\.cookie|location\.(?:search|hash)", script)
