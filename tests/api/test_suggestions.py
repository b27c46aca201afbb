"""What a person might tidy up, through GraphQL."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import chain, note
from tests.operations import remember, unlink, update

SUGGEST = """query ($kind: SuggestionKind!, $first: Int! = 20, $after: String, $resourceId: ID) {
  suggestions(kind: $kind, first: $first, after: $after, resourceId: $resourceId) {
    nodes {
      id kind nodes { id content } merge { ids keep cosine lexical } split { words pieces { title start end words } }
    }
    pageInfo { hasNextPage endCursor }
  }
}"""
DISMISS = """mutation ($id: ID!, $dryRun: Boolean! = false, $resourceId: ID) {
  dismissSuggestion(id: $id, dryRun: $dryRun, resourceId: $resourceId) { id changed } }"""
MERGE = "mutation ($ids: [ID!]!, $keep: ID) { mergeKnowledge(ids: $ids, keep: $keep) { merged } }"
VERB = "mutation ($id: ID!) {{ {verb}(id: $id) {{ status }} }}"
FLAG = "mutation ($one: ID!, $other: ID!) { flagConflict(one: $one, other: $other) { created { from } } }"

WORDS = " ".join(f"word{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(60))


async def suggested(client: Client, kind: str, **more: Any) -> Any:
    return (await client.query(SUGGEST, kind=kind, **more))["suggestions"]


async def pairs(client: Client, **more: Any) -> list[list[str]]:
    return [sorted(one["merge"]["ids"]) for one in (await suggested(client, "MERGE", **more))["nodes"]]


async def test_notes_that_say_the_same_are_suggested_for_a_merge_and_a_negation_is_not(
    client: Client, settle: Settle
) -> None:
    """C38"""
    await remember(
        client,
        [
            note("a", "Tides", WORDS, confidence=0.7), note("b", "Tides", f"{WORDS} truly"),
            note("c", "Tides", f"{WORDS} not"), note("d", "Tides", WORDS, resourceId="red"), note("e", "Moon", "else"),
        ],
    )  # fmt: skip
    await settle()
    (found,) = (await suggested(client, "MERGE"))["nodes"]
    assert found["merge"]["cosine"] >= 0.95
    assert (found["merge"]["ids"], found["merge"]["keep"], found["split"]) == (["b", "a"], "b", None)
    assert [node["id"] for node in found["nodes"]] == ["b", "a"]
    proposal = {key: found["merge"][key] for key in ("ids", "keep")}
    assert (await client.query(MERGE, **proposal))["mergeKnowledge"]["merged"] == ["a"]
    assert await pairs(client) == []


async def test_a_suggestion_goes_when_a_text_changes_or_a_node_leaves_use(client: Client, settle: Settle) -> None:
    await remember(client, [note("a", "Tides", WORDS), note("b", "Tides", WORDS)])
    await settle()
    assert await pairs(client) == [["a", "b"]]
    await client.query(VERB.format(verb="archive"), id="a")
    assert await pairs(client) == []
    await client.query(VERB.format(verb="restore"), id="a")
    assert await pairs(client) == [["a", "b"]]
    await client.query(FLAG, one="a", other="b")
    assert await pairs(client) == []
    await unlink(client, chain("a", "b", kind="CONFLICTS_WITH"))
    assert await pairs(client) == [["a", "b"]]
    await update(client, "b", {"content": "Something else."})
    assert await pairs(client) == []
    await settle()
    await update(client, "b", {"content": WORDS})
    assert await pairs(client) == []
    await settle()
    assert await pairs(client) == [["a", "b"]]


async def test_a_dismissed_suggestion_stays_dismissed(client: Client, settle: Settle, connect_as: Connect) -> None:
    await remember(client, [note("a", "Tides", WORDS), note("b", "Tides", WORDS)])
    await settle()
    (found,) = (await suggested(client, "MERGE"))["nodes"]
    assert (await client.query(DISMISS, id=found["id"], dryRun=True))["dismissSuggestion"]["changed"] is True
    assert await pairs(client) == [["a", "b"]]
    for other in (await connect_as(tenant=Tenant("stranger to suggestions")), await connect_as(Scope.READ)):
        assert (await other.error(DISMISS, id=found["id"]))["code"] in ("NOT_FOUND", "FORBIDDEN")
    assert (await (await connect_as(resource="red")).error(DISMISS, id=found["id"]))["code"] == "FORBIDDEN"
    assert "take it from suggestions" in (await client.error(DISMISS, id="x"))["message"]
    assert (await client.query(DISMISS, id=found["id"]))["dismissSuggestion"]["changed"] is True
    assert (await client.query(DISMISS, id=found["id"]))["dismissSuggestion"]["changed"] is False
    await update(client, "b", {"content": f"{WORDS} truly"})
    await settle()
    assert await pairs(client) == []
    assert (await client.error(DISMISS, id="nonsense"))["code"] == "INVALID_INPUT"


async def test_customers_pairs_are_suggested_only_where_they_may_be_seen(
    client: Client, settle: Settle, connect_as: Connect
) -> None:
    await remember(client, [note(uid, "Tides", WORDS, resourceId="red") for uid in ("a", "b")])
    await remember(client, [note(uid, "Tides", WORDS) for uid in ("c", "d")])
    await settle()
    assert await pairs(client) == [["c", "d"]]
    assert await pairs(client, resourceId="red") == [["a", "b"], ["c", "d"]]
    assert await pairs(await connect_as(resource="red")) == [["a", "b"]]
    assert await pairs(await connect_as(resource="green")) == []


async def test_pairs_are_told_page_by_page(client: Client, settle: Settle) -> None:
    await remember(client, [note(f"n{at}", "Tides", WORDS) for at in range(4)])
    await settle()
    everything, found, after = await pairs(client), [], None
    while True:
        page = await suggested(client, "MERGE", first=2, after=after)
        found += [sorted(one["merge"]["ids"]) for one in page["nodes"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert found == everything
    assert len(found) == 6


async def test_over_long_notes_are_suggested_for_a_split_the_longest_first(client: Client) -> None:
    """C14"""
    long = "\n\n".join(f"# Part {at}\n\n{'word ' * 150}" for at in range(3))
    told = await remember(
        client,
        [
            note("short"), note("just", content="word " * 300), note("long", content=long),
            note("longer", content=f"{long} more"),
        ],
    )  # fmt: skip
    assert [(one["code"], one["ids"]) for one in told["warnings"]] == [
        ("OVER_LONG_NOTE", ["long"]), ("OVER_LONG_NOTE", ["longer"]),
    ]  # fmt: skip
    page = await suggested(client, "SPLIT", first=1)
    (found,) = page["nodes"]
    assert [node["id"] for node in found["nodes"]] == ["longer"]
    assert found["split"]["words"] == 460
    assert [piece["title"] for piece in found["split"]["pieces"]] == ["Part 0", "Part 1", "Part 2"]
    cut = [found["nodes"][0]["content"][piece["start"] : piece["end"]] for piece in found["split"]["pieces"]]
    assert "".join(cut) == f"{long} more"
    rest = await suggested(client, "SPLIT", after=page["pageInfo"]["endCursor"])
    assert [one["nodes"][0]["id"] for one in rest["nodes"]] == ["long"]
    await update(client, "long", {"content": "Short now."})
    await client.query(VERB.format(verb="archive"), id="longer")
    assert (await suggested(client, "SPLIT"))["nodes"] == []


async def test_notes_without_an_open_edge_are_suggested_and_every_page_is_bounded(
    client: Client, settle: Settle, graph: Graph
) -> None:
    await remember(client, [note(f"p{at}", f"Plant{at}", f"leaf{at}") for at in range(5)], chain("p0", "p1"))
    await remember(client, [note("q", "Quince", "It is near Plant2.")])
    await settle()

    async def lone(**more: Any) -> list[str]:
        return [one["nodes"][0]["id"] for one in (await suggested(client, "UNCONNECTED", **more))["nodes"]]

    assert sorted(await lone()) == ["p3", "p4"]
    await unlink(client, chain("p0", "p1"))
    assert sorted(await lone()) == ["p0", "p1", "p3", "p4"]
    page = await suggested(client, "UNCONNECTED", first=3)
    assert page["pageInfo"]["hasNextPage"] is True
    assert len(await lone(first=3, after=page["pageInfo"]["endCursor"])) == 1
    await client.query(VERB.format(verb="retract"), id="p3")
    assert "p3" not in await lone()


@pytest.mark.parametrize("kind", ["MERGE", "SPLIT", "UNCONNECTED"])
async def test_a_cursor_of_another_list_is_refused(client: Client, kind: str) -> None:
    for cursor in ("nonsense", "WyJ4IiwieSJd", "WyJhIl0"):
        assert (await client.error(SUGGEST, kind=kind, after=cursor))["field"] == "after"
