"""Commands over the graph's content."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, ResourceOption, TenantOption, acting, app, command, ready, settings
from graphmem.errors import InvalidInput, Unavailable
from graphmem.values import KnowledgeType, Tenant

if TYPE_CHECKING:
    from graphmem.knowledge.search import SearchHit
    from graphmem.runtime import Runtime
    from graphmem.upkeep.reembed import Reembedding

WHOLE_GRAPH_SECONDS = 600.0
"""How long a statement may run that looks at every node."""
LOOK_SECONDS = 0.5


@command(app, "search")
async def search_command(
    text: str,
    mode: Annotated[Literal["hybrid", "vector", "text"], typer.Option(help="What to look by.")] = "hybrid",
    depth: Annotated[int, typer.Option(help="How far to follow edges.")] = 1,
    limit: Annotated[int, typer.Option(help="Length of the list.")] = 10,
    types: Annotated[list[KnowledgeType] | None, typer.Option("--type", help="Only of this one, or these.")] = None,
    tags: Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag; given again, with all.")] = None,
    min_confidence: Annotated[float | None, typer.Option(help="Only of that confidence or more, from 0 to 1.")] = None,
    as_of: Annotated[str | None, typer.Option(help="What the graph said then, as 2026-03-01T09:30Z.")] = None,
    tenant: TenantOption = None,
    resource: ResourceOption = None,
    as_json: Json = False,
) -> None:
    """Search, and say why each node was found."""
    from graphmem.access.view import View
    from graphmem.knowledge.listing import Filter
    from graphmem.knowledge.search import Mode, SearchInput, check
    from graphmem.knowledge.search_as_of import search

    wanted = SearchInput(
        query=text, mode=Mode(mode), max_depth=depth, limit=limit, properties=("title",), edges=False,
        wanted=Filter(types=types or (), tags=tags or (), min_confidence=min_confidence),
    )  # fmt: skip
    check(wanted, settings())
    view = View.of(acting(tenant), resource).at(None if as_of is None else _moment(as_of, "as-of"), None)
    async with ready(embedder="wanted", tenant=tenant) as (runtime, _):
        found = await search(runtime.graph, runtime.embedding, view, wanted)
    rows = [_row(hit) for hit in found.hits]
    shown = [row | {"score": _rounded(hit.rank.score)} for row, hit in zip(rows, found.hits, strict=True)]
    console.show(rows, as_json, shown)
    if not rows and not as_json:
        console.say("nothing was found")
    for warning in found.warnings:
        console.say(warning.message)


def _row(hit: SearchHit) -> dict[str, object]:
    rank = hit.rank
    path = console.walked((step.source, step.type, step.target, step.forward) for step in rank.path)
    return {"score": rank.score, "depth": rank.depth, "id": hit.node.id, "title": hit.node.title, "path": path}


def _rounded(score: float) -> str:
    """Three digits behind the point; of a score that has none there, the first."""
    return f"{score:.3f}" if score == 0 or score >= 0.001 else f"{score:.1g}"


def _moment(text: str, field: str) -> datetime:
    """A date, or a date with time; without an offset it is UTC. Raises InvalidInput for anything else."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{field}: {text!r} is no time; write it as 2026-03-01T09:30Z", field=field) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@command(app, "cypher")
def cypher(
    name: Annotated[str | None, typer.Argument(help="As its path below cypher/.")] = None, as_json: Json = False
) -> None:
    """Print a statement as it is run, fragments in place; without a name, list them."""
    from graphmem.graph.statements import load

    statements = load()
    if name is None:
        rows = [{"name": one.name, "kind": one.kind, "about": one.about} for one in statements.values()]
        console.show(rows, as_json, rows)
    elif name not in statements:
        raise InvalidInput(f"there is no statement {name!r}; `graphmem cypher` lists them", field="name")
    elif as_json:
        console.show({"name": name, "text": statements[name].text}, as_json)
    else:
        sys.stdout.write(statements[name].text + "\n")


@command(app, "audit")
async def audit(
    name: Annotated[str | None, typer.Argument(help="One audit; default: all.")] = None,
    tenant: Annotated[str | None, typer.Option(help="Whose findings to show; default: everybody's.")] = None,
    as_json: Json = False,
) -> None:
    """Look for what is wrong in the graph; exits 1 when anything is."""
    from graphmem.graph.connect import connect
    from graphmem.upkeep.audits import check_tenant, run_audit, run_audits

    owner = None if tenant is None else Tenant(tenant)
    patient = settings().model_copy(update={"statement_timeout": WHOLE_GRAPH_SECONDS})
    async with connect(patient) as graph:
        if owner is not None:
            await check_tenant(graph, owner)
        if name is not None:
            found = {name: await run_audit(graph, name, owner)}
        else:
            found = {audit: rows async for audit, rows in run_audits(graph, owner)}
    rows = [asdict(row) for findings in found.values() for row in findings]
    console.show({audit: [asdict(row) for row in findings] for audit, findings in found.items()}, as_json, rows)
    if not as_json:
        console.out.print(f"{console.counted(len(found), 'audit')}, {console.counted(len(rows), 'finding')}")
    if rows:
        raise typer.Exit(1)


@command(app, "reembed")
async def reembed_command(
    model: Annotated[str | None, typer.Option(help="Default: the one that made those in use, anew.")] = None,
    give_up: Annotated[bool, typer.Option("--cancel", help="Give up what is under way.")] = False,
    as_json: Json = False,
) -> None:
    """Have all vectors made by another model, or anew by the same, while searches go on; goes on with what began."""
    from graphmem.access.principal import local_principal
    from graphmem.runtime import running
    from graphmem.upkeep import reembed

    chosen = settings()
    principal = local_principal(Tenant(chosen.default_tenant))
    # It makes vectors, and leaves all else to the service with its own model.
    without = chosen.model_copy(update={"embedding_model": "none"})
    kinds = (reembed.CHANGE, reembed.DROP)
    async with running(without, work=not give_up, kinds=kinds, patient=False) as runtime:
        if give_up:
            console.show({"given up": await reembed.give_up(runtime.graph, principal.tenant)}, as_json)
            return
        begun = await reembed.reembed(runtime.graph, runtime.models, principal, model)
        runtime.worker.wake()
        with console.bars() as bars:
            done = await _followed(runtime, begun, bars)
    console.show({"model": done.model, "dimension": done.dimension}, as_json)
    if done.model != chosen.embedding_model:
        console.err.print(
            f"set GRAPHMEM_EMBEDDING_MODEL={done.model} for services that start from now on", markup=False
        )


async def _followed(runtime: Runtime, state: Reembedding, bars: console.Bars) -> Reembedding:
    """Until nothing is left to do. Raises Unavailable when it was tried often enough."""
    from graphmem.upkeep.reembed import has_failed, progress

    most = 0
    while not state.is_done:
        if state.removing:
            bars("Waiting until no process uses the old vectors", 0, 0)
        else:
            most = max(most, state.left or 0)
            bars("Making vectors", most - (state.left or 0), most)
        await asyncio.sleep(LOOK_SECONDS)
        if await has_failed(runtime.graph):
            raise Unavailable("the job that makes the vectors has failed for good; the log says why; run this again")
        state = await progress(runtime.graph) or state
    return state
