"""`graphmem bench`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, app, command
from graphmem.config import Settings
from graphmem.errors import InvalidInput


@command(app, "bench")
async def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="search, remember, ingest, recall, context, hub, multihop, limit, locomo; default: all."),
    ] = None,
    quick: Annotated[bool, typer.Option(help="Small graphs and few calls: to see that it works.")] = False,
    here: Annotated[bool, typer.Option("--here", help="On the empty Neo4j at GRAPHMEM_NEO4J_URI.")] = False,
    data: Annotated[
        Path | None, typer.Option(envvar="GRAPHMEM_BENCH_DATA", help="Folder of the public sets, for the last three.")
    ] = None,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Tables for docs/benchmarks.md.")] = False,
    as_json: Json = False,
) -> None:
    """Measure speed, beside raw statements on the same server, and recall; exits 1 when a target is missed."""
    runner, report = _part("run"), _part("report")
    console.configure_logging("error")  # loading a graph is slow, and no news; the service logs to a file of its own
    with console.bars() as bars:
        found = await runner.run(Settings(), names or [], bars, quick=quick, here=here, data=data)
    if as_markdown:
        sys.stdout.write(report.markdown(found))
    elif as_json:
        console.show(report.as_json(found), as_json)
    else:
        for rows in (report.machine_rows(found), report.figure_rows(found.figures), report.time_rows(found.times)):
            console.show(None, False, rows)
    if any(figure.met is False for figure in found.figures):
        raise typer.Exit(1)


def _part(name: str) -> Any:
    """A module of the folder `bench/`, which stands beside the package and is not installed with it."""
    try:
        return import_module(f"bench.{name}")
    except ModuleNotFoundError as missing:
        if missing.name not in ("bench", f"bench.{name}"):
            raise
        raise InvalidInput("graphmem bench runs from a checkout of graphmem only") from missing
