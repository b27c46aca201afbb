"""What `graphmem demo` shows: answers from this project's own documentation, and contexts of a made-up support case."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from rich.markup import escape

from graphmem.access.keys import create_key, first_key
from graphmem.access.principal import local_principal
from graphmem.cli import console, demo_case
from graphmem.cli.serve import Service, serving
from graphmem.config import Settings
from graphmem.context.gather import plan_contexts
from graphmem.conversation.recall import plan_recalls
from graphmem.errors import Unauthenticated, Unavailable
from graphmem.graph import local
from graphmem.graph.gateway import Graph
from graphmem.ingest.files import ingest_folder
from graphmem.knowledge.search import plan_searches
from graphmem.runtime import Runtime
from graphmem.upkeep.audits import plan_audits, run_audits
from graphmem.values import Scope, Tenant

QUESTION = """
query ($input: SearchInput!) {
  search(input: $input) {
    roundTrips databaseMs
    hits { score depth node { id title } path { from to type forward } }
    warnings { message }
  }
}
"""


SEARCH = {"topK": 2, "maxDepth": 1, "limit": 8}
KEY_FILE = "demo-key"
NAME = "demo"


@dataclass(frozen=True)
class Question:
    """`answer`: the note that answers it, for the demonstration to point at."""

    text: str
    answer: str


QUESTIONS = (
    Question("Do I need Docker or Java to try it?", "decisions/0009-managed-neo4j.md"),
    Question("How do I keep one customer's notes from being shown to another?", "tenancy.md#resources"),
    Question("What if the worker process dies while it makes vectors?", "jobs.md#leases"),
    Question(
        "My call timed out: can I repeat the write without making a second note?",
        "decisions/0008-change-log.md#decision",
    ),
    Question("How many database round trips does a search take?", "decisions/0005-two-round-trips.md"),
)


@asynccontextmanager
async def shown(
    settings: Settings, server: Awaitable[local.Server] | None, bars: console.Bars
) -> AsyncIterator[Service]:
    """Take in the documentation, ask, tell the case, audit; then the service is there until the end of the block.

    `server`: as `running` takes it.
    """
    began = time.monotonic()
    async with serving(settings, server=server) as service, _plans(service.runtime.graph) as plans:
        await _make_ready(service.runtime, plans, bars)
        key = await _key(service.runtime, settings)
        bars("Planning the searches", 0, 0)
        await plans.searches()
        answered = await ask(service.address, key)
        await plans.contexts()
        knows = await demo_case.tell(service.runtime, service.address, key, bars)
        await plans.audits()
        found = await _audit(service.runtime)
        console.out.print(
            f"\n{answered} of {len(QUESTIONS)} questions answered, {found} audit findings, "
            f"{time.monotonic() - began:.0f} s in all"
        )
        console.out.print(f"turn {demo_case.TURNS} {'knows' if knows else 'does not know'} turn 3")
        yield service


class Plans:
    """The plans of all that is asked here, made once, while other things are done, and side by side: one core each.

    Making them is most of what the first answers of a server that has just started take.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """Once. The indexes of vectors must be there: a schema that changes takes all plans with it."""
        if not self._tasks:
            searches = asyncio.create_task(plan_searches(self._graph, SEARCH["maxDepth"]))
            contexts = asyncio.create_task(self._contexts())
            self._tasks = [searches, contexts, asyncio.create_task(self._audits(searches))]

    async def searches(self) -> None:
        await self._tasks[0]

    async def contexts(self) -> None:
        await self._tasks[1]

    async def audits(self) -> None:
        await self._tasks[2]

    async def _contexts(self) -> None:
        await plan_recalls(self._graph)
        await plan_contexts(self._graph)

    async def _audits(self, first: asyncio.Task[None]) -> None:
        await first
        await plan_audits(self._graph)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def _plans(graph: Graph) -> AsyncIterator[Plans]:
    plans = Plans(graph)
    try:
        yield plans
    finally:
        await plans.close()


async def _make_ready(runtime: Runtime, plans: Plans, bars: console.Bars) -> None:
    """Model and documentation; plans meanwhile where the graph has vectors already."""
    if runtime.graph.dimension is not None:
        plans.begin()
    bars("Loading the embedding model", 0, 0)
    await runtime.embedding.embedder()
    await _take_in(runtime, bars)
    plans.begin()


async def _take_in(runtime: Runtime, bars: console.Bars) -> None:
    principal = local_principal(Tenant(runtime.graph.settings.default_tenant), NAME)
    done = await ingest_folder(
        runtime.graph, principal, docs_folder(), tell=lambda done, total, _: bars("Taking in docs/", done, total)
    )
    bars("Making vectors and links", 0, 0)
    await runtime.worker.drain(300, principal.tenant)
    counted = ", ".join(f"{done.count(name)} {name}" for name in ("created", "updated", "unchanged", "archived"))
    console.out.print(f"docs/: {len(done.files)} files, notes: {counted}")
    for line in [*done.warnings, *(f"{path}: {reason}" for path, reason in done.failed)]:
        console.out.print(console.in_line(line), markup=False)


def docs_folder() -> Path:
    """The project's documentation: beside the package in a checkout, inside it when installed."""
    packaged = Path(__file__).parents[1] / "_docs"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "docs"


async def _key(runtime: Runtime, settings: Settings) -> str:
    """The demonstration's key: the tenant's first where there was none, kept in a file for the next run."""
    file = settings.home / KEY_FILE
    tenant = Tenant(settings.default_tenant)
    if file.is_file() and await _works(runtime, kept := file.read_text().strip()):
        return kept
    made = await first_key(runtime.graph, tenant) or await create_key(
        runtime.graph, tenant, name=NAME, scopes=[Scope.ADMIN]
    )
    assert made.key is not None, "only a repeated call is not told the key"
    settings.home.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
        out.write(made.key)
    return made.key


async def _works(runtime: Runtime, key: str) -> bool:
    try:
        await runtime.services.keyring.authenticate(f"Bearer {key}")
    except Unauthenticated:
        return False
    return True


async def ask(address: str, key: str) -> int:
    """Ask the questions over HTTP, show what came, and tell how many were answered by the note that should."""
    answered = 0
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as http:
        for question in QUESTIONS:
            began = time.perf_counter()
            variables = {"input": {"query": question.text, **SEARCH}}
            answer = await http.post("/graphql", json={"query": QUESTION, "variables": variables})
            ms = (time.perf_counter() - began) * 1000
            body = answer.raise_for_status().json()
            if body.get("errors"):
                raise Unavailable(f"the question got no answer: {body['errors'][0]['message']}")
            found = body["data"]["search"]
            console.out.print(f"\n[bold]{escape(question.text)}[/bold]")
            answered += _show_hits(found["hits"], question.answer)
            console.out.print(
                f"  {found['roundTrips']} round trips, {found['databaseMs']:.0f} ms in Neo4j, {ms:.0f} ms in all"
            )
    return answered


def _show_hits(hits: Sequence[Mapping[str, Any]], answer: str) -> bool:
    for hit in hits:
        mark = "[green]answer[/green]" if hit["node"]["id"] == answer else "      "
        title = escape(console.in_line(hit["node"]["title"]))
        console.out.print(f"  {mark} {hit['score']:.3f} depth {hit['depth']}  {title}{_path(hit)}")
    return any(hit["node"]["id"] == answer for hit in hits)


def _path(hit: Mapping[str, Any]) -> str:
    steps = console.walked((step["from"], step["type"], step["to"], step["forward"]) for step in hit["path"])
    return escape(console.in_line(f"  [{steps}]")) if steps else ""


async def _audit(runtime: Runtime) -> int:
    found = [row async for _, rows in run_audits(runtime.graph) for row in rows]
    for row in found:
        console.out.print(console.in_line(f"audit {row.audit}: {row.id}: {row.problem}: {row.detail}"), markup=False)
    return len(found)


def tell_what_to_try(settings: Settings, address: str) -> None:
    """Addresses and logins of what was shown, which is there as long as the service is."""
    key = (settings.home / KEY_FILE).read_text().strip()
    lines = ["", f"GraphiQL       {address}/graphiql", f"API key        {key}"]
    if settings.neo4j_uri is None and settings.browser:
        lines.append(f"Neo4j Browser  {local.browser_url(settings)}")
        lines.append(f"  user neo4j, password {(settings.home / 'password').read_text().strip()}")
    lines += [
        "Cypher to try in it:",
        "  CYPHER 25 MATCH p = (:Document)<-[:DERIVED_FROM]-(:Knowledge) RETURN p LIMIT 50",
        "  CYPHER 25 MATCH p = (:Knowledge)-[:RELATED_TO|MENTIONS]->(:Knowledge) RETURN p LIMIT 50",
        "  CYPHER 25 MATCH (n:Knowledge)<-[r:MENTIONS]-() WHERE r.recordedTo > datetime() "
        "RETURN n.title, count(r) AS times ORDER BY times DESC",
        "Ctrl-C stops everything.",
    ]
    for line in lines:
        console.out.print(line, markup=False)
