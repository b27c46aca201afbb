"""A folder that is ingested again: what it costs, what is gone, what was broken off."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput, Unavailable
from graphmem.graph.gateway import Graph, Transaction
from graphmem.graph.trips import count_trips
from graphmem.ingest import library
from graphmem.ingest.files import PATIENCE, ingest_folder
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import Tenant
from tests.factories import principal
from tests.ingest.support import discard_jobs, stored
from tests.ingest.test_files import FILES, KEYS, counts, take_in, warnings, write

OLD = "guide/setup.md"


async def test_many_files_cost_few_trips_and_unchanged_ones_fewer(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    for at in range(300):
        write(tmp_path, **{f"d{at % 7}__note {at}_md": f"# Note {at}\n\nText {at}. See [next](note%20{at + 7}.md).\n"})
    with count_trips() as trips:
        assert counts(await take_in(graph, tenant, tmp_path)) == {"created": 300}
    assert trips.count <= 60
    with count_trips() as trips:
        done = await take_in(graph, tenant, tmp_path)
    assert (done.same, counts(done)) == (300, {"unchanged": 300})
    assert trips.count == 2
    write(tmp_path, **{"d0__note 0_md": "# Note 0\n\nChanged.\n"})
    with count_trips() as trips:
        done = await take_in(graph, tenant, tmp_path)
    assert (done.same, counts(done)) == (299, {"updated": 1, "unchanged": 299})
    assert trips.count < 20
    await discard_jobs(graph, tenant)


async def test_a_file_alone_keeps_its_links_to_others(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    root = write(tmp_path, a_md="# A\n\nSee [b](b.md#part).\n", b_md="# B\n\nWords.\n\n## Part\n\nMore.\n")
    await take_in(graph, tenant, root)
    links = (await stored(graph, tenant)).links
    write(root, a_md="# A\n\nSee [b](b.md#part) and [c](c.md).\n")
    done = await take_in(graph, tenant, root / "a.md")
    found = await stored(graph, tenant)
    assert (counts(done), warnings(done)) == ({"updated": 1}, [])
    assert set(found.links) == set(links) == {("a.md", "b.md#part"), ("b.md", "b.md#part")}
    await take_in(graph, tenant, write(root, c_md="# C\n\nIt came.\n") / "c.md")
    assert set((await stored(graph, tenant)).links) == {*links, ("a.md", "c.md")}
    await discard_jobs(graph, tenant)


async def test_an_unchanged_file_whose_link_leads_somewhere_else_now_is_stored_anew(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    await take_in(graph, tenant, write(tmp_path, a_md="# A\n\nSee [[B]].\n"))
    done = await take_in(graph, tenant, write(tmp_path, b_md="# B\n\ntext\n"))
    assert done.same == 0
    assert set((await stored(graph, tenant)).links) == {("a.md", "b.md")}


async def test_what_somebody_wrote_over_a_note_stays_until_the_file_changes_or_all_is_taken_anew(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    await take_in(graph, tenant, write(tmp_path, a_md="# A\n\ntext\n"))
    await remember(graph, principal(tenant), [NodeInput("A", "corrected", id="a.md")])
    assert counts(await take_in(graph, tenant, tmp_path)) == {"unchanged": 1}
    assert (await stored(graph, tenant)).notes["a.md"]["content"] == "corrected"
    assert counts(await take_in(graph, tenant, tmp_path, anew=True)) == {"updated": 1}
    assert (await stored(graph, tenant)).notes["a.md"]["content"] == "text"


async def test_a_file_that_is_gone_is_told_and_its_notes_are_archived_when_asked(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    await take_in(graph, tenant, write(tmp_path, **FILES))
    (tmp_path / OLD).unlink()
    told = await take_in(graph, tenant, tmp_path)
    assert [(one.path, one.renamed) for one in told.gone] == [(OLD, None)]
    assert (await stored(graph, tenant)).having("active") == KEYS
    assert counts(await take_in(graph, tenant, tmp_path, prune=True, dry_run=True))["archived"] == 2
    assert (await stored(graph, tenant)).having("active") == KEYS
    assert counts(await take_in(graph, tenant, tmp_path, prune=True))["archived"] == 2
    found = await stored(graph, tenant)
    assert found.having("archived") == {OLD, f"{OLD}#price"}
    assert set(found.links) == {("index.md", "guide/faq.md")}
    assert (await take_in(graph, tenant, tmp_path, prune=True)).gone == [], "it is archived once"
    done = await take_in(graph, tenant, write(tmp_path, **FILES))
    assert counts(done)["updated"] == 2
    assert (await stored(graph, tenant)).having("active") == KEYS


async def test_a_renamed_file_is_told_with_its_new_name(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    await take_in(graph, tenant, write(tmp_path, **FILES))
    (tmp_path / "notes.txt").rename(tmp_path / "words.txt")
    done = await take_in(graph, tenant, tmp_path, prune=True)
    assert [(one.path, one.renamed) for one in done.gone] == [("notes.txt", "words.txt")]
    assert (await stored(graph, tenant)).having("archived") == {"notes.txt"}


async def test_a_folder_inside_or_beside_prunes_nothing_of_another(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    one, other = write(tmp_path / "one", **FILES), write(tmp_path / "other", z_md="# Z\n\ntext\n")
    await take_in(graph, tenant, one)
    for root in (one / "guide", other):
        assert (await take_in(graph, tenant, root, prune=True)).gone == []
    assert (await stored(graph, tenant)).having("archived") == set()


async def test_a_customers_folder_prunes_only_what_is_about_the_customer(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    await take_in(graph, tenant, write(tmp_path, a_md="# A\n\na\n", b_md="# B\n\nb\n"))
    await take_in(graph, tenant, tmp_path, resource="ann")
    (tmp_path / "b.md").unlink()
    assert counts(await take_in(graph, tenant, tmp_path, resource="ann", prune=True))["archived"] == 1
    notes = (await stored(graph, tenant)).notes.values()
    assert {note["resource"] for note in notes if note["status"] == "archived"} == {"ann"}


async def test_a_file_that_cannot_be_read_any_more_is_not_gone(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    await take_in(graph, tenant, write(tmp_path, a_md="# A\n\na\n", d__b_md="# B\n\nb\n", c_md="# C\n\nc\n"))
    (tmp_path / "a.md").write_bytes(b"# A\n\n\xff\n")
    (tmp_path / "c.md").unlink()
    os.mkfifo(tmp_path / "c.md")
    (tmp_path / "d").rename(tmp_path / "elsewhere")
    (tmp_path / "d").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    done = await take_in(graph, tenant, tmp_path, prune=True)
    assert (done.gone, [path for path, _ in done.failed]) == ([], ["a.md"])
    assert (await stored(graph, tenant)).having("archived") == set()


@pytest.mark.parametrize("place", ["", "notes.txt"])
async def test_prune_refuses_an_empty_folder_and_a_file(
    graph: Graph, tenant: Tenant, tmp_path: Path, place: str
) -> None:
    await take_in(graph, tenant, write(tmp_path / "root", **FILES))
    (tmp_path / "root").rename(tmp_path / "away")
    (tmp_path / "root").mkdir()
    write(tmp_path / "root", **({place: "words"} if place else {}))
    with pytest.raises(InvalidInput, match="prune needs the folder"):
        await take_in(graph, tenant, tmp_path / "root" / place, prune=True)


async def test_a_document_that_another_folder_had_is_told(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, README_md=f"# {name}\n\ntext\n")
    assert (await take_in(graph, tenant, tmp_path / "one")).warnings == []
    warned = (await take_in(graph, tenant, tmp_path / "two")).warnings
    assert warned == ["a document last came from another folder, as 'README.md'"]


async def test_what_does_not_fit_in_memory_is_read_twice_and_comes_to_the_same(
    graph: Graph, tenant: Tenant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library.Library.__init__, "__kwdefaults__", {"kept": 40})
    monkeypatch.setattr(library, "PART_CHARACTERS", 50)
    assert counts(await take_in(graph, tenant, write(tmp_path, **FILES))) == {"created": 5}
    assert len((await stored(graph, tenant)).links) == 5


async def test_a_folder_is_read_no_further_when_nobody_waits_for_it(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    loop, begun, go, read = asyncio.get_running_loop(), asyncio.Event(), threading.Event(), []

    def reading(at: int, _: int) -> None:
        read.append(at)
        loop.call_soon_threadsafe(begun.set)
        go.wait(60)

    taking = asyncio.create_task(ingest_folder(graph, principal(tenant), write(tmp_path, **FILES), reading=reading))
    await begun.wait()
    taking.cancel()
    await asyncio.wait([taking])
    go.set()
    assert counts(await take_in(graph, tenant, tmp_path)) == {"created": 5}
    assert read == [1]


def test_a_file_that_changes_between_the_two_looks_is_left_for_the_next_time(tmp_path: Path) -> None:
    write(tmp_path, a_md="# A\n\na\n")
    shelf = library.Library(library_files(tmp_path), None, kept=0)
    write(tmp_path, a_md="# A\n\nb\n")
    (part,) = shelf.parts()
    assert shelf.prepare(part) == ([], [("a.md", "changed while the folder was read; ingest it again")])


def library_files(root: Path) -> list[library.FoundFile]:
    return [library.FoundFile(path.name, path, path.stat().st_size) for path in sorted(root.iterdir())]


class Away(Graph):
    """Neo4j takes no writes."""

    tries = 0

    async def write(self, work):  # type: ignore[no-untyped-def]
        async def refuse(_: Transaction) -> None:
            raise Unavailable("Neo4j does not answer")

        self.tries += 1
        return await super().write(refuse)


async def test_the_rest_is_not_tried_once_neo4j_is_away(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    away = Away(graph.driver, graph.settings, graph.statements)
    for at in range(10):
        write(tmp_path, **{f"{at}_md": f"# {at}\n\ntext {at}\n"})
    done = await take_in(away, tenant, tmp_path)
    assert away.tries == PATIENCE + 1
    reasons = [reason for _, reason in done.failed]
    assert reasons[: PATIENCE + 1] == [
        *["Neo4j does not answer"] * PATIENCE,
        "not tried, because Neo4j does not answer",
    ]
    assert len(reasons) == 10
    assert counts(await take_in(graph, tenant, tmp_path)) == {"created": 10}
