"""What stays inside: details of failures, the schema, and the graph from pages of other origins."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import SecretStr

from graphmem.app import create_app
from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.graph.connect import connect
from graphmem.runtime import Runtime
from tests.api.serving import ME, bearer, service
from tests.conftest import Connect
from tests.factories import note
from tests.operations import remember

LEAKS = re.compile(
    r"/srv|/home|/usr|\.py\b|Traceback|File \"|site-packages|Neo\.|neo4j\.|bolt:|127\.0\.0\.1|MATCH|MERGE|"
    r"strawberry|graphql-core|starlette|pydantic|orjson|gm_",
    re.IGNORECASE,
)


async def test_what_goes_wrong_is_told_without_the_inside_of_the_service(
    runtime: Runtime, connect_as: Connect, settings: Settings, unused_tcp_port: int
) -> None:
    """B128."""
    client = await connect_as()
    await remember(client, [note("a"), note("b")])
    bad = [
        ('{ knowledgeNodes(filter: {createdFrom: "yesterday"}) { nodes { id } } }', None),
        ("{ knowledgeNodes(first: 100000) { nodes { id } } }", None),
        ("{ nonsense }", None),
        ("{ me { tenant ", None),
        ("query ($x: Int!) { knowledgeNodes(first: $x) { nodes { id } } }", {"x": "much"}),
        ('mutation { link(edges: [{from: "a", to: "a", type: RELATED_TO}]) { created { from } } }', None),
        ('mutation { updateKnowledge(id: "a", patch: {title: "x"}, expectedVersion: 9) { version } }', None),
        ('mutation { ingestDocument(path: "x", text: "y", mediaType: "z") { documentId } }', None),
        ('{ audit(name: "../../etc/passwd") { id } }', None),
    ]
    answers = [await client.post(query, variables) for query, variables in bad]
    uri, password = f"bolt://127.0.0.1:{unused_tcp_port}", SecretStr("secret")
    lost = settings.model_copy(update={"neo4j_uri": uri, "neo4j_password": password, "retry_seconds": 0})
    async with connect(lost) as graph, service(runtime, graph=graph) as http:
        answers.append(await http.post("/graphql", json={"query": ME}, headers=client.headers))
    codes = []
    for answer in answers:
        errors = answer.json()["errors"]
        codes += [error["extensions"]["code"] for error in errors]
        told = json.dumps([{key: error[key] for key in error if key != "locations"} for error in errors])
        told += str(answer.headers)
        assert not LEAKS.search(told), told
        assert f":{unused_tcp_port}" not in told
        assert answer.headers["x-request-id"]
    assert codes == [
        "INVALID_INPUT", "LIMIT_EXCEEDED", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED", "INVALID_INPUT",
        "INVALID_INPUT", "VERSION_CONFLICT", "INVALID_INPUT", "INVALID_INPUT", "UNAVAILABLE",
    ]  # fmt: skip
    assert answers[-1].status_code == 503


async def test_without_introspection_the_schema_and_its_page_are_hidden(runtime: Runtime, key: str) -> None:
    asked = {"query": "{ __schema { types { name } } }"}
    async with service(runtime) as http:
        assert (await http.post("/graphql", json=asked, headers=bearer(key))).json()["data"]
        assert (await http.get("/graphiql")).status_code == 200
    async with service(runtime, introspection=False) as http:
        hidden = await http.post("/graphql", json=asked, headers=bearer(key))
        assert hidden.json()["errors"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
        close = await http.post("/graphql", json={"query": "{ knowledg { id } }"}, headers=bearer(key))
        assert "knowledge" not in close.json()["errors"][0]["message"]
        assert (await http.get("/graphiql")).status_code == 404
        assert "graphiql" not in (await http.get("/")).text.lower()


ALLOWED = "https://app.example"
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}


@pytest.mark.parametrize("cookies", [{}, {"session": "1"}])
@pytest.mark.parametrize("origin", ["https://evil.example", "null", f"{ALLOWED}.evil.example", "http://app.example"])
async def test_pages_of_an_origin_that_is_not_named_are_not_let_in(
    runtime: Runtime, key: str, origin: str, cookies: dict[str, str]
) -> None:
    """B130."""
    headers = {"Origin": origin}
    for origins in ((), (ALLOWED,)):
        async with service(runtime, allowed_origins=origins) as http:
            http.cookies.update(cookies)
            before = await http.options("/graphql", headers=headers | PREFLIGHT)
            got = await http.get("/graphql", params={"query": ME}, headers=headers | bearer(key))
            refused = await http.get("/graphql", params={"query": ME}, headers=headers)
            for answer in (before, got, refused):
                assert "access-control-allow-origin" not in answer.headers
                assert "access-control-allow-credentials" not in answer.headers


async def test_pages_of_a_named_origin_are_let_in_also_to_read_failures(runtime: Runtime, key: str) -> None:
    """B130."""
    origin = {"Origin": ALLOWED}
    async with service(runtime, allowed_origins=(ALLOWED,), max_body_bytes=1024) as http:
        answers = [
            await http.options("/graphql", headers=origin | PREFLIGHT),
            await http.get("/graphql", params={"query": ME}, headers=origin | bearer(key)),
            await http.get("/graphql", params={"query": ME}, headers=origin),
            await http.post("/graphql", content=b" " * 2000, headers=origin | bearer(key)),
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 401, 413]
    for answer in answers:
        assert answer.headers["access-control-allow-origin"] == ALLOWED
        assert "Origin" in answer.headers["vary"]
        assert "access-control-allow-credentials" not in answer.headers
    assert answers[1].headers["access-control-expose-headers"] == "X-Request-Id"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "graph.example", ""])
def test_open_access_is_refused_where_others_can_reach_it(settings: Settings, host: str) -> None:
    with pytest.raises(InvalidInput, match="open_access needs a loopback host"):
        create_app(settings.model_copy(update={"open_access": True, "host": host}))


def test_open_access_is_refused_to_pages_of_every_origin(settings: Settings) -> None:
    with pytest.raises(InvalidInput, match="allowed_origins must name each origin"):
        create_app(settings.model_copy(update={"open_access": True, "allowed_origins": ("*",)}))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
async def test_with_open_access_no_key_is_needed_on_loopback(runtime: Runtime, host: str) -> None:
    address = f"http://[{host}]:8080" if ":" in host else f"http://{host}:8080"
    async with service(runtime, address, open_access=True, host=host) as http:
        answer = await http.post("/graphql", json={"query": "{ me { tenant keyId scopes } }"})
        assert answer.json()["data"]["me"] == {
            "tenant": runtime.services.settings.default_tenant, "keyId": "open", "scopes": ["ADMIN", "READ", "WRITE"]
        }  # fmt: skip
        assert (await http.post("/graphql", json={"query": ME}, headers={"Host": "evil.example"})).status_code == 400
