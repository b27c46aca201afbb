"""Commands over the graph's content."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, ResourceOption, app, command, ready, settings
from graphmem.errors import InvalidInput

WHOLE_GRAPH_SECONDS = 600.0
"""How long a statement may run that looks at every node."""


@command(app, "search")
async def search_command(
    text: str,
    depth: Annotated[int, typer.Option(help="How far to follow edges.")] = 1,
    limit: Annotated[int, typer.Option(help="Length of the list.")] = 10,
    resource: ResourceOption = None,
    as_json: Json = False,
) -> None:
    """Search, and say why each node was found."""
    from graphmem.access.view import View
    from graphmem.knowledge.search import SearchInput, search

    async with ready(embedder="wanted") as (runtime, principal):
        wanted = SearchInput(query=text, max_depth=depth, limit=limit, properties=("title",), edges=False)
        found = await search(runtime.graph, runtime.embedding, View.of(principal, resource), wanted)
    rows = [
        {
            "score": round(hit.rank.score, 3),
            "depth": hit.rank.depth,
            "id": hit.node.id,
            "title": hit.node.title,
            "path": " ".join(f"-{step.type}->" if step.forward else f"<-{step.type}-" for step in hit.rank.path),
        }
        for hit in found.hits
    ]
    console.show(rows, as_json, rows)
    for warning in found.warnings:
        console.err.print(console.printable(warning.message), markup=False)


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
    name: Annotated[str | None, typer.Argument(help="One audit; default: all.")] = None, as_json: Json = False
) -> None:
    """Look for what is wrong in the graph; exits 1 when anything is."""
    from graphmem.graph.connect import connect
    from graphmem.upkeep.audits import run_audit, run_audits

    patient = settings().model_copy(update={"statement_timeout": WHOLE_GRAPH_SECONDS})
    async with connect(patient) as graph:
        if name is not None:
            found = {name: await run_audit(graph, name)}
        else:
            found = {audit: rows async for audit, rows in run_audits(graph)}
    rows = [asdict(row) for findings in found.values() for row in findings]
    console.show({audit: [asdict(row) for row in findings] for audit, findings in found.items()}, as_json, rows)
    if not as_json:
        console.out.print(f"{len(found)} audits, {len(rows)} findings")
    if rows:
        raise typer.Exit(1)


@command(app, "reembed")
async def reembed_command(as_json: Json = False) -> None:
    """Make the vectors of all texts anew, with the model that the graph was made with."""
    from graphmem.jobs import counts
    from graphmem.knowledge.vectors import reembed

    async with ready(embedder="needed") as (runtime, _):
        failed = (await counts(runtime.graph))["failed"]
        queued = await reembed(runtime.graph)
        with console.bars() as bars:
            bars("Making vectors", 0, 0)
            await runtime.worker.drain(24 * 3600)
        after = await counts(runtime.graph)
    left = after["ready"] + after["leased"] + after["failed"] - failed
    console.show({"texts": queued, "jobs left": left}, as_json)
    if left > 0:
        raise typer.Exit(1)
