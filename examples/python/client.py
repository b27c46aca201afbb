import os

import httpx

url, key = os.environ.get("GRAPHMEM_URL", "http://127.0.0.1:8080"), os.environ["GRAPHMEM_KEY"]
http = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=60)


def graphmem(query, **variables):
    answer = http.post("/graphql", json={"query": query, "variables": variables}).json()
    if answer.get("errors"):
        raise RuntimeError(answer["errors"])
    return answer["data"]


remember = "mutation ($nodes: [KnowledgeInput!]) { remember(nodes: $nodes) { created unchanged } }"
search = "query ($input: SearchInput!) { search(input: $input) { hits { depth node { title content } } } }"

refunds = {"id": "refunds", "title": "Refunds", "content": "A refund is paid within 14 days."}
disputes = {"id": "disputes", "title": "Disputes", "content": "The finance team settles disputes."}
graphmem(remember, nodes=[refunds | {"connections": ["disputes"]}, disputes])
for hit in graphmem(search, input={"query": "When is a refund paid?", "topK": 1})["search"]["hits"]:
    print(hit["depth"], hit["node"]["title"], "-", hit["node"]["content"])
