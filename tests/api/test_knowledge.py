from tests.client import Client
from tests.conftest import Settle

REMEMBER = """
mutation ($nodes: [KnowledgeInput!], $edges: [KnowledgeEdgeInput!]) {
  remember(nodes: $nodes, edges: $edges) {
    ids created updated unchanged edgesCreated pending { from to type } warnings { code ids }
  }
}
"""
SEARCH = """
query ($input: SearchInput!) {
  search(input: $input) {
    hits { node { id title } score depth parts { vector text title graph } path { from to type forward } }
    edges { from to type } caps { name } warnings { code } roundTrips
  }
}
"""


async def test_what_is_remembered_is_found_with_the_path_that_leads_to_it(client: Client, settle: Settle) -> None:
    nodes = [
        {"id": "api-auth", "title": "API Authentication", "content": "The API uses Bearer token authentication."},
        {"id": "limits", "title": "Rate limits", "content": "A hundred calls a minute."},
    ]
    edges = [{"from": "api-auth", "to": "limits", "type": "DEPENDS_ON"}]
    done = (await client.query(REMEMBER, nodes=nodes, edges=edges))["remember"]
    assert done["created"] == ["api-auth", "limits"]
    assert done["edgesCreated"] == 1
    await settle()
    found = (await client.query(SEARCH, input={"query": "bearer token", "topK": 1}))["search"]
    assert [(hit["node"]["id"], hit["depth"]) for hit in found["hits"]] == [("api-auth", 0), ("limits", 1)]
    assert found["hits"][1]["path"] == [{"from": "api-auth", "to": "limits", "type": "DEPENDS_ON", "forward": True}]
    assert found["roundTrips"] <= 3
    assert found["warnings"] == []
