"""Every label and edge type of the graph, declared once: properties, what is required, what may stand in them.

Declarations only: what is read and written goes through statement files, `validate` checks against these classes, and
`schema` has the indexes, which neomodel cannot declare over several properties. In a relationship's class neomodel
reserves the name `source`, in a node's `nodes`, and Python that of `from`: such a property has an underscore behind it,
and its own name in `db_property`. The vector of each embedding generation is a property too (`validate.VECTOR`).
"""

# The names are the graph's own.
# ruff: noqa: N815

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from neomodel import (
    ArrayProperty,
    AsyncRelationshipTo,
    AsyncStructuredNode,
    AsyncStructuredRel,
    BooleanProperty,
    DateTimeNeo4jFormatProperty,
    FloatProperty,
    IntegerProperty,
    StringProperty,
)
from neomodel.properties import validator

from graphmem.values import EXPLICIT_EDGES, KnowledgeType, Scope, Source, Status

JOB_STATES = ("ready", "leased", "done", "failed")
ORIGINS = ("explicit", "auto")
SUGGESTION_STATES = ("open", "dismissed")


class Share(FloatProperty):
    """A number from 0 to 1."""

    @validator
    def deflate(self, value: Any) -> float:
        number = float(value)
        if not 0 <= number <= 1:
            raise ValueError(f"{number} is not from 0 to 1")
        return number


def _one_of(names: Iterable[str], *, required: bool = True) -> StringProperty:
    return StringProperty(choices={str(name): str(name) for name in names}, required=required)


def _text(*, required: bool = True, db_property: str | None = None) -> StringProperty:
    return StringProperty(required=required, db_property=db_property)


def _time(*, required: bool = True) -> DateTimeNeo4jFormatProperty:
    return DateTimeNeo4jFormatProperty(required=required)


def _texts(*, required: bool = True) -> ArrayProperty:
    return ArrayProperty(StringProperty(), required=required)


class Opened(AsyncStructuredRel):
    """An edge with a recorded interval: open while `recordedTo` is `values.FOREVER`."""

    origin = _one_of(ORIGINS)
    createdAt = _time()
    recordedFrom = _time()
    recordedTo = _time()


class Explicit(Opened):
    """An edge that a caller made."""

    weight = Share(required=True)
    confidence = Share(required=True)
    source_ = StringProperty(choices={source: source for source in Source}, required=True, db_property="source")
    reason = _text(required=False)
    validFrom = _time(required=False)
    validTo = _time()
    openedBy = _text(required=False)
    closedBy = _text(required=False)


class Contradicts(Explicit):
    tenant = _text()


class Similar(AsyncStructuredRel):
    """The texts of two nodes, with these hashes, are nearly the same; from the smaller id."""

    tenant = _text()
    createdAt = _time()
    cosine = Share(required=True)
    lexical = Share(required=True)
    state = _one_of(SUGGESTION_STATES)
    hashes = _texts()


class Evidence(AsyncStructuredRel):
    """Taken from it by ingest (auto), or said to be by a caller."""

    origin = _one_of(ORIGINS)
    createdAt = _time(required=False)
    openedBy = _text(required=False)


class MergePart(AsyncStructuredRel):
    """The node's version before and after the merge; `kept`: it is the one that stayed."""

    kept = BooleanProperty(required=True)
    before = IntegerProperty(required=True)
    after = IntegerProperty(required=True)


class Mention(Opened):
    """Made because a title or alias of the one end, or the words of an entity, stand in the text of the other.

    `spelling`, to an entity: how the text has it, where it shows by its capitals that it is a name.
    """

    spelling = _text(required=False)


class Item(AsyncStructuredNode):
    """Anything of a tenant."""

    tenant = _text()
    uid = _text()
    createdAt = _time()
    updatedAt = _time()


class _Searched:
    """What an index filters on; a chunk carries its node's."""

    type = _one_of(KnowledgeType)
    source = _one_of(Source)
    confidence = Share(required=True)
    status = _one_of(Status)
    resource = _text()
    validTo = _time()


class _State(_Searched):
    """All that a knowledge node says, and what is derived from it for the indexes."""

    title = _text()
    content = _text()
    aliases = _texts()
    tags = _texts()
    metadata = _text()
    validFrom = _time()
    version = IntegerProperty(required=True)
    recordedFrom = _time()
    contentHash = _text()
    embeddedText = _text(required=False)
    tenantToken = _text()
    facets = _text()
    searchTitle = _text()
    searchAliases = _text()
    searchContent = _text()
    stems = _texts()
    overLong = IntegerProperty(required=False)
    change = _text(required=False)
    reason = _text(required=False)


class Knowledge(Item, _State):
    related_to = AsyncRelationshipTo("Knowledge", "RELATED_TO", model=Explicit)
    depends_on = AsyncRelationshipTo("Knowledge", "DEPENDS_ON", model=Explicit)
    supersedes = AsyncRelationshipTo("Knowledge", "SUPERSEDES", model=Explicit)
    conflicts_with = AsyncRelationshipTo("Knowledge", "CONFLICTS_WITH", model=Contradicts)
    similar_to = AsyncRelationshipTo("Knowledge", "SIMILAR_TO", model=Similar)
    mentions = AsyncRelationshipTo("Knowledge", "MENTIONS", model=Mention)
    mentions_entity = AsyncRelationshipTo("Entity", "MENTIONS", model=Mention)
    named = AsyncRelationshipTo("Name", "NAMED")
    contains = AsyncRelationshipTo("Name", "CONTAINS")
    chunks = AsyncRelationshipTo("Chunk", "HAS_CHUNK")
    derived_from = AsyncRelationshipTo("Document", "DERIVED_FROM", model=Evidence)
    previous = AsyncRelationshipTo("Revision", "PREVIOUS")


class Revision(Item, _State):
    """What a knowledge node was from `recordedFrom` to `recordedTo`."""

    recordedTo = _time()


class Merge(Item):
    """What became one; the edges that it closed and opened say so in `closedBy` and `openedBy`."""

    undoneAt = _time(required=False)
    merged = AsyncRelationshipTo("Knowledge", "MERGED", model=MergePart)


class Name(Item):
    """A folded title or alias, by which nodes are found in texts; `start`: its first two words; `texts`: how many
    nodes contain it; `common`: too many for it to link them."""

    key = _text()
    start = _text()
    texts = IntegerProperty(required=True)
    common = BooleanProperty(required=True)


class Entity(Item):
    """A name found in texts by its capitals. `nodes`: how many in use have it in their text; `name`: its commonest
    spelling; `counts`: in how many each of `spellings` stands; `start`: its first two words."""

    key = _text()
    start = _text()
    name = _text(required=False)
    spellings = _texts()
    counts = ArrayProperty(IntegerProperty(), required=True)
    nodes_ = IntegerProperty(required=True, db_property="nodes")


class Document(Item):
    """A text that notes were taken from. `storedHash` stands for all that was stored from it, `root` for the folder it
    was last found in, `edges` for those that a table made."""

    path = _text()
    title = _text()
    mediaType = _text()
    resource = _text()
    contentHash = _text()
    storedHash = _text(required=False)
    root = _text(required=False)
    edges = _text(required=False)


class Chunk(Item, _Searched):
    """A piece of a long text; `node` is the id of its node."""

    node = _text()
    order = IntegerProperty(required=True)
    text = _text()


class PendingLink(Item):
    """An edge that waits for the node `missing`. `resources`: those that its makers could see; `bound`: the only one
    that its maker could write about. `movedBy`: the merge that moved it here from the node `movedFrom`."""

    resources = _texts()
    bound = _text(required=False)
    from_ = _text(db_property="from")
    to = _text()
    type = _one_of(EXPLICIT_EDGES)
    missing = _text()
    movedBy = _text(required=False)
    movedFrom = _text(required=False)
    weight = Share(required=True)
    confidence = Share(required=True)
    source = _one_of(Source)
    reason = _text(required=False)
    validFrom = _time(required=False)
    validTo = _time()


class Job(Item):
    """`payload` and `result` are JSON. `dueAt`, `openKey`: only while it waits; see `jobs`."""

    kind = _text()
    state = _one_of(JOB_STATES)
    payload = _text()
    attempts = IntegerProperty(required=True)
    runAfter = _time()
    dueAt = _time(required=False)
    lease = _text(required=False)
    leaseUntil = _time(required=False)
    key = _text(required=False)
    openKey = _text(required=False)
    result = _text(required=False)
    error = _text(required=False)
    finishedAt = _time(required=False)
    on = AsyncRelationshipTo("Item", "ON")


class Change(Item):
    """An entry of the change log; `before` and `after` stand beside `touched`, item by item."""

    idempotencyKey = _text()
    inputHash = _text()
    action = _text()
    keyId = _text()
    keyName = _text()
    resource = _text(required=False)
    agent = _text(required=False)
    touched = _texts()
    before = _texts()
    after = _texts()
    reply = _text()


class ApiKey(Item):
    keyId = StringProperty(unique_index=True, required=True)
    hash = _text()
    name = _text()
    scopes = ArrayProperty(_one_of(Scope, required=False), required=True)
    resource = _text(required=False)
    agent = _text(required=False)
    revokedAt = _time(required=False)


class IndexState(AsyncStructuredNode):
    """What the vectors of a kind are made with."""

    kind = StringProperty(unique_index=True, required=True)
    generation = IntegerProperty(required=True)
    model = _text()
    dimension = IntegerProperty(required=True)
    recipe = _text()
    createdAt = _time()


class Migration(AsyncStructuredNode):
    number = IntegerProperty(unique_index=True, required=True)
    name = _text()
    checksum = _text()
    appliedAt = _time()


class MigrationLock(AsyncStructuredNode):
    """`owner` has the lease on migrating until `leaseUntil`; `asked` is who wanted it last."""

    name = StringProperty(unique_index=True, required=True)
    asked = _text()
    owner = _text(required=False)
    leaseUntil = _time(required=False)


NODES: Mapping[str, type] = {
    model.__label__: model
    for model in (
        Item, Knowledge, Revision, Merge, Name, Entity, Document, Chunk, PendingLink, Job, Change, ApiKey,
        IndexState, Migration, MigrationLock,
    )
}  # fmt: skip
EDGES: Mapping[str, type] = {
    relation.definition["relation_type"]: relation.definition["model"] or AsyncStructuredRel
    for model in NODES.values()
    for _, relation in model.__all_relationships__  # type: ignore[attr-defined]
}
