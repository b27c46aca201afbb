"""Faults seen in others' GraphQL doors, each tried on this one. The id of the case stands in the docstring."""

from __future__ import annotations

import pytest

from tests import operations
from tests.client import Client
from tests.factories import arrow, ids, note
from tests.operations import knowledge, listed, remember


async def test_fragments_hide_neither_aliases_nor_depth_nor_circles(client: Client) -> None:
    """B123, with a limit of 30 aliases and a depth of 12."""
    aliases = " ".join(f"a{at}: tenant" for at in range(16))
    twice = "query { me { ...F } again: me { ...F } } fragment F on Me { " + aliases + " }"
    assert (await client.error(twice))["limit"] == "max_query_aliases"
    deep = "fragment D0 on KnowledgeNode { id } " + " ".join(
        f"fragment D{at} on KnowledgeNode {{ relatedTo {{ ...D{at - 1} }} }}" for at in range(1, 13)
    )
    assert (await client.error('{ knowledge(id: "a") { ...D12 } } ' + deep))["limit"] == "max_query_depth"
    inline = '{ knowledge(id: "a") { ' + "... { relatedTo { " * 12 + "id" + " } }" * 12 + " } }"
    assert (await client.error(inline))["limit"] == "max_query_depth"
    circle = "{ me { ...F } } fragment F on Me { tenant ...G } fragment G on Me { name ...F }"
    response = await client.post(circle)
    assert response.status_code in (200, 400)
    assert response.json()["errors"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"


@pytest.mark.parametrize(
    "value",
    [
        123, "2024-13-40", "2024-02-30T00:00:00Z", "2024-05-01", "2024-05-01T10:00:00.123456789Z", "0000-00-00",
        "10000-01-01T00:00:00Z", 1714557600, "", "now", True,
    ],
)  # fmt: skip
async def test_what_is_no_time_is_refused_with_the_form_of_one(client: Client, value: object) -> None:
    """B126"""
    for document, variables, name in (
        (operations.REMEMBER, {"nodes": [note("n", createdAt=value)]}, "nodes"),
        (operations.UPDATE, {"id": "n", "patch": {"validTo": value}}, "patch"),
        (operations.LIST, {"filter": {"createdFrom": value}}, "filter"),
        (operations.LINK, {"edges": [arrow("a", "RELATED_TO", "b", validFrom=value)]}, "edges"),
    ):
        error = await client.error(document, **variables)
        assert error["code"] == "INVALID_INPUT"
        assert f"${name}" in error["message"]
        assert "RFC 3339" in error["message"] or "six digits" in error["message"]


async def test_times_are_kept_to_the_microsecond_and_in_order(client: Client) -> None:
    """B126"""
    times = {
        "a": "2024-05-01T10:00", "b": "2024-05-01T10:00:00.000001Z", "c": "2024-05-01T12:00:00.000002+02:00",
        "d": "2024-05-01T10:00:00.000003000Z",
    }  # fmt: skip
    await remember(client, [note(uid, createdAt=time) for uid, time in reversed(times.items())])
    nodes = (await listed(client, orderBy="CREATED_ASC"))["nodes"]
    assert [(one["id"], one["createdAt"]) for one in nodes] == [
        ("a", "2024-05-01T10:00:00Z"), ("b", "2024-05-01T10:00:00.000001Z"), ("c", "2024-05-01T10:00:00.000002Z"),
        ("d", "2024-05-01T10:00:00.000003Z"),
    ]  # fmt: skip


async def test_large_numbers_are_kept_exactly_or_refused(client: Client) -> None:
    """B127: metadata holds 64 bits; versions, depths and sizes are counted in 32."""
    numbers = {
        "ms": 1672250526945,
        "tokens": 3_000_000_000,
        "seq": 9007199254740993,
        "most": 2**63 - 1,
        "least": -(2**63),
    }
    await remember(client, [note("n", metadata=numbers)])
    assert (await knowledge(client, "n"))["metadata"] == numbers
    assert ids((await listed(client, filter={"metadata": {"seq": 9007199254740993}}))["nodes"]) == ["n"]
    assert ids((await listed(client, filter={"metadata": {"seq": 9007199254740992}}))["nodes"]) == []
    for number in (3_000_000_000, 9007199254740993):
        error = await client.error(operations.UPDATE, id="n", patch={"content": "x"}, expectedVersion=number)
        assert error["code"] == "INVALID_INPUT"
        assert "expectedVersion" in error["message"]
