from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import Forbidden, InvalidInput, Unavailable
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ingest.files import FolderIngested, Options, Tell, ingest_folder
from graphmem.values import Scope, Tenant
from tests.factories import principal
from tests.ingest.support import stored
from tests.jobs.support import addressed


def write(root: Path, **files: str | bytes) -> Path:
    """Files by name, `__` for a folder's slash and `_` for the dot before `md`."""
    for name, content in files.items():
        path = root / name.replace("__", "/").replace("_md", ".md").replace("_txt", ".txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


async def take_in(graph: Graph, tenant: Tenant, root: Path, tell: Tell | None = None, **more: Any) -> FolderIngested:
    return await ingest_folder(graph, principal(tenant), root, Options(**more), tell=tell)


def counts(done: FolderIngested) -> dict[str, int]:
    return {name: done.count(name) for name in ("created", "updated", "unchanged", "archived") if done.count(name)}


def warnings(done: FolderIngested) -> list[str]:
    return [warning.message for file in done.files for warning in file.warnings]


FILES = {
    "index_md": "# Index\n\nSee [setup](guide/setup.md), [[Faq]], [costs](guide/setup.md#price) and [x](gone.md).\n",
    "guide__setup_md": "# Setup\n\nHow to begin.\n\n## Price\n\nNothing. Back to the [index](../index.md).\n",
    "guide__faq_md": "# Questions\n\nNone yet.\n",
    "notes_txt": "Plain words.\n\nMore of them.\n",
}
KEYS = {"index.md", "guide/setup.md", "guide/setup.md#price", "guide/faq.md", "notes.txt"}


async def test_a_folder_becomes_notes_with_edges_between_its_files(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    read: list[tuple[int, int]] = []
    done = await ingest_folder(
        graph, principal(tenant), write(tmp_path, **FILES),
        tell=lambda at, of, _: told.append((at, of)), reading=lambda at, of: read.append((at, of)),
    )  # fmt: skip
    assert [file.path for file in done.files] == ["guide/faq.md", "guide/setup.md", "index.md", "notes.txt"]
    assert sorted(told) == read == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert (counts(done), done.failed, done.warnings) == ({"created": 5}, [], [])
    assert warnings(done) == ["index.md: link to 'gone.md' leads nowhere"]
    found = await stored(graph, tenant)
    assert set(found.notes) == KEYS
    assert found.media["notes.txt"] == "text/plain"
    assert set(found.links) == {
        ("guide/setup.md", "guide/setup.md#price"),
        ("index.md", "guide/setup.md"),
        ("index.md", "guide/setup.md#price"),
        ("index.md", "guide/faq.md"),
        ("guide/setup.md#price", "index.md"),
    }
    assert found.pending == set()


async def test_the_same_folder_again_changes_nothing(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    root = write(tmp_path, **FILES)
    await take_in(graph, tenant, root)
    before = await stored(graph, tenant)
    assert counts(await take_in(graph, tenant, root)) == {"unchanged": 5}
    assert await stored(graph, tenant) == before


async def test_a_file_that_was_emptied_loses_its_notes(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    root = write(tmp_path, **FILES)
    await take_in(graph, tenant, root)
    write(tmp_path, guide__setup_md=" \n")
    done = await take_in(graph, tenant, root)
    assert counts(done) == {"unchanged": 3, "archived": 2}
    assert "guide/setup.md: no text" in warnings(done)
    found = await stored(graph, tenant)
    assert found.having("active") == KEYS - {"guide/setup.md", "guide/setup.md#price"}
    assert set(found.links) == {("index.md", "guide/faq.md")}
    write(tmp_path, **FILES)
    assert counts(await take_in(graph, tenant, root)) == {"unchanged": 3, "updated": 2}
    assert (await stored(graph, tenant)).having("active") == KEYS


async def test_a_renamed_file_is_a_new_document_and_its_twin_is_told(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    root = write(tmp_path, **FILES)
    await take_in(graph, tenant, root)
    (tmp_path / "guide" / "faq.md").rename(tmp_path / "guide" / "questions.md")
    done = await take_in(graph, tenant, root)
    assert counts(done) == {"created": 1, "unchanged": 4}
    assert "'guide/questions.md' has the same text as 'guide/faq.md'" in warnings(done)
    found = await stored(graph, tenant)
    assert found.having("active") == KEYS | {"guide/questions.md"}
    assert ("index.md", "guide/faq.md") not in found.links, "the page it named is no more"


async def test_one_bad_file_does_not_stop_the_others(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    root = write(tmp_path, **FILES, latin_md=b"# Caf\xe9\n", binary_md=b"\0\1\2", notes__empty_md=b"")
    long = tmp_path / "/".join(["deep" * 10] * 5)
    write(long, deep_md="# Deep\n\ntext\n")
    done = await take_in(graph, tenant, root)
    assert counts(done) == {"created": 5}
    path = (long / "deep.md").relative_to(tmp_path).as_posix()
    assert done.failed == [
        (path, f"path has {len(path)} characters; at most 190 (max_path), so shorten it or split it"),
        ("latin.md", "byte 5 (0xe9) is not UTF-8; save the file as UTF-8"),
    ]
    assert done.warnings == ["binary.md: a NUL in the first 8192 bytes: not a text file; left out"]


async def test_a_file_that_the_graph_refuses_is_told_and_the_others_are_stored(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    small = Graph(graph.driver, graph.settings.model_copy(update={"max_nodes": 1}), graph.statements)
    large = "# Large\n\n" + "".join(f"## S{n}\n\ntext {n}\n\n" for n in range(10))
    done = await take_in(small, tenant, write(tmp_path, **FILES, large_md=large))
    assert counts(done) == {"created": 5}
    assert [path for path, _ in done.failed] == ["large.md"]
    assert "11 entries; at most 10" in done.failed[0][1]
    assert set((await stored(graph, tenant)).documents) == {file.path for file in done.files}


async def test_a_dry_run_leaves_nothing(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    assert counts(await take_in(graph, tenant, write(tmp_path, **FILES), dry_run=True)) == {"created": 5}
    found = await stored(graph, tenant)
    assert (found.documents, found.notes, found.pending) == ({}, {}, set())


async def test_a_customers_folder_links_within_itself(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    root = write(tmp_path, **FILES)
    await take_in(graph, tenant, root)
    done = await take_in(graph, tenant, root, resource="ann")
    assert counts(done) == {"created": 5}
    found = await stored(graph, tenant)
    own = {uid for uid, note in found.notes.items() if note["resource"] == "ann"}
    assert len(own) == 5
    assert len([ends for ends in found.links if set(ends) <= own]) == 5
    assert len(found.links) == 10


async def test_a_bound_key_or_one_that_reads_is_held_to_its_bounds(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    root = write(tmp_path, **FILES)
    await ingest_folder(graph, principal(tenant, Scope.WRITE, resource="ann"), root)
    assert {note["resource"] for note in (await stored(graph, tenant)).notes.values()} == {"ann"}
    with pytest.raises(Forbidden):
        await ingest_folder(graph, principal(tenant, Scope.WRITE, resource="ann"), root, Options("bob"))
    with pytest.raises(Forbidden):
        await ingest_folder(graph, principal(tenant, Scope.READ), root)


async def test_a_single_file_is_taken_in_alone(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    write(tmp_path, **FILES)
    assert counts(await take_in(graph, tenant, tmp_path / "notes.txt")) == {"created": 1}
    assert set((await stored(graph, tenant)).documents) == {"notes.txt"}


async def test_a_folder_that_is_not_there_is_refused(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot ingest"):
        await take_in(graph, tenant, tmp_path / "absent")


async def test_names_of_emoji_and_other_scripts_are_kept(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    (tmp_path / "📁").mkdir()
    (tmp_path / "📁" / "ノート 🛰️.md").write_text("# 🛰️\n\nSee [[שלום]].\n", encoding="utf-8")
    (tmp_path / "שלום.md").write_text("# שלום\n\n🎉\n", encoding="utf-8")
    assert counts(await take_in(graph, tenant, tmp_path)) == {"created": 2}
    assert set((await stored(graph, tenant)).links) == {("📁/ノート 🛰️.md", "שלום.md")}


class Refusing(Graph):
    """Neo4j is gone while documents whose path has `at` in it are written."""

    at = ""

    async def write(self, work):  # type: ignore[no-untyped-def]
        async def cut(tx: Transaction):  # type: ignore[no-untyped-def]
            return await work(Cut(self, tx))

        return await super().write(cut)


class Cut(Transaction):
    def __init__(self, graph: Refusing, inner: Transaction) -> None:
        self.graph, self.inner = graph, inner
        self.refuses = False

    async def run(self, name: str, /, **params):  # type: ignore[no-untyped-def]
        if name == "ingest/take_documents":
            self.refuses = any(self.graph.at in row["path"] for row in params["rows"])
        if self.refuses and name == "ingest/link_documents":
            raise Unavailable("Neo4j does not answer")
        return await self.inner.run(name, **params)


async def test_a_document_whose_transaction_fails_is_left_as_it_was_and_made_good_later(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    root = write(tmp_path, **FILES)
    refusing = Refusing(graph.driver, graph.settings, graph.statements)
    refusing.at = "setup"
    done = await take_in(refusing, tenant, root)
    assert done.failed == [("guide/setup.md", "Neo4j does not answer")]
    found = await stored(graph, tenant)
    assert set(found.notes) == KEYS - {"guide/setup.md", "guide/setup.md#price"}
    assert found.pending == {("index.md", "guide/setup.md"), ("index.md", "guide/setup.md#price")}
    assert counts(await take_in(graph, tenant, root)) == {"created": 2, "unchanged": 3}
    found = await stored(graph, tenant)
    assert (len(found.links), found.pending) == (5, set())


@asynccontextmanager
async def process(graph: Graph, tenant: Tenant, root: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    here = addressed(graph.settings)
    assert here.neo4j_uri is not None
    assert here.neo4j_password is not None
    environment = os.environ | {
        "GRAPHMEM_MAX_NODES": "4",
        "GRAPHMEM_NEO4J_URI": here.neo4j_uri,
        "GRAPHMEM_NEO4J_PASSWORD": here.neo4j_password.get_secret_value(),
    }
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.ingest.process", tenant, str(root), env=environment,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


def book(root: Path) -> Path:
    """Twenty pages that name one another."""
    for n in range(20):
        links = " ".join(f"[{m}](page{m}.md)" for m in range(n - 3, n + 4) if 0 <= m < 20)
        write(root, **{f"page{n}_md": f"# Page {n}\n\nText {n}. {links}\n\n## More\n\nOf {n}.\n"})
    return root


async def test_two_processes_on_one_folder_at_once_store_it_once(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    root = book(tmp_path)
    async with process(graph, tenant, root) as one, process(graph, tenant, root) as two:
        assert [await one.wait(), await two.wait()] == [0, 0]
    found = await stored(graph, tenant)
    assert (len(found.notes), len(found.documents)) == (40, 20)
    assert {note["version"] for note in found.notes.values()} == {1}
    assert found.pending == set()
    assert counts(await take_in(graph, tenant, root)) == {"unchanged": 40}
    assert (await stored(graph, tenant)).links == found.links


async def test_what_was_killed_midway_comes_to_the_same_when_it_is_repeated(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    root = book(tmp_path)
    async with process(graph, tenant, root) as victim:
        assert victim.stdout is not None
        assert await victim.stdout.readline() == b"1\n"
        victim.kill()
        await victim.wait()
    assert not (await take_in(graph, tenant, root)).failed
    found = await stored(graph, tenant)
    whole = Tenant(f"{tenant} whole")
    await take_in(graph, whole, root)
    expected = await stored(graph, whole)
    assert (found.documents, found.links, found.pending) == (expected.documents, expected.links, set())
    assert {uid: note["content"] for uid, note in found.notes.items()} == {
        uid: note["content"] for uid, note in expected.notes.items()
    }
