"""The graph is the same in whatever order, and whichever way, files come."""

from __future__ import annotations

import asyncio
import os
from itertools import permutations
from pathlib import Path

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.ingest.support import Stored, discard_jobs, stored
from tests.ingest.support import take_in as take_text
from tests.ingest.test_files import counts, take_in, write

LINKED = {
    "a_md": "# A\n\n[[Bee]], [part](bee.md#part), [none](bee.md#absent).\n\n## One\n\nOn [[c#two]], [gone](x.md).\n",
    "bee_md": "# B\n\nSee [[A#One]], [[No Page]].\n\n## Part\n\nTo [a](./a.md) and [[C#Absent]].\n",
    "c_md": "# C\n\nSee [a](a.md#One), [top](a.md#absent).\n\n## Two\n\nBack to [[bee#part]], and [here](#gone).\n",
}
NAMES = ("a.md", "bee.md", "c.md")
LINKS = {
    ("a.md", "a.md#one"): "section",
    ("a.md", "bee.md"): "link",
    ("a.md", "bee.md#part"): "link",
    ("a.md#one", "c.md#two"): "link",
    ("bee.md", "bee.md#part"): "section",
    ("bee.md", "a.md#one"): "link",
    ("bee.md#part", "a.md"): "link",
    ("bee.md#part", "c.md"): "link",
    ("c.md", "c.md#two"): "section",
    ("c.md", "a.md#one"): "link",
    ("c.md", "a.md"): "link",
    ("c.md#two", "bee.md#part"): "link",
    ("c.md#two", "c.md"): "link",
}
ORDERS = [
    *permutations(NAMES),
    (".",),
    *((".", name) for name in NAMES),
    *((name, ".") for name in NAMES),
    ("bee.md", "a.md", ".", "c.md"),
]


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
async def test_files_come_to_the_same_in_any_order_alone_or_together(
    graph: Graph, tenant: Tenant, tmp_path: Path, order: tuple[str, ...]
) -> None:
    write(tmp_path, **LINKED)
    for name in order:
        await take_in(graph, tenant, tmp_path / name)
    found = await stored(graph, tenant)
    assert (found.links, found.pending, len(found.notes)) == (LINKS, set(), 6)
    for again in (".", *NAMES):
        assert set(counts(await take_in(graph, tenant, tmp_path / again))) == {"unchanged"}
    assert (await stored(graph, tenant)).links == LINKS
    await discard_jobs(graph, tenant)


async def test_a_file_alone_that_is_as_it_was_is_not_stored_again(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    write(tmp_path, **LINKED)
    await take_in(graph, tenant, tmp_path)
    for name in NAMES:
        assert (await take_in(graph, tenant, tmp_path / name)).same == 1
    assert (await take_in(graph, tenant, tmp_path)).same == 3


@pytest.mark.parametrize("order", permutations(NAMES), ids=" ".join)
async def test_links_follow_headings_that_come_and_go(
    graph: Graph, tenant: Tenant, tmp_path: Path, order: tuple[str, ...]
) -> None:
    write(tmp_path, **LINKED)
    for name in order:
        await take_in(graph, tenant, tmp_path / name)
    changed = {"bee_md": LINKED["bee_md"].replace("Part", "Absent"), "a_md": LINKED["a_md"].replace("One", "Uno")}
    write(tmp_path, **changed)
    for name in reversed(order):
        await take_in(graph, tenant, tmp_path / name)
    alone = await stored(graph, tenant)
    at_once = Tenant(f"{tenant} at once")
    await take_in(graph, at_once, tmp_path)
    expected = await stored(graph, at_once)
    assert (alone.links, alone.pending) == (expected.links, set())
    assert {("a.md", "bee.md#absent"), ("bee.md", "a.md"), ("c.md#two", "bee.md")} <= set(alone.links)
    write(tmp_path, **LINKED)
    for name in order:
        await take_in(graph, tenant, tmp_path / name)
    assert (await stored(graph, tenant)).links == LINKS


async def test_a_page_name_means_the_file_in_the_fewest_folders_once_that_has_come(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    write(tmp_path, a_md="# A\n\nSee [[Bee]].\n", deep__bee_md="# Deep\n\nBelow.\n")
    await take_in(graph, tenant, tmp_path)
    assert set((await stored(graph, tenant)).links) == {("a.md", "deep/bee.md")}
    await take_in(graph, tenant, write(tmp_path, bee_md="# Bee\n\nAbove.\n") / "bee.md")
    assert set((await stored(graph, tenant)).links) == {("a.md", "bee.md")}
    assert (await take_in(graph, tenant, tmp_path)).same == 2, "a link of the third leads elsewhere now"
    assert set((await stored(graph, tenant)).links) == {("a.md", "bee.md")}
    (tmp_path / "bee.md").unlink()
    await take_in(graph, tenant, tmp_path, prune=True)
    assert set((await stored(graph, tenant)).links) == {("a.md", "deep/bee.md")}


async def test_a_file_that_is_gone_is_linked_to_no_more_by_one_that_comes_alone(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    write(tmp_path, **LINKED)
    await take_in(graph, tenant, tmp_path)
    (tmp_path / "bee.md").unlink()
    await take_in(graph, tenant, tmp_path, dry_run=True)
    assert (await stored(graph, tenant)).links == LINKS
    await take_in(graph, tenant, tmp_path)
    without = (await stored(graph, tenant)).links
    assert ("a.md", "bee.md") not in without
    for name in ("a.md", "c.md"):
        await take_in(graph, tenant, tmp_path / name)
    assert (await stored(graph, tenant)).links == without
    write(tmp_path, **LINKED)
    await take_in(graph, tenant, tmp_path / "bee.md")
    assert (await stored(graph, tenant)).links == LINKS


@pytest.mark.parametrize("told_before", [False, True])
async def test_a_text_of_a_call_is_linked_to_no_note_whose_file_was_pruned(
    graph: Graph, tenant: Tenant, tmp_path: Path, told_before: bool
) -> None:
    write(tmp_path, **LINKED)
    await take_in(graph, tenant, tmp_path)
    await take_text(graph, tenant, "# Elsewhere\n\nSee [[Bee]].\n", "elsewhere.md")
    link = ("elsewhere.md", "bee.md")
    assert link in (await stored(graph, tenant)).links
    (tmp_path / "bee.md").unlink()
    if told_before:
        await take_in(graph, tenant, tmp_path)
    await take_in(graph, tenant, tmp_path, prune=True)
    assert link not in (await stored(graph, tenant)).links
    await take_in(graph, tenant, write(tmp_path, **LINKED))
    assert link in (await stored(graph, tenant)).links


async def test_texts_that_come_by_a_call_find_pages_and_headings_that_come_later(graph: Graph, tenant: Tenant) -> None:
    texts = {name.replace("_", "."): text for name, text in LINKED.items()}
    seen: list[Stored] = []
    for number, order in enumerate(permutations(NAMES)):
        one = Tenant(f"{tenant} {number}")
        for name in order:
            await take_text(graph, one, texts[name], name)
        seen.append(await stored(graph, one))
    assert {frozenset(one.pending) for one in seen} == {frozenset({("a.md#one", "x.md")})}
    assert all(one.links == LINKS for one in seen)


async def test_customers_documents_and_other_tenants_are_not_linked_to(graph: Graph, tenant: Tenant) -> None:
    for customer in ("ann", "bob", None):
        await take_text(graph, tenant, "# A\n\nSee [[Bee]].\n", "a.md", resource=customer)
    await take_text(graph, Tenant(f"{tenant} other"), "# Bee\n\nText.\n", "bee.md")
    await take_text(graph, tenant, "# Bee\n\nText.\n", "bee.md", resource="ann")
    ((start, end),) = (await stored(graph, tenant)).links
    assert start.endswith(":a.md")
    assert end.partition(":")[0] == start.partition(":")[0]


async def test_texts_that_come_at_once_find_one_another(graph: Graph, tenant: Tenant) -> None:
    texts = {name.replace("_", "."): text for name, text in LINKED.items()}
    for number in range(5):
        one = Tenant(f"{tenant} {number}")
        await asyncio.gather(*(take_text(graph, one, text, name) for name, text in texts.items()))
        assert (await stored(graph, one)).links == LINKS


async def test_a_file_in_a_folder_below_is_the_document_that_it_was(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    root = write(tmp_path / "notes", a_md="# A\n\nSee [[B]].\n", below__further__b_md="# B\n\nTo [a](../../a.md).\n")
    file = root / "below" / "further" / "b.md"
    await take_in(graph, tenant, root)
    before = await stored(graph, tenant)
    assert (await take_in(graph, tenant, file)).same == 1
    assert await stored(graph, tenant) == before
    file.write_text("# B\n\nTo [a](../../a.md), changed.\n")
    done = await take_in(graph, tenant, file)
    assert ([one.path for one in done.files], counts(done)) == (["below/further/b.md"], {"updated": 1})
    assert (await stored(graph, tenant)).links == before.links
    await take_in(graph, tenant, tmp_path / "notes" / "below")
    assert [one.path for one in (await take_in(graph, tenant, file)).files] == ["further/b.md"], "the nearest one"
    assert [one.path for one in (await take_in(graph, tenant, file, resource="ann")).files] == ["b.md"]


async def test_a_file_whose_name_is_no_text_is_refused_alone_as_it_is_left_out_of_a_folder(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    for name in (b"caf\xe9.md", b"caf\xe9.nodes.csv"):
        file = tmp_path / os.fsdecode(name)
        file.write_text("title,content\nA,b\n")
        done = await take_in(graph, tenant, file)
        assert [reason for _, reason in done.failed] == ["a name that is not UTF-8"]
