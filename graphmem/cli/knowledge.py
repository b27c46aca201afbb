"""Commands over the graph's content."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, ResourceOption, app, command, ready
from graphmem.config import Settings
from graphmem.graph.connect import connect
from graphmem.graph.statements import load
from graphmem.ingest.files import ingest_folder
from graphmem.knowledge.search import SearchInput, search
from graphmem.knowledge.vectors import reembed
from graphmem.knowledge.view import View
from graphmem.upkeep.audits import run_audit, run_audits


@command(app, "ingest")
async def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Folders or files.")],
    resource: ResourceOption = None,
    dry_run: Annotated[bool, typer.Option(help="Tell what would be done.")] = False,
    as_json: Json = False,
) -> None:
    """Take in Markdown and text files: headings to notes, links to edges. The same again changes nothing."""
    reports = []
    async with ready(embedder=True) as (runtime, principal):
        with console.bars() as bars:
            for path in paths:
                done = await ingest_folder(
                    runtime.graph,
                    principal,
                    path,
                    resource=resource,
                    dry_run=dry_run,
                    tell=lambda done, total, _: bars("Ingesting files", done, total),
                )
                reports.append((path, done))
            bars("Making vectors and links", 0, 0)
            await runtime.worker.drain(3600)
    counted = ("created", "updated", "unchanged", "archived")
    rows = [
        {"path": str(path), "files": len(done.files), **{name: done.count(name) for name in counted}}
        for path, done in reports
    ]
    remarks = [{"warnings": done.warnings, "failed": done.failed} for _, done in reports]
    console.show([row | more for row, more in zip(rows, remarks, strict=True)], as_json, rows)
    for _, done in reports:
        for line in [*done.warnings, *(f"{path}: {reason}" for path, reason in done.failed)]:
            console.err.print(line, markup=False)
    if any(done.failed for _, done in reports):
        raise typer.Exit(1)


@command(app, "search")
async def search_command(
    text: str,
    depth: Annotated[int, typer.Option(help="How far to follow edges.")] = 1,
    limit: Annotated[int, typer.Option(help="Length of the list.")] = 10,
    resource: ResourceOption = None,
    as_json: Json = False,
) -> None:
    """Search, and say why each node was found."""
    async with ready(embedder=True) as (runtime, principal):
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


@command(app, "cypher")
def cypher(name: Annotated[str | None, typer.Argument(help="As its path below cypher/.")] = None) -> None:
    """Print a statement as it is run, fragments in place; without a name, list them."""
    statements = load()
    if name is None:
        console.show(
            None, False, [{"name": one.name, "kind": one.kind, "about": one.about} for one in statements.values()]
        )
    elif name in statements:
        sys.stdout.write(statements[name].text + "\n")
    else:
        raise typer.BadParameter(f"there is no statement {name!r}; `graphmem cypher` lists them")


@command(app, "audit")
async def audit(
    name: Annotated[str | None, typer.Argument(help="One audit; default: all.")] = None, as_json: Json = False
) -> None:
    """Look for what is wrong in the graph; exits 1 when anything is."""
    async with connect(Settings()) as graph:
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
    async with ready(embedder=True) as (runtime, _):
        queued = await reembed(runtime.graph)
        with console.bars() as bars:
            bars("Making vectors", 0, 0)
            await runtime.worker.drain(24 * 3600)
    console.show({"reembedded": queued}, as_json)
