import asyncio
from datetime import UTC, datetime

import pytest

from graphmem.access.view import View
from graphmem.errors import Forbidden, InvalidInput, LimitExceeded, NotFound, Unavailable, VersionConflict
from graphmem.graph.gateway import Graph
from graphmem.knowledge.get import get
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.values import KnowledgeType, Scope, Source, Status, Tenant
from tests.conftest import Settle
from tests.factories import node, principal, related
from tests.knowledge.support import Broken, counted, open_edges, probing, set_status


async def revisions(graph: Graph, tenant: Tenant, uid: str) -> list[tuple[int, str]]:
    rows = await probing(graph).read("probe/revisions", tenant=tenant, uid=uid)
    return [(row["version"], row["content"]) for row in rows]


async def test_a_change_keeps_what_was_before(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", content="One", tags=["x"])])
    assert (await update(graph, who, "a", Patch(content="Two"))).changed == ("content",)
    done = await update(graph, who, "a", Patch(content="Three", confidence=0.5, type=KnowledgeType.FACT))
    assert (done.version, done.changed) == (3, ("confidence", "content", "type"))
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.content, stored.title, stored.tags, stored.version) == ("Three", "Title of a", ("x",), 3)
    assert await revisions(graph, tenant, "a") == [(1, "One"), (2, "Two")]


async def test_a_change_that_changes_nothing_makes_no_version(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", tags=["x", "y"])])
    done = await update(graph, who, "a", Patch(title="Title of a", tags=("y", "x", "x"), source=Source.DOCS))
    assert (done.version, done.changed) == (1, ())
    assert await revisions(graph, tenant, "a") == []


async def test_an_empty_list_clears_and_what_is_left_out_stays(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", tags=["x"], aliases=["Al"], metadata={"k": 1})])
    await update(graph, who, "a", Patch(tags=()))
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.tags, stored.aliases, stored.metadata) == ((), ("Al",), {"k": 1})


async def test_a_stale_version_is_refused_with_the_current_one(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    await update(graph, who, "a", Patch(content="Two"), expected_version=1)
    for stale in (1, 3, 0, -1):
        with pytest.raises(VersionConflict) as refused:
            await update(graph, who, "a", Patch(content="Lost"), expected_version=stale)
        assert refused.value.details == {"currentVersion": 2}
    assert (await get(graph, View(tenant), ["a"]))["a"].content == "Two"


async def test_changes_at_once_without_a_version_are_all_made(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", content="0")])
    done = await asyncio.gather(*(update(graph, who, "a", Patch(content=f"{at}")) for at in range(1, 51)))
    assert sorted(one.version for one in done) == list(range(2, 52))
    kept = await revisions(graph, tenant, "a")
    assert [version for version, _ in kept] == list(range(1, 51))
    now = (await get(graph, View(tenant), ["a"]))["a"]
    assert now.version == 51
    assert {content for _, content in kept} | {now.content} == {f"{at}" for at in range(51)}


async def test_of_changes_at_once_from_one_version_one_wins(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    done = await asyncio.gather(
        *(update(graph, who, "a", Patch(content=f"{at}"), expected_version=1) for at in range(50)),
        return_exceptions=True,
    )
    won = [at for at, one in enumerate(done) if not isinstance(one, BaseException)]
    assert [type(one) for at, one in enumerate(done) if at not in won] == [VersionConflict] * 49
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.version, stored.content) == (2, f"{won[0]}")


async def test_changes_of_different_fields_at_once_are_all_kept(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    patches = [Patch(title="New"), Patch(content="New"), Patch(tags=("new",)), Patch(confidence=0.1)]
    await asyncio.gather(*(update(graph, who, "a", patch) for patch in patches))
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.title, stored.content, stored.tags, stored.confidence) == ("New", "New", ("new",), 0.1)
    assert stored.version == 5


async def test_a_repeated_key_changes_nothing_a_second_time(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    patch = Patch(content="Two")
    calls = (update(graph, who, "a", patch, expected_version=1, idempotency_key="k") for _ in range(10))
    assert {one.version for one in await asyncio.gather(*calls)} == {2}
    await update(graph, who, "a", Patch(content="Three"))
    assert (await update(graph, who, "a", patch, expected_version=1, idempotency_key="k")).version == 2
    assert (await get(graph, View(tenant), ["a"]))["a"].content == "Three"


async def test_a_trial_run_changes_nothing(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    before = await counted(graph, tenant)
    assert (await update(graph, who, "a", Patch(content="Two"), dry_run=True)).version == 2
    assert await counted(graph, tenant) == before
    assert (await get(graph, View(tenant), ["a"]))["a"].version == 1


async def test_only_a_node_that_is_there_and_seen_is_changed(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("mine", resource="r1")])
    await remember(graph, principal(Tenant(f"{tenant} other")), [node("theirs")])
    said = set()
    for uid in ("nowhere", "mine", "theirs"):
        with pytest.raises(NotFound) as refused:
            await update(graph, who, uid, Patch(content="Two"))
        said.add(refused.value.message.replace(uid, "ID"))
    assert len(said) == 1
    assert (await update(graph, who, "mine", Patch(content="Two"), resource="r1")).version == 2


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        (Patch(title=""), "patch.title"), (Patch(content="\u200b"), "patch.content"),
        (Patch(confidence=float("nan")), "patch.confidence"), (Patch(confidence=-0.1), "patch.confidence"),
        (Patch(tags=("",)), "patch.tags[0]"), (Patch(status=Status.RETRACTED), "patch.status"),
        (Patch(valid_to=datetime(2000, 1, 1, tzinfo=UTC)), "patch.validTo"),
        (Patch(valid_from=datetime(2000, 1, 1)), "patch.validFrom"),
    ],
)  # fmt: skip
async def test_a_bad_patch_is_refused_with_its_field(graph: Graph, tenant: Tenant, patch: Patch, field: str) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    with pytest.raises(InvalidInput) as refused:
        await update(graph, who, "a", patch)
    assert refused.value.field == field
    assert (await get(graph, View(tenant), ["a"]))["a"].version == 1


async def test_a_text_that_is_too_long_is_refused_with_the_limit(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    with pytest.raises(LimitExceeded) as refused:
        await update(graph, who, "a", Patch(content="x" * 1_000_000))
    assert refused.value.details == {"limit": "max_text", "value": 200_000, "actual": 1_000_000}


async def test_a_status_that_a_verb_gave_is_not_taken_away_by_a_patch(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    await set_status(graph, tenant, "a", "retracted")
    with pytest.raises(InvalidInput, match="restore it"):
        await update(graph, who, "a", Patch(status=Status.ACTIVE))
    await update(graph, who, "a", Patch(content="Two"))
    assert (await get(graph, View(tenant), ["a"]))["a"].status is Status.RETRACTED


async def test_a_key_that_may_only_read_changes_nothing(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a")])
    with pytest.raises(Forbidden):
        await update(graph, principal(tenant, Scope.READ), "a", Patch(content="Two"))


async def test_a_change_that_breaks_off_leaves_the_node_as_it_was(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    """B61: wherever it breaks; tests/access/test_changes_failing.py has a line that breaks at the commit."""
    who = principal(tenant)
    await remember(graph, who, [node("a", content="Old"), node("b")], related("a", "b"))
    await settle()

    async def state() -> tuple[object, ...]:
        stored = (await get(graph, View(tenant), ["a"]))["a"]
        vectors = await probing(graph).read("probe/vectors", tenant=tenant, uid="a")
        return stored, vectors, await counted(graph, tenant), await open_edges(graph, View(tenant), "a")

    before = await state()
    for breaks in range(50):
        try:
            done = await update(Broken(graph, breaks), who, "a", Patch(content="New"))
        except Unavailable:
            assert await state() == before
        else:
            break
    assert breaks >= 3
    assert done.version == 2
    stored = (await get(graph, View(tenant), ["a"]))["a"]
    assert (stored.id, stored.content, stored.version) == ("a", "New", 2)
    assert await open_edges(graph, View(tenant), "a") == [("a", "RELATED_TO", "b")]
