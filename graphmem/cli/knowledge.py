"""Commands over the graph's content."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, ResourceOption, app, command, ready, settings
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.ingest.files import FolderIngested

WHOLE_GRAPH_SECONDS = 600.0
"""How long a statement may run that looks at every node."""


@command(app, "ingest")
async def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Folders or files.")],
    resource: ResourceOption = None,
    dry_run: Annotated[bool, typer.Option(help="Tell what would be done.")] = False,
    as_json: Json = False,
) -> None:
    """Take in Markdown and text files: headings to notes, links to edges. The same again changes nothing."""
    from graphmem.ingest.files import check_distinct, ingest_folder

    if absent := [str(path) for path in paths if not path.exists()]:
        raise InvalidInput(f"there is nothing at {', '.join(absent)}", field="paths")
    check_distinct(paths)
    reports = []
    async with ready(embedder="off" if dry_run else "wanted") as (runtime, principal):
        with console.bars() as bars:
            for path in paths:
                done = await ingest_folder(
                    runtime.graph, principal, path, resource=resource, dry_run=dry_run,
                    tell=lambda done, total, _: bars("Ingesting files", done, total),
                )  # fmt: skip
                reports.append((path, done))
            if not dry_run:
                bars("Making vectors and links", 0, 0)
                await runtime.worker.drain(3600)
    _show_ingested(reports, as_json)
    if any(done.failed for _, done in reports):
        raise typer.Exit(1)


def _show_ingested(reports: Iterable[tuple[Path, FolderIngested]], as_json: bool) -> None:
    rows: list[dict[str, Any]] = []
    remarks: list[dict[str, Any]] = []
    for path, done in reports:
        counted = {name: done.count(name) for name in ("created", "updated", "unchanged", "archived")}
        rows.append({"path": str(path), "files": len(done.files), **counted, "failed": len(done.failed)})
        warnings = [*done.warnings, *(warning.message for file in done.files for warning in file.warnings)]
        remarks.append({"warnings": warnings, "failed": [{"path": at, "reason": reason} for at, reason in done.failed]})
    console.show([row | more for row, more in zip(rows, remarks, strict=True)], as_json, rows)
    for more in remarks:
        for line in [*more["warnings"], *(f"{one['path']}: {one['reason']}" for one in more["failed"])]:
            console.err.print(console.printable(line), markup=False)


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
