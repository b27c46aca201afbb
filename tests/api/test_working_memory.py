"""Working memory as a caller sees it: GraphQL over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.values import Scope
from tests.api.test_conversation import APPEND, CREATE, user
from tests.client import Client
from tests.conftest import Connect
from tests.operations import (
    DEFINE_MEMORY,
    MEMORY,
    MEMORY_HISTORY,
    UPDATE_MEMORY,
    memory,
    undo_memory,
    update_memory,
)

TEMPLATE = "# Customer\n\n## Identity\n- Name:\n- Account tier: (free / pro / enterprise)\n\n## Promised follow-ups\n"
OF_R1 = {"resourceId": "r1"}


async def started(client: Client) -> None:
    for uid in ("t1", "t2"):
        await client.query(CREATE, resourceId="r1", id=uid)
    await client.query(APPEND, threadId="t1", messages=[user("I am Ann, on pro.", id="m1")])


async def test_a_profile_of_monday_is_there_on_wednesday(client: Client) -> None:
    """C46, C48, C50, C73"""
    await started(client)
    await client.query(DEFINE_MEMORY, threadId="t1", template=TEMPLATE)
    done = await update_memory(
        client, threadId="t1", sourceMessageId="m1", ops=[
            {"op": "SET", "field": "Name", "value": "Ann"},
            {"op": "SET", "field": "Account tier", "value": "pro", "verifyElsewhere": True},
        ],
    )  # fmt: skip
    assert (done["version"], done["changed"], done["resourceId"], done["threadId"]) == (2, True, "r1", None)
    assert [(one["name"], one["before"], one["after"]) for one in done["changes"]] == [
        ("Identity.Name", None, "Ann"), ("Identity.Account tier", None, "pro"),
    ]  # fmt: skip
    found = await memory(client, threadId="t2")
    assert found["markdown"] == TEMPLATE.strip().replace("Name:", "Name: Ann").replace(
        "(free / pro / enterprise)", "pro"
    )
    assert found["json"] == {"Identity": {"Name": "Ann", "Account tier": "pro"}}
    assert found["missing"] == ["Promised follow-ups"]
    tier = found["fields"][1]
    assert (tier["verifyElsewhere"], tier["sourceMessageId"], tier["sourceMessage"]["text"]) == (
        True, "m1", "I am Ann, on pro.",
    )  # fmt: skip
    assert tier["asOf"] == tier["sourceMessage"]["createdAt"]
    assert done["memory"]["json"] == found["json"]


async def test_a_threads_memory_is_its_own(client: Client) -> None:
    """C47"""
    await started(client)
    await update_memory(client, threadId="t1", scope="THREAD", merge={"task": "pack"})
    assert (await memory(client, threadId="t1", scope="THREAD"))["json"] == {"task": "pack"}
    for where in ({"threadId": "t2", "scope": "THREAD"}, {"threadId": "t1"}, OF_R1):
        assert (await memory(client, **where))["json"] == {}


async def test_a_schema_refuses_what_does_not_fit(client: Client) -> None:
    """C49, R8"""
    schema = {"type": "object", "properties": {"seats": {"type": "integer"}, "name": {}}, "required": ["name"]}
    await client.query(DEFINE_MEMORY, **OF_R1, schema=schema)
    empty = await memory(client, **OF_R1)
    assert (empty["kind"], empty["schema"], empty["json"], empty["missing"]) == (
        "SCHEMA",
        schema,
        {},
        ["seats", "name"],
    )
    for merge in ({"seats": "many"}, {"colour": "red"}):
        refused = await client.error(UPDATE_MEMORY, **OF_R1, merge=merge)
        assert refused["code"] == "INVALID_INPUT"
    assert (await update_memory(client, **OF_R1, merge={"seats": 3}))["changed"]


async def test_patches_at_once_are_all_kept(client: Client) -> None:
    """M-2, R1, R2, R25, B96"""
    await update_memory(client, **OF_R1, merge={"about": {"name": "N"}, "people": [{"id": 1}], "work": {"stage": "S"}})
    await asyncio.gather(*(update_memory(client, **OF_R1, merge={"work": {f"f{at}": at}}) for at in range(20)))
    found = (await memory(client, **OF_R1))["json"]
    assert (found["about"], found["people"]) == ({"name": "N"}, [{"id": 1}])
    assert found["work"] == {"stage": "S", **{f"f{at}": at for at in range(20)}}


async def test_lists_are_replaced_by_merge_and_changed_by_ops(client: Client) -> None:
    """B95"""
    await update_memory(client, **OF_R1, merge={"tags": ["a", "b"]})
    for tags in (["c"], ["a", "b", "c"], ["a", "b", "c"], []):
        await update_memory(client, **OF_R1, merge={"tags": tags})
        assert (await memory(client, **OF_R1))["json"] == {"tags": tags}
    await asyncio.gather(*(
        update_memory(client, **OF_R1, ops=[{"op": "APPEND", "field": "tags", "value": tag}]) for tag in "xyx"
    ))  # fmt: skip
    assert sorted((await memory(client, **OF_R1))["json"]["tags"]) == ["x", "y"]
    await update_memory(client, **OF_R1, ops=[{"op": "REMOVE", "field": "tags", "value": "x"}])
    assert (await memory(client, **OF_R1))["json"] == {"tags": ["y"]}
    await update_memory(client, **OF_R1, merge={"tags": None})
    assert (await memory(client, **OF_R1))["json"] == {}


async def test_null_unsets_and_is_never_kept(client: Client) -> None:
    """B92, M-3, R4"""
    await update_memory(client, **OF_R1, merge={"role": None, "name": "N", "addr": {"zip": None, "city": "X"}})
    assert (await memory(client, **OF_R1))["json"] == {"name": "N", "addr": {"city": "X"}}
    done = await update_memory(client, **OF_R1, merge={"addr": None})
    assert [(one["name"], one["after"]) for one in done["changes"]] == [("addr.city", None)]
    await update_memory(client, **OF_R1, merge={"a": {"b": {"c": None}}})
    assert (await memory(client, **OF_R1))["json"] == {"name": "N"}
    refused = await client.error(UPDATE_MEMORY, **OF_R1, ops=[{"op": "SET", "field": "name", "value": None}])
    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "name")


@pytest.mark.parametrize("merge", [[], "", "text", 7, True])
async def test_what_is_no_object_is_refused_and_changes_nothing(client: Client, merge: Any) -> None:
    """B93"""
    await update_memory(client, **OF_R1, merge={"a": 1})
    assert await client.errors(UPDATE_MEMORY, **OF_R1, merge=merge)
    assert not (await update_memory(client, **OF_R1, merge={}))["changed"]
    assert (await client.error(UPDATE_MEMORY, **OF_R1))["code"] == "INVALID_INPUT"
    assert ((await memory(client, **OF_R1))["json"], (await memory(client, **OF_R1))["version"]) == ({"a": 1}, 1)


async def test_a_rewrite_that_loses_fields_is_refused_by_name(client: Client) -> None:
    """M-4, R3"""
    await client.query(DEFINE_MEMORY, **OF_R1, template=TEMPLATE)
    await update_memory(client, **OF_R1, merge={"Identity": {"Name": "Ann"}, "more": [1]})
    whole = await memory(client, **OF_R1)
    for given in ({"markdown": TEMPLATE}, {"json": {"more": [1]}}, {"json": {}}):
        refused = await client.error(UPDATE_MEMORY, **OF_R1, **given)
        assert (refused["code"], refused["field"], "Identity.Name" in refused["dropped"]) == (
            "INVALID_INPUT", "allowDrop", True,
        )  # fmt: skip
    assert not (await update_memory(client, **OF_R1, markdown=whole["markdown"]))["changed"]
    assert not (await update_memory(client, **OF_R1, json=whole["json"]))["changed"]
    await update_memory(client, **OF_R1, json={"more": [1]}, allowDrop=True)
    assert (await memory(client, **OF_R1))["json"] == {"more": [1]}
    assert (await undo_memory(client, **OF_R1))["memory"]["json"] == whole["json"]


async def test_it_can_be_read_written_and_gone_back_over(client: Client) -> None:
    """R6"""
    for name in ("Ann", "Bob"):
        await update_memory(client, **OF_R1, merge={"name": name})
    early = (await client.query(MEMORY_HISTORY, **OF_R1, field="name"))["workingMemoryHistory"]["nodes"]
    assert [(one["value"], one["version"], one["action"]) for one in early] == [
        ("Bob", 2, "updateWorkingMemory"), ("Ann", 1, "updateWorkingMemory"),
    ]  # fmt: skip
    then = (await client.query(MEMORY, **OF_R1, asOf=early[1]["recordedFrom"]))["workingMemory"]
    assert (then["json"], then["version"]) == ({"name": "Ann"}, 1)
    assert (await undo_memory(client, **OF_R1, toVersion=0))["memory"]["json"] == {}
    stale = await client.error(UPDATE_MEMORY, **OF_R1, merge={"name": "C"}, expectedVersion=1)
    assert (stale["code"], stale["currentVersion"]) == ("VERSION_CONFLICT", 3)


async def test_another_resources_memory_is_not_reached(client: Client, connect_as: Connect) -> None:
    await started(client)
    await update_memory(client, **OF_R1, merge={"name": "Ann"})
    bound = await connect_as(Scope.WRITE, resource="r2")
    assert (await bound.error(MEMORY, **OF_R1))["code"] == "FORBIDDEN"
    assert (await bound.error(MEMORY, threadId="t1"))["code"] == "NOT_FOUND"
    assert (await bound.error(UPDATE_MEMORY, threadId="t1", merge={"name": "X"}))["code"] == "NOT_FOUND"
    assert (await memory(bound))["json"] == {}


async def test_it_needs_no_model_and_tells_of_its_size(client: Client) -> None:
    """C51, C76"""
    done = await update_memory(client, **OF_R1, merge={"notes": "word " * 3000, "name": "Ann"})
    assert done["warnings"] == []
    (warning,) = (await memory(client, **OF_R1))["warnings"]
    assert warning["code"] == "WORKING_MEMORY_LARGE"
    assert "notes 30" in warning["message"]
