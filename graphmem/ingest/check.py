"""A whole table, looked through before any of it is written. Pure."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import orjson

from graphmem.access.principal import Principal
from graphmem.config import Settings
from graphmem.errors import GraphmemError, InvalidInput, LimitExceeded
from graphmem.ingest.rows import BadRow, Row, read_rows
from graphmem.knowledge import validate
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.values import SHARED, EdgeType

MAX_ROWS = 200_000
BATCH_CHARACTERS = 4_000_000


@dataclass
class Table:
    """A table that was looked through: `bad` are the lines that can't be taken; `resources`, whom its nodes are about.

    `edges`: digests of those it states, kept to find one that is stated in two ways.
    """

    text: str
    kind: str
    resource: str | None
    rows: int = 0
    bad: list[BadRow] = field(default_factory=list)
    resources: set[str] = field(default_factory=set)
    ids: dict[str, int] = field(default_factory=dict)
    edges: dict[tuple[str, str, str], tuple[int, bytes]] = field(default_factory=dict)


@dataclass
class Batch:
    """Lines that go into one transaction."""

    nodes: list[tuple[int, NodeInput]] = field(default_factory=list)
    edges: list[tuple[int, EdgeInput]] = field(default_factory=list)

    @property
    def lines(self) -> list[int]:
        return sorted(line for line, _ in (*self.nodes, *self.edges))

    def halves(self) -> tuple[Batch, Batch]:
        """Nodes first, so that an edge doesn't come before its ends."""
        whole: list[tuple[int, NodeInput | EdgeInput]] = [*self.nodes, *self.edges]
        middle = len(whole) // 2
        return _batch(whole[:middle]), _batch(whole[middle:])


def _batch(lines: list[tuple[int, NodeInput | EdgeInput]]) -> Batch:
    return Batch(
        [(line, value) for line, value in lines if isinstance(value, NodeInput)],
        [(line, value) for line, value in lines if isinstance(value, EdgeInput)],
    )


def check(text: str, kind: str, resource: str | None, principal: Principal, settings: Settings) -> Table:
    """Raises InvalidInput where the table as a whole can't be read, LimitExceeded where it has too many lines, and
    Forbidden where a node is about somebody that the key is not for."""
    table = Table(text, kind, resource)
    for row in read_rows(text, kind):
        table.rows += 1
        if table.rows > MAX_ROWS:
            raise LimitExceeded(
                f"more than {MAX_ROWS} lines; split the table", field="text", limit="max_rows", value=MAX_ROWS
            )
        problem = row.problem if isinstance(row, BadRow) else _problem(table, row, principal, settings)
        if problem:
            table.bad.append(BadRow(row.line, problem))
    return table


def batches(table: Table, settings: Settings) -> Iterator[Batch]:
    """The good lines, in order, as many together as one transaction takes."""
    bad = {row.line for row in table.bad}
    batch, size = Batch(), 0
    for row in read_rows(table.text, table.kind):
        if isinstance(row, BadRow) or row.line in bad:
            continue
        more = _size(row.value)
        joined = len(batch.edges) + sum(len(node.connections) for _, node in batch.nodes)
        if len(batch.nodes) >= settings.max_nodes or joined >= settings.max_edges or size + more > BATCH_CHARACTERS:
            yield batch
            batch, size = Batch(), 0
        size += more
        if isinstance(row.value, NodeInput):
            batch.nodes.append((row.line, owned(row.value, table.resource)))
        else:
            batch.edges.append((row.line, row.value))
    if batch.nodes or batch.edges:
        yield batch


def owned(node: NodeInput, resource: str | None) -> NodeInput:
    return replace(node, resource=node.resource or resource or SHARED)


def edge_key(source: str, kind: EdgeType, target: str) -> EdgeKey:
    """As the edge is stored: CONFLICTS_WITH once, from the smaller id."""
    if kind is EdgeType.CONFLICTS_WITH:
        source, target = sorted((source, target))
    return EdgeKey(source, target, kind)


def packed(edges: Iterable[EdgeKey]) -> str:
    """Compressed: those of a table may be megabytes of text."""
    triples = sorted((key.source_id, key.target_id, str(key.type)) for key in edges)
    return base64.b64encode(zlib.compress(orjson.dumps(triples))).decode()


def unpacked(text: str | None) -> set[EdgeKey]:
    if text is None:
        return set()
    triples = orjson.loads(zlib.decompress(base64.b64decode(text)))
    return {EdgeKey(start, end, EdgeType(kind)) for start, end, kind in triples}


def _size(value: NodeInput | EdgeInput) -> int:
    return len(value.title) + len(value.content) if isinstance(value, NodeInput) else 100


def _problem(table: Table, row: Row, principal: Principal, settings: Settings) -> str | None:
    try:
        if isinstance(row.value, NodeInput):
            return _node(table, row.line, row.value, principal, settings)
        return _edge(table, row.line, row.value, settings)
    except InvalidInput as error:
        return _told(error)
    except GraphmemError as error:
        raise type(error)(f"line {row.line}: {error.message}", field=f"line {row.line}") from None


def _node(table: Table, line: int, node: NodeInput, principal: Principal, settings: Settings) -> str | None:
    validate.one(node, settings, "row")
    table.resources.add(principal.resource_for(node.resource or table.resource, new=True) or SHARED)
    if node.id is None:
        return None
    first = table.ids.setdefault(node.id, line)
    return None if first == line else f"id: {node.id!r} stands in line {first} already"


def _edge(table: Table, line: int, edge: EdgeInput, settings: Settings) -> str | None:
    validate.edges([edge], settings, "row")
    key = edge_key(edge.source_id, edge.type, edge.target_id)
    stated = replace(edge, source_id=key.source_id, target_id=key.target_id)
    digest = hashlib.sha256(orjson.dumps(stated)).digest()[:8]
    first, other = table.edges.setdefault((key.source_id, key.type, key.target_id), (line, digest))
    return None if other == digest else f"the edge of line {first} with other properties"


def _told(error: InvalidInput) -> str:
    return error.message.replace("row[0].", "").replace("row.", "").replace("row[0]", "the edge")
