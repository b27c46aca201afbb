"""`graphmem ingest`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, ResourceOption, app, command, ready
from graphmem.errors import InvalidInput

if TYPE_CHECKING:
    from graphmem.ingest.files import FolderIngested
    from graphmem.runtime import Runtime
    from graphmem.values import Tenant

FATES = ("created", "updated", "unchanged", "archived")
MAX_GONE = 20
"""Documents without a file that are named one by one."""
MAX_WARNINGS = 50
"""Said of one folder; all are in what `--json` prints."""


def _path(given: str) -> Path:
    if not given.strip():
        raise InvalidInput("a path is empty, as where a variable is unset; name a folder or file", field="paths")
    return Path(given)


@command(app, "ingest")
async def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Folders or files.", parser=_path, metavar="PATH")],
    resource: ResourceOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be done.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Archive notes whose file is gone from the folder.")] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Also what hasn't changed since it was taken in.")] = False,
    skip: Annotated[bool, typer.Option("--skip", help="Pass over bad lines of tables.")] = False,
    as_json: Json = False,
) -> None:
    """Take in Markdown and text files, and tables of nodes and edges (CSV, JSON Lines). The same again changes nothing.

    Stopped half-way, call it again: it goes on. Exits 1 when a file, or a line of a table, could not be taken in.
    """
    from graphmem.ingest.files import Options, check_distinct, ingest_folder
    from graphmem.ingest.rows import OnError

    if absent := [str(path) for path in paths if not path.exists()]:
        raise InvalidInput(f"there is nothing at {', '.join(absent)}", field="paths")
    if len(paths) > 1:
        check_distinct(paths)
    options = Options(resource, dry_run, prune, anew, OnError.SKIP if skip else OnError.ABORT)
    reports = []
    async with ready(embedder="off" if dry_run else "wanted") as (runtime, principal):
        with console.bars() as bars:
            async with _working(runtime, principal.tenant, bars, dry_run=dry_run):
                for path in paths:
                    done = await ingest_folder(
                        runtime.graph, principal, path, options,
                        tell=lambda done, total, _: bars("Ingesting files", done, total),
                        reading=lambda done, total: bars("Reading files", done, total),
                    )  # fmt: skip
                    reports.append((path, done))
    _show(reports, as_json, pruned=prune, dry_run=dry_run)
    if any(done.failed or any(file.skipped for file in done.files) for _, done in reports):
        raise typer.Exit(1)


@asynccontextmanager
async def _working(runtime: Runtime, tenant: Tenant, bars: console.Bars, *, dry_run: bool) -> AsyncIterator[None]:
    """Vectors and links are made while files come in, and to the end afterwards; for others' work nobody waits."""
    if dry_run:
        yield
        return
    stop = asyncio.Event()
    worker = asyncio.create_task(runtime.worker.run(stop, tenant))
    try:
        yield
    finally:
        stop.set()
        await worker
    bars("Making vectors and links", 0, 0)
    await runtime.worker.drain(3600, tenant, lambda done, total: bars("Making vectors and links", done, total))


def _show(reports: Iterable[tuple[Path, FolderIngested]], as_json: bool, *, pruned: bool, dry_run: bool) -> None:
    told: list[dict[str, Any]] = []
    for path, done in reports:
        files = len(done.files) - len(done.gone) * pruned  # what was pruned is no file any more
        notes = {name: done.count(name) for name in FATES}
        warnings = [*done.warnings, *(warning.message for file in done.files for warning in file.warnings)]
        warnings += _gone(done, pruned=pruned)
        failed = [{"path": at, "reason": reason} for at, reason in done.failed]
        gone = [{"path": one.path, "renamed": one.renamed} for one in done.gone]
        counts = {"path": str(path), "files": files, "same": done.same, **notes}
        told.append(counts | {"failed": failed, "warnings": warnings, "gone": gone})
    if as_json:
        console.show(told, as_json)
    for one in told:
        if not as_json:
            console.show(_told(one, dry_run=dry_run), as_json)
        for line in one["warnings"][:MAX_WARNINGS]:
            console.say(line)
        if (more := len(one["warnings"]) - MAX_WARNINGS) > 0:
            console.say(f"{more} more warnings; --json prints all")
        for at in one["failed"]:
            console.say(f"{at['path']}: {at['reason']}")


def _told(one: Mapping[str, Any], *, dry_run: bool) -> str:
    """In words, because files and notes are counted beside one another. Notes of files that are as they were are left
    out: those of a table are not looked at."""
    files = f"{console.counted(one['files'], 'file')} taken in, {one['same']} of them as before"
    notes = ", ".join(f"{one[name]} {name}" for name in FATES if name != "unchanged")
    return f"{one['path']}{' (dry run)' * dry_run}: {files}, {len(one['failed'])} failed; notes: {notes}"


def _gone(done: FolderIngested, *, pruned: bool) -> list[str]:
    fate = "its notes were archived" if pruned else "its notes stay; --prune archives them"
    shown = [
        f"{one.path}: {f'its text is in {one.renamed} now' if one.renamed else 'its file is gone'}; {fate}"
        for one in done.gone[:MAX_GONE]
    ]
    more = len(done.gone) - len(shown)
    return [*shown, f"{more} more documents have no file any more"] if more else shown
