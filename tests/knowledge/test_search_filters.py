"""A search finds what passes its filter, however little that is and however much else is nearer to the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.knowledge.archive import archive
from graphmem.knowledge.as_of import ONCE_TRUE
from graphmem.knowledge.listing import Filter
from graphmem.knowledge.remember import remember
from graphmem.knowledge.retract import retract
from graphmem.knowledge.search import Mode, SearchInput
from graphmem.knowledge.search_as_of import search
from graphmem.knowledge.supersede import supersede
from graphmem.runtime import Runtime
from graphmem.values import EdgeType, KnowledgeType, Status, Tenant, utc_now
from tests.conftest import Settle
from tests.factories import edge, node, principal, related
from tests.knowledge.support import hit, ids

DAY = timedelta(days=1)
START = datetime(2024, 1, 1, tzinfo=UTC)
CANDIDATES = 20
TYPES = (KnowledgeType.FACT, KnowledgeType.CONCEPT)


@dataclass(frozen=True)
class Told:
    """What a filter asks of a node."""

    status: Status
    type: KnowledgeType
    created: datetime

    def passes(self, wanted: Filter) -> bool:
        return (
            self.status in wanted.statuses
            and (not wanted.types or self.type in wanted.types)
            and (wanted.created_from is None or wanted.created_from <= self.created)
            and (wanted.created_to is None or self.created < wanted.created_to)
        )


@pytest.fixture
def short(graph: Graph) -> Graph:
    """The graph with short lists of candidates, so that what does not pass would crowd out what does."""
    limits = {"candidates": CANDIDATES, "exact_cap": 80, "max_top_k": 1000, "max_hits": 1000}
    found = Graph(graph.driver, graph.settings.model_copy(update=limits), graph.statements)
    found.generation, found.dimension = graph.generation, graph.dimension
    return found


async def live(graph: Graph, tenant: Tenant, settle: Settle, random: Random) -> list[tuple[datetime, dict[str, Told]]]:
    """Nodes that all have the word, made and taken out of use; what was so after each of two days' work."""
    who, now = principal(tenant), dict[str, Told]()
    moments = []
    for first, last in ((0, 100), (100, 120)):
        made = {
            f"n{at:03}": Told(
                Status.DRAFT if random.random() < 0.1 else Status.ACTIVE, random.choice(TYPES),
                START + random.randrange(40) * DAY / 2,
            )
            for at in range(first, last)
        }  # fmt: skip
        given = [
            node(uid, content="tea " + "and more " * random.randrange(9), type=told.type, status=told.status,
                 created_at=told.created)
            for uid, told in made.items()
        ]  # fmt: skip
        await remember(graph, who, given)
        now |= made
        await settle()
        some = random.sample([uid for uid, told in now.items() if told.status is Status.ACTIVE], 12)
        for uid in some[:3]:
            await retract(graph, who, uid)
        for uid in some[3:6]:
            await archive(graph, who, uid)
        for old, new in zip(some[6:9], some[9:], strict=True):
            await supersede(graph, who, old, new)
        for at, uid in enumerate(some[:9]):
            now[uid] = replace(now[uid], status=(Status.RETRACTED, Status.ARCHIVED, Status.SUPERSEDED)[at // 3])
        await settle()
        moments.append((utc_now(), dict(now)))
    return moments


def some_filter(random: Random) -> Filter:
    statuses: Sequence[Status] = random.choice([[Status.ACTIVE], random.sample(list(Status), random.randint(1, 3))])
    days = sorted(random.randrange(-4, 44) for _ in "ab")
    start, end = (random.choice([None, START + day * DAY / 2]) for day in days)
    return Filter(statuses=statuses, created_from=start, created_to=end, types=random.choice([(), (), TYPES[:1]]))


@pytest.mark.parametrize("seed", range(3))
async def test_a_filter_lets_through_what_a_look_at_every_node_would(
    short: Graph, runtime: Runtime, tenant: Tenant, settle: Settle, seed: int
) -> None:
    random = Random(seed)
    (then, past), (_, present) = await live(short, tenant, settle, random)
    few = 0
    for _ in range(12):
        wanted = some_filter(random)
        for at, world in ((None, present), (then, past)):
            passing = {uid for uid, told in world.items() if told.passes(wanted)}
            few += 0 < len(passing) <= CANDIDATES
            for mode in Mode:
                asked = SearchInput(query="tea", mode=mode, wanted=wanted, expand=False, top_k=1000, limit=1000)
                found = set(ids(await search(short, runtime.embedding, View(tenant).at(at, None), asked)))
                assert found <= passing, (wanted, at, mode)
                assert len(found) >= min(len(passing), CANDIDATES), (wanted, at, mode)
    assert few > 5


@pytest.fixture
async def crowd(graph: Graph, tenant: Tenant, settle: Settle) -> Mapping[str, Filter]:
    """Three nodes, for each of several filters, among two hundred that are nearer to the question."""
    who = principal(tenant)
    far = "tea and much else besides"
    hour = START + timedelta(minutes=30)
    few = [node(f"draft{at}", f"Few {at}", far, status=Status.DRAFT) for at in range(3)]
    few += [node(f"old{at}", f"Few {at}", far) for at in range(3)]
    few += [node(f"hour{at}", f"Few {at}", far, created_at=hour + timedelta(microseconds=at)) for at in range(3)]
    await remember(graph, who, few)
    near = [node(f"near{at}", f"Near {at}", "tea", created_at=hour + timedelta(minutes=at - 100)) for at in range(200)]
    await remember(graph, who, [one for one in near if one.created_at != hour])
    await settle()
    for at in range(3):
        await supersede(graph, who, f"old{at}", "near0")
    return {
        "draft": Filter(statuses=[Status.DRAFT]),
        "old": Filter(statuses=[Status.SUPERSEDED]),
        "hour": Filter(created_from=hour, created_to=hour + timedelta(microseconds=3)),
    }


@pytest.mark.parametrize("mode", list(Mode))
async def test_three_nodes_are_found_among_many_that_are_nearer(
    short: Graph, runtime: Runtime, tenant: Tenant, crowd: Mapping[str, Filter], mode: Mode
) -> None:
    for name, wanted in crowd.items():
        for at in (None, utc_now()):
            asked = SearchInput(query="tea", mode=mode, wanted=wanted, top_k=10, max_depth=0)
            found = await search(short, runtime.embedding, View(tenant).at(at, None), asked)
            assert sorted(ids(found)) == [f"{name}{number}" for number in range(3)], (name, at)


@pytest.mark.parametrize("mode", list(Mode))
async def test_of_many_that_pass_the_nearest_comes_first(
    graph: Graph, runtime: Runtime, tenant: Tenant, store: Any, mode: Mode
) -> None:
    """More than are compared one by one; the nearest was made last."""
    await store([node(f"n{at}", f"Drink {at}", "tea and much else besides", tags=["x"]) for at in range(40)])
    await store([node("near", "Tea", "tea tea", tags=["x"])])
    few = Graph(graph.driver, graph.settings.model_copy(update={"exact_cap": 10}), graph.statements)
    few.generation, few.dimension = graph.generation, graph.dimension
    for wanted in (Filter(created_from=START), Filter(tags=["x"])):
        asked = SearchInput(query="tea", mode=mode, wanted=wanted)
        assert ids(await search(few, runtime.embedding, View(tenant), asked))[0] == "near"


@pytest.mark.parametrize("mode", list(Mode))
async def test_a_successor_comes_only_where_it_passes(
    graph: Graph, tenant: Tenant, store: Any, find: Any, mode: Mode
) -> None:
    await store([
        node("old", "Nightly export", "The export runs as a cron job", created_at=START),
        node("new", "Data sync", "Records are streamed", created_at=START + DAY),
    ])  # fmt: skip
    await supersede(graph, principal(tenant), "old", "new")
    for wanted, expected in (
        (Filter(created_to=START + 2 * DAY), ["new"]),
        (Filter(created_to=START + DAY), []),
        (Filter(statuses=[Status.DRAFT]), []),
    ):
        found = await find("cron export", mode=mode, wanted=wanted)
        assert ids(found) == expected
        assert all(hit(found, uid).rank.replaces == ("old",) for uid in expected)


async def test_statuses_say_which_nodes_take_part_in_expansion_and_a_date_does_not(store: Any, find: Any) -> None:
    await store(
        [
            node("a", "Alder", "111", status=Status.DRAFT, created_at=START), node("b", "Birch", "222"),
            node("c", "Cedar", "333", status=Status.DRAFT), node("d", "Dogwood", "444", created_at=START),
        ],
        [*related("a", "b"), *related("a", "c"), *related("d", "b")],
    )  # fmt: skip
    drafts = await find("alder", wanted=Filter(statuses=[Status.DRAFT]))
    assert set(ids(drafts)) == {"a", "c"}
    assert {(start, end) for start, end, _ in drafts.edges} == {("a", "c")}
    assert set(ids(await find("dogwood", wanted=Filter(created_to=START + DAY)))) == {"d", "b"}
    both = await find("alder", wanted=Filter(statuses=[Status.ACTIVE, Status.DRAFT]), top_k=1)
    assert set(ids(both)) == {"a", "b", "c"}


async def test_how_many_notes_there_are_is_not_counted_by_the_statuses_of_one_search(
    graph: Graph, runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    """The count weighs words, and is remembered for searches to come."""
    more = "and much else besides " * 9
    given = [
        node("a", "Aspen", "aspen, see Beech"),
        node("b", "Beech", f"lichen {more}"),
        node("c", "Cold", f"frost {more}"),
    ]
    given += [node(f"n{at}", f"Plate {at}x", "oak and ash") for at in range(40)]
    edges = [edge("c", EdgeType.SUPERSEDES, f"n{at}") for at in range(40)]
    weights = []
    for owner, before in ((tenant, [ONCE_TRUE]), (Tenant(f"{tenant} other"), [])):
        await remember(graph, principal(owner), given, edges)
        await settle(owner)
        for statuses in (*before, (Status.ACTIVE,)):
            asked = SearchInput("aspen lichen frost", mode=Mode.TEXT, top_k=1, wanted=Filter(statuses=statuses))
            found = await search(graph, runtime.embedding, View(owner), asked)
        weights.append(hit(found, "b").rank.graph)
    assert weights[0] == pytest.approx(weights[1])
    assert weights[0] > 0


async def test_an_interval_that_stands_upside_down_is_refused(
    graph: Graph, runtime: Runtime, tenant: Tenant, find: Any
) -> None:
    for at in (None, utc_now()):
        asked = SearchInput("tea", wanted=Filter(created_from=START + DAY, created_to=START))
        with pytest.raises(InvalidInput, match="createdTo must not be before createdFrom") as refused:
            await search(graph, runtime.embedding, View(tenant).at(at, None), asked)
        assert refused.value.field == "createdTo"
    with pytest.raises(InvalidInput, match="createdFrom needs a time zone"):
        await find("tea", wanted=Filter(created_from=START.replace(tzinfo=None)))
    assert ids(await find("tea", wanted=Filter(created_from=START, created_to=START))) == []
