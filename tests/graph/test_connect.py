from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.errors import InvalidInput, OverMemory, Unavailable
from graphmem.graph.connect import connect
from graphmem.graph.local import Server
from graphmem.graph.trips import count_trips
from graphmem.values import Tenant
from tests.graph.probing import probing
from tests.graph.second_server import SecondServer


def addressed(server: Server, settings: Settings, **changes: object) -> Settings:
    named = {"neo4j_uri": server.uri, "neo4j_password": SecretStr(server.password)}
    return settings.model_copy(update=named | changes)


async def version(settings: Settings) -> str:
    async with connect(settings) as graph:
        return str((await graph.read("graph/ping"))[0]["version"])


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
async def test_plain_schemes_reach_the_managed_server(
    server: Server, settings: Settings, tenant: Tenant, scheme: str
) -> None:
    """By `neo4j`, the driver asks the server where to read and write; a single one names itself."""
    uri = server.uri.replace("bolt", scheme, 1)
    async with connect(addressed(server, settings, neo4j_uri=uri)) as graph:
        await probing(graph).run("probe/mark", tenant=tenant, uid="a")
        assert await probing(graph).read("probe/marks", tenant=tenant) == [{"uid": "a"}]
        assert (await graph.server()).startswith("Neo4j/")


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
async def test_encrypted_schemes_trust_the_authority_that_is_named(second: SecondServer, scheme: str) -> None:
    assert await version(second.addressed(scheme, neo4j_ca_file=second.ca_file))


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
@pytest.mark.parametrize("named", [True, False])
async def test_a_certificate_of_another_authority_is_refused_at_once(
    second: SecondServer, scheme: str, named: bool
) -> None:
    settings = second.addressed(scheme, neo4j_ca_file=second.stranger_file if named else None)
    async with connect(settings) as graph:
        with count_trips() as trips, pytest.raises(Unavailable, match=r"not trusted: .*GRAPHMEM_NEO4J_CA_FILE"):
            await graph.read("graph/ping")
        assert trips.count == 1


async def test_a_certificate_for_another_name_is_refused(second: SecondServer) -> None:
    with pytest.raises(Unavailable, match=r"not trusted: .*127\.0\.0\.1"):
        await version(second.addressed("bolt+s", host="127.0.0.1", neo4j_ca_file=second.ca_file))


async def test_bolt_ssc_takes_any_certificate(second: SecondServer) -> None:
    assert await version(second.addressed("bolt+ssc"))


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+ssc", "neo4j+ssc"])
async def test_an_authority_that_would_not_be_asked_is_refused(second: SecondServer, scheme: str) -> None:
    with pytest.raises(InvalidInput, match="GRAPHMEM_NEO4J_CA_FILE would not be used"):
        await version(second.addressed(scheme, neo4j_ca_file=second.ca_file))


async def test_an_authority_that_is_no_pem_file_is_refused(tmp_path: Path) -> None:
    tmp_path.joinpath("empty.pem").write_text("nothing")
    for name in ("empty.pem", "missing.pem"):
        with pytest.raises(InvalidInput, match=rf"GRAPHMEM_NEO4J_CA_FILE=.*{name} cannot be used"):
            await version(Settings(neo4j_uri="bolt+s://localhost", neo4j_ca_file=tmp_path / name))


@pytest.mark.parametrize(
    "uri",
    [
        "localhost:7687", "http://localhost:7474", "bolt:/localhost", "bolt://", "bolt://:7687", "bolt://h:port",
        "bolt://h:99999", "bolt://h:0", "bolt://user:word@h", "bolt://h?a=b", "BOLT", "",
    ],
)  # fmt: skip
async def test_what_is_no_address_of_neo4j_is_refused_before_anything_is_tried(uri: str) -> None:
    with pytest.raises(InvalidInput, match="GRAPHMEM_NEO4J_URI") as refused:
        await version(Settings(neo4j_uri=uri))
    assert refused.value.field == "neo4j_uri"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"neo4j_password": SecretStr("wrong")}, "GRAPHMEM_NEO4J_USER and _PASSWORD"),
        ({"neo4j_password": None}, "GRAPHMEM_NEO4J_USER and _PASSWORD"),
        ({"neo4j_database": "elsewhere"}, "GRAPHMEM_NEO4J_DATABASE"),
        ({"neo4j_uri": "bolt://no-such-host.invalid", "retry_seconds": 0}, "does not answer"),
    ],
)
async def test_a_wrong_setting_is_named_at_the_first_statement(
    second: SecondServer, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(Unavailable, match=message):
        await version(second.addressed(**changes))


async def test_a_statement_that_takes_too_much_memory_fails_once_and_for_good(second: SecondServer) -> None:
    """The server calls that transient, and a driver left to itself tries for half a minute."""
    async with connect(second.addressed()) as graph:
        with count_trips() as trips, pytest.raises(OverMemory):
            await probing(graph).read("probe/greedy", most=10**7)
        assert trips.count == 1
        assert await graph.read("graph/ping")
