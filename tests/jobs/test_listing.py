from __future__ import annotations

import pytest

from graphmem.errors import InvalidInput, LimitExceeded, NotFound
from graphmem.graph.gateway import Graph
from graphmem.jobs import complete, counts, fail, find, jobs
from graphmem.values import Tenant
from tests.jobs.support import everything, new_kind, put, put_many, take


async def test_pages_have_every_job_once_newest_first_though_jobs_are_added(graph: Graph, tenant: Tenant) -> None:
    ids = await put_many(graph, tenant, "k", 7)
    found, after = [], None
    for size in (3, 3, 1):
        page = await jobs(graph, tenant, first=3, after=after)
        await put(graph, tenant, "k")
        assert len(page.items) == size
        assert page.has_next == (size == 3)
        found += [job.id for job in page.items]
        after = page.cursors[-1]
    assert found == ids[::-1]


async def test_jobs_are_filtered_and_counted_by_state_and_kind(graph: Graph, tenant: Tenant) -> None:
    kinds = [new_kind() for _ in range(4)]
    ids = [await put(graph, tenant, kind) for kind in kinds]
    await take(graph, kinds[1])
    await complete(graph, await take(graph, kinds[2]))
    await fail(graph, await take(graph, kinds[3]), "no", retry=False)

    async def seen(states: list[str], of: list[str]) -> list[str]:
        return [job.id for job in await everything(graph, tenant, of, states)]

    for n, state in enumerate(["ready", "leased", "done", "failed"]):
        assert await seen([state], []) == await seen([], [kinds[n]]) == [ids[n]]
    assert await seen(["failed", "ready", "ready"], []) == [ids[3], ids[0]]
    assert await seen(["failed"], [kinds[0]]) == []
    assert await counts(graph, tenant) == {"ready": 1, "leased": 1, "done": 1, "failed": 1}


async def test_another_tenants_jobs_are_not_there(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} 2")
    id = await put(graph, other, "k")
    assert await everything(graph, tenant) == []
    assert set((await counts(graph, tenant)).values()) == {0}
    with pytest.raises(NotFound):
        await find(graph, tenant, id)
    assert (await counts(graph))["ready"] >= 1


@pytest.mark.parametrize(
    ("how", "error", "field"),
    [
        ({"first": 0}, InvalidInput, "first"),
        ({"first": 201}, LimitExceeded, "first"),
        ({"states": ["ready", "gone"]}, InvalidInput, "states"),
        ({"kinds": [""]}, InvalidInput, "kinds"),
        ({"after": "no cursor"}, InvalidInput, "after"),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused(
    graph: Graph, tenant: Tenant, how: dict[str, object], error: type[InvalidInput], field: str
) -> None:
    with pytest.raises(error) as caught:
        await jobs(graph, tenant, **how)  # type: ignore[arg-type]
    assert caught.value.field == field
