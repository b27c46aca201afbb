"""Operations as a caller sends them, and what the tests read of the answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from structlog.testing import capture_logs

from tests.client import Client

NODE = """
id title content type aliases source confidence band status resourceId tags metadata createdAt updatedAt validFrom
validTo version
"""
REMEMBER = """
mutation (
  $nodes: [KnowledgeInput!], $edges: [KnowledgeEdgeInput!], $resourceId: ID, $key: String, $dryRun: Boolean! = false
) {
  remember(nodes: $nodes, edges: $edges, resourceId: $resourceId, idempotencyKey: $key, dryRun: $dryRun) {
    ids created updated unchanged edgesCreated edgesUpdated edgesUnchanged pending { from to type }
    warnings { code message ids }
  }
}
"""
KNOWLEDGE = f"query ($id: ID!, $resourceId: ID) {{ knowledge(id: $id, resourceId: $resourceId) {{ {NODE} }} }}"
LIST = f"""
query (
  $filter: KnowledgeFilter, $orderBy: KnowledgeOrder! = CREATED_DESC, $first: Int! = 20, $after: String, $resourceId: ID
) {{
  knowledgeNodes(filter: $filter, orderBy: $orderBy, first: $first, after: $after, resourceId: $resourceId) {{
    nodes {{ {NODE} }} pageInfo {{ hasNextPage endCursor }}
  }}
}}
"""
FOUND = """
  hits { node { id title } score depth parts { vector text title graph } path { from to type forward } }
  edges { from to type } caps { name depth nodeId } warnings { code message } roundTrips resourceId
"""
SEARCH = f"query ($input: SearchInput!) {{ search(input: $input) {{ {FOUND} }} }}"
TRAVERSE = f"""
query (
  $from: ID!, $maxDepth: Int! = 1, $edgeTypes: [EdgeType!], $direction: Direction, $limit: Int! = 50, $resourceId: ID
) {{
  traverse(
    from: $from, maxDepth: $maxDepth, edgeTypes: $edgeTypes, direction: $direction, limit: $limit,
    resourceId: $resourceId
  ) {{ {FOUND} }}
}}
"""
PATH = """
query ($from: ID!, $to: ID!, $maxDepth: Int! = 4, $edgeTypes: [EdgeType!], $direction: Direction, $resourceId: ID) {
  path(
    from: $from, to: $to, maxDepth: $maxDepth, edgeTypes: $edgeTypes, direction: $direction, resourceId: $resourceId
  ) { nodes { id } steps { from to type forward } }
}
"""
EDGES = """
query (
  $id: ID!, $types: [EdgeType!], $direction: Direction! = BOTH, $first: Int! = 20, $after: String, $resourceId: ID
) {
  knowledge(id: $id, resourceId: $resourceId) {
    edges(types: $types, direction: $direction, first: $first, after: $after) {
      edges { cursor edge { from to type weight confidence origin source reason createdAt } node { id } }
      pageInfo { hasNextPage endCursor }
    }
  }
}
"""
UPDATE = f"""
mutation (
  $id: ID!, $patch: KnowledgePatch!, $expectedVersion: Int, $resourceId: ID, $key: String, $dryRun: Boolean! = false
) {{
  updateKnowledge(
    id: $id, patch: $patch, expectedVersion: $expectedVersion, resourceId: $resourceId, idempotencyKey: $key,
    dryRun: $dryRun
  ) {{ version changed node {{ {NODE} }} }}
}}
"""
LINK = """
mutation ($edges: [KnowledgeEdgeInput!]!, $resourceId: ID, $key: String) {
  link(edges: $edges, resourceId: $resourceId, idempotencyKey: $key) {
    created { from to type } updated { from to type } unchanged { from to type } pending { from to type }
  }
}
"""
UNLINK = """
mutation ($edges: [EdgeKeyInput!]!, $resourceId: ID) {
  unlink(edges: $edges, resourceId: $resourceId) { closed { from to type } absent { from to type } }
}
"""
RECALL = """
query ($input: RecallInput!) {
  recall(input: $input) {
    hits { message { id text threadId } thread { id title } score parts { vector text lift } similarity inWindow }
    ranges { thread { id title lastMessageAt } isOtherThread messages { id seq } hitIds }
    scope resourceId now warnings { code message } roundTrips databaseMs
  }
}
"""
CONTEXT = """
query ($input: ContextInput!) {
  context(input: $input) {
    thread { id title } resourceId rendered tokens tokenBudget tokenizer embedCalls languageCalls roundTrips databaseMs
    messages {
      id seq turnId role speaker text staged newest gapBefore tokensCut tokens createdAt
      parts { type text toolCallId toolName data caption }
    }
    workingMemory { scope markdown json version tokens fields { id name text } }
    recalled { thread { id title } isOtherThread label hitIds messages { id seq text gapBefore } }
    notices { id text source }
    knowledge { node { id title content } score depth path { from to type } }
    tiers { tier tokens items } dropped { tier why what ids tokens } warnings { code message ids }
  }
}
"""
AUDIT = "query ($name: String!) { audit(name: $name) { id problem detail } }"
MEMORY_FIELDS = """
scope resourceId threadId kind template schema version missing markdown json tokens warnings { code message ids }
fields {
  id name value text tokens asOf sourceMessageId sourceGone verifyElsewhere version
  sourceMessage { text createdAt }
}
"""
CHANGED_MEMORY = f"""
scope resourceId threadId version changed defined changes {{ name before after version }}
warnings {{ code message ids }}
memory {{ {MEMORY_FIELDS} }}
"""
MEMORY = f"""
query ($resourceId: ID, $threadId: ID, $scope: MemoryScope! = RESOURCE, $asOf: DateTime) {{
  workingMemory(resourceId: $resourceId, threadId: $threadId, scope: $scope, asOf: $asOf) {{ {MEMORY_FIELDS} }}
}}
"""
MEMORY_HISTORY = """
query (
  $resourceId: ID, $threadId: ID, $scope: MemoryScope! = RESOURCE, $field: String, $first: Int! = 20, $after: String
) {
  workingMemoryHistory(
    resourceId: $resourceId, threadId: $threadId, scope: $scope, field: $field, first: $first, after: $after
  ) {
    nodes { name value version memoryVersion asOf sourceMessageId recordedFrom recordedTo action keyName agent }
    pageInfo { hasNextPage endCursor }
  }
}
"""
DEFINE_MEMORY = f"""
mutation ($resourceId: ID, $threadId: ID, $scope: MemoryScope! = RESOURCE, $template: String, $schema: JSON) {{
  defineWorkingMemory(
    resourceId: $resourceId, threadId: $threadId, scope: $scope, template: $template, schema: $schema
  ) {{ {CHANGED_MEMORY} }}
}}
"""
UPDATE_MEMORY = f"""
mutation (
  $resourceId: ID, $threadId: ID, $scope: MemoryScope! = RESOURCE, $ops: [WorkingMemoryOp!], $merge: JSON,
  $markdown: String, $json: JSON, $allowDrop: Boolean! = false, $sourceMessageId: ID, $asOf: DateTime,
  $verifyElsewhere: Boolean, $expectedVersion: Int, $key: String, $dryRun: Boolean! = false
) {{
  updateWorkingMemory(
    resourceId: $resourceId, threadId: $threadId, scope: $scope, ops: $ops, merge: $merge, markdown: $markdown,
    json: $json, allowDrop: $allowDrop, sourceMessageId: $sourceMessageId, asOf: $asOf,
    verifyElsewhere: $verifyElsewhere, expectedVersion: $expectedVersion, idempotencyKey: $key, dryRun: $dryRun
  ) {{ {CHANGED_MEMORY} }}
}}
"""
UNDO_MEMORY = f"""
mutation ($resourceId: ID, $threadId: ID, $scope: MemoryScope! = RESOURCE, $toVersion: Int) {{
  undoWorkingMemory(resourceId: $resourceId, threadId: $threadId, scope: $scope, toVersion: $toVersion) {{
    {CHANGED_MEMORY}
  }}
}}
"""


async def known(client: Client) -> None:
    """Have the client's key looked up, so that for some seconds no call needs a trip for that."""
    await client.query("{ me { keyId } }")


async def remember(
    client: Client, nodes: Sequence[dict[str, Any]] = (), edges: Sequence[dict[str, Any]] = (), **more: Any
) -> Any:
    return (await client.query(REMEMBER, nodes=list(nodes), edges=list(edges), **more))["remember"]


async def knowledge(client: Client, uid: str, resource: str | None = None) -> Any:
    return (await client.query(KNOWLEDGE, id=uid, resourceId=resource))["knowledge"]


async def listed(client: Client, **variables: Any) -> Any:
    return (await client.query(LIST, **variables))["knowledgeNodes"]


async def search(client: Client, query: str = "", **more: Any) -> Any:
    return (await client.query(SEARCH, input={"query": query, **more}))["search"]


async def traverse(client: Client, start: str, **variables: Any) -> Any:
    return (await client.query(TRAVERSE, **{"from": start}, **variables))["traverse"]


async def path(client: Client, start: str, end: str, **variables: Any) -> Any:
    return (await client.query(PATH, **{"from": start, "to": end}, **variables))["path"]


async def edges(client: Client, uid: str, **variables: Any) -> list[tuple[str, str, str]]:
    """The edges of a node as (from, type, to), in their order."""
    found = (await client.query(EDGES, id=uid, **variables))["knowledge"]["edges"]["edges"]
    return [(one["edge"]["from"], one["edge"]["type"], one["edge"]["to"]) for one in found]


async def update(client: Client, uid: str, patch: dict[str, Any], **variables: Any) -> Any:
    return (await client.query(UPDATE, id=uid, patch=patch, **variables))["updateKnowledge"]


async def link(client: Client, edges: Sequence[dict[str, Any]], **variables: Any) -> Any:
    return (await client.query(LINK, edges=list(edges), **variables))["link"]


async def unlink(client: Client, edges: Sequence[dict[str, Any]], **variables: Any) -> Any:
    return (await client.query(UNLINK, edges=list(edges), **variables))["unlink"]


async def audit(client: Client, name: str) -> list[str]:
    """The details of what an audit finds in the caller's tenant."""
    return [row["detail"] for row in (await client.query(AUDIT, name=name))["audit"]]


async def memory(client: Client, **variables: Any) -> Any:
    return (await client.query(MEMORY, **variables))["workingMemory"]


async def update_memory(client: Client, **variables: Any) -> Any:
    return (await client.query(UPDATE_MEMORY, **variables))["updateWorkingMemory"]


async def undo_memory(client: Client, **variables: Any) -> Any:
    return (await client.query(UNDO_MEMORY, **variables))["undoWorkingMemory"]


async def recall(client: Client, query: str = "", **more: Any) -> Any:
    return (await client.query(RECALL, input={"query": query, **more}))["recall"]


async def context(client: Client, thread: str, **more: Any) -> Any:
    return (await client.query(CONTEXT, input={"threadId": thread, **more}))["context"]


async def trips(client: Client, query: str, **variables: Any) -> tuple[int, Any]:
    """What a request cost in trips to the database beside the look-up of its key, and its data."""
    with capture_logs() as logged:
        data = await client.query(query, **variables)
    (line,) = [line for line in logged if line["event"] == "request"]
    return sum(name != "access/find_key" for name, _ in line["statements"]), data
