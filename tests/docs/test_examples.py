"""Every example in the documentation is run, page by page, each page in a tenant of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from graphql import FieldNode, OperationDefinitionNode, build_schema, parse

from graphmem.access.keys import create_key
from graphmem.api.schema import make_schema
from graphmem.cli.serve import Service, serving
from graphmem.config import Settings
from graphmem.graph import local
from graphmem.runtime import Runtime
from graphmem.values import Scope, Tenant
from tests.conftest import Settle
from tests.docs.examples import PAGES, ROOT, examples, indented
from tests.docs.running import ADDRESS, Reader, operations
from tests.fakes.embedder import HashingEmbedder
from tests.jobs.support import addressed

RUN = {"graphql", "bash", "python", "cypher"}
FILES = {"python": "examples/python/client.py", "typescript": "examples/typescript/client.ts"}
OPERATORS = {"docs/jobs.md"}
"""Pages about what only the default tenant's key may do."""
WITH_EXAMPLES = [page for page in PAGES if examples(page)]


@pytest.fixture(scope="module")
async def service(runtime: Runtime, settings: Settings, embedder: HashingEmbedder) -> AsyncIterator[Service]:
    """The service on a port of its own."""
    async with serving(addressed(settings, port=0, worker=False), embedder) as service:
        yield service


@pytest.fixture
async def reader(
    service: Service, settings: Settings, tenant: Tenant, tmp_path: Path, page: str
) -> AsyncIterator[Reader]:
    graph, here = service.runtime.graph, addressed(settings)
    tenant = Tenant(settings.default_tenant) if page in OPERATORS else tenant
    assert here.neo4j_uri is not None
    assert here.neo4j_password is not None
    made = await create_key(graph, tenant, name="reader", scopes=[Scope.ADMIN])
    password = here.neo4j_password.get_secret_value()
    environment = {
        "GRAPHMEM_KEY": made.key,
        "GRAPHMEM_URL": service.address,
        "GRAPHMEM_NEO4J_URI": here.neo4j_uri,
        "GRAPHMEM_NEO4J_PASSWORD": password,
        "GRAPHMEM_DEFAULT_TENANT": tenant,
        "GRAPHMEM_EMBEDDING_MODEL": "none",
        "GRAPHMEM_LOG_LEVEL": "error",
        "GRAPHMEM_BOLT_PORT": "0",
        "GRAPHMEM_HTTP_PORT": "0",
        "GRAPHMEM_FAST_START": "use",
    }
    standing = {
        ADDRESS: service.address,
        "bolt://localhost:7687": here.neo4j_uri,
        "PASSWORD=...": f"PASSWORD={password}",
        "KEY=gm_...": f"KEY={made.key}",
    }
    yield Reader(tmp_path, service.address, made.key, graph.driver, environment, standing)
    local.stop(Settings(home=tmp_path / ".graphmem"))


@pytest.mark.timeout(400)
@pytest.mark.parametrize("page", WITH_EXAMPLES)
async def test_the_examples_of_a_page_run_in_their_order(page: str, reader: Reader, settle: Settle) -> None:
    for example in examples(page):
        if example.language in RUN:
            await reader.run(example)
            await settle()


def test_every_block_is_run_or_is_a_file_that_is_run() -> None:
    shown = [example for page in PAGES for example in examples(page) if example.language not in RUN]
    texts = {(example.language, example.text) for example in shown}
    files = {(language, (ROOT / path).read_text(encoding="utf-8")) for language, path in FILES.items()}
    assert [example.place for example in shown if (example.language, example.text) not in files] == []
    assert {language for language, _ in texts} == {"typescript"}, "the client that `make check` runs stands on a page"


def test_no_command_stands_in_a_block_that_is_not_run() -> None:
    commands = ("make", "graphmem", ".venv", "curl", "query", "mutation", "MATCH", "CYPHER", "import", "export")
    blocks = [(page, line) for page in PAGES for block in indented(page) for line in block.splitlines()]
    assert [(page, line) for page, line in blocks if line.lstrip("$ ").startswith(commands)] == []


def test_the_python_client_stands_in_the_readme() -> None:
    text = (ROOT / FILES["python"]).read_text(encoding="utf-8")
    assert [example.text for example in examples("README.md") if example.language == "python"] == [text]


def test_every_operation_has_an_example() -> None:
    documents = [parse(example.text) for page in PAGES for example in examples(page) if example.language == "graphql"]
    shown = {
        field.name.value
        for document in documents
        for operation in document.definitions
        if isinstance(operation, OperationDefinitionNode)
        for field in operation.selection_set.selections
        if isinstance(field, FieldNode)
    }
    assert operations(build_schema(make_schema(Settings()).as_str())) - shown == set()
