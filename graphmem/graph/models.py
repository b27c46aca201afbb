"""Every label and edge type of the graph, declared once: properties, what is required, what may stand in them.

Declarations only: what is read and written goes through statement files, `validate` checks against these classes, and
`schema` has the indexes, which neomodel cannot declare over several properties. In a relationship's class neomodel
reserves the name `source`, in a node's `nodes`, and Python that of `from`: such a property has an underscore behind it,
and its own name in `db_property`. The vector of each embedding generation is a property too (`validate.VECTOR`).
"""

# The names are the graph's own.
# ruff: noqa: N815

from __future__ import annotations

from collections.abc import Mapping

from neomodel import (
    ArrayProperty,
    AsyncRelationshipTo,
    AsyncStructuredNode,
    AsyncStructuredRel,
    BooleanProperty,
    IntegerProperty,
    StringProperty,
)

from graphmem.graph import conversation_models, kinds
from graphmem.values import EXPLICIT_EDGES, KnowledgeType, Scope, Source, Status

JOB_STATES = ("ready", "leased", "done", "failed")


class _Searched:
    """What an index filters on; a chunk carries its node's."""

    type = kinds.one_of(KnowledgeType)
    source = kinds.one_of(Source)
    confidence = kinds.Share(required=True)
    status = kinds.one_of(Status)
    resource = kinds.text()
    validTo = kinds.time()


class _State(_Searched):
    """All that a knowledge node says, and what is derived from it for the indexes."""

    title = kinds.text()
    content = kinds.text()
    aliases = kinds.texts()
    tags = kinds.texts()
    metadata = kinds.text()
    validFrom = kinds.time()
    version = IntegerProperty(required=True)
    recordedFrom = kinds.time()
    contentHash = kinds.text()
    embeddedText = kinds.text(required=False)
    tenantToken = kinds.text()
    facets = kinds.text()
    searchTitle = kinds.text()
    searchAliases = kinds.text()
    searchContent = kinds.text()
    stems = kinds.texts()
    overLong = IntegerProperty(required=False)
    change = kinds.text(required=False)
    reason = kinds.text(required=False)


class Knowledge(kinds.Item, _State):
    related_to = AsyncRelationshipTo("Knowledge", "RELATED_TO", model=kinds.Explicit)
    depends_on = AsyncRelationshipTo("Knowledge", "DEPENDS_ON", model=kinds.Explicit)
    supersedes = AsyncRelationshipTo("Knowledge", "SUPERSEDES", model=kinds.Explicit)
    conflicts_with = AsyncRelationshipTo("Knowledge", "CONFLICTS_WITH", model=kinds.Contradicts)
    similar_to = AsyncRelationshipTo("Knowledge", "SIMILAR_TO", model=kinds.Similar)
    mentions = AsyncRelationshipTo("Knowledge", "MENTIONS", model=kinds.Mention)
    mentions_entity = AsyncRelationshipTo("Entity", "MENTIONS", model=kinds.Mention)
    named = AsyncRelationshipTo("Name", "NAMED")
    contains = AsyncRelationshipTo("Name", "CONTAINS")
    chunks = AsyncRelationshipTo("Chunk", "HAS_CHUNK")
    derived_from = AsyncRelationshipTo("Document", "DERIVED_FROM", model=kinds.Evidence)
    previous = AsyncRelationshipTo("Revision", "PREVIOUS")


class Revision(kinds.Item, _State):
    """What a knowledge node was from `recordedFrom` to `recordedTo`."""

    recordedTo = kinds.time()


class Merge(kinds.Item):
    """What became one; the edges that it closed and opened say so in `closedBy` and `openedBy`. `lost`: of what was
    merged, what was deleted since."""

    undoneAt = kinds.time(required=False)
    lost = kinds.texts(required=False)
    merged = AsyncRelationshipTo("Knowledge", "MERGED", model=kinds.MergePart)


class Name(kinds.Item):
    """A folded title or alias, by which nodes are found in texts; `start`: its first two words; `texts`: how many
    nodes contain it; `common`: too many for it to link them."""

    key = kinds.text()
    start = kinds.text()
    texts = IntegerProperty(required=True)
    common = BooleanProperty(required=True)


class Entity(kinds.Item):
    """A name found in texts by its capitals. `nodes`: how many in use have it in their text; `name`: its commonest
    spelling; `counts`: in how many each of `spellings` stands; `start`: its first two words."""

    key = kinds.text()
    start = kinds.text()
    name = kinds.text(required=False)
    spellings = kinds.texts()
    counts = ArrayProperty(IntegerProperty(), required=True)
    nodes_ = IntegerProperty(required=True, db_property="nodes")


class Document(kinds.Item):
    """A text that notes were taken from. `storedHash` stands for all that was stored from it, `root` for the folder it
    was last found in, `edges` for those that a table made. `page`: its name without folders and suffix; `keys`: what of
    its notes' keys stands behind the path; `links`: those in it, as written; `linked`: the pages that these name."""

    path = kinds.text()
    title = kinds.text()
    mediaType = kinds.text()
    resource = kinds.text()
    contentHash = kinds.text()
    storedHash = kinds.text(required=False)
    root = kinds.text(required=False)
    edges = kinds.text(required=False)
    page = kinds.text(required=False)
    keys = kinds.texts(required=False)
    links = kinds.texts(required=False)
    linked = kinds.texts(required=False)


class Chunk(kinds.Item, _Searched):
    """A piece of a long text; `node` is the id of its node."""

    node = kinds.text()
    order = IntegerProperty(required=True)
    text = kinds.text()


class PendingLink(kinds.Item):
    """An edge that waits for the node `missing`. `resources`: those that its makers could see; `bound`: the only one
    that its maker could write about. `movedBy`: the merge that moved it here from the node `movedFrom`."""

    resources = kinds.texts()
    bound = kinds.text(required=False)
    from_ = kinds.text(db_property="from")
    to = kinds.text()
    type = kinds.one_of(EXPLICIT_EDGES)
    missing = kinds.text()
    movedBy = kinds.text(required=False)
    movedFrom = kinds.text(required=False)
    weight = kinds.Share(required=True)
    confidence = kinds.Share(required=True)
    source = kinds.one_of(Source)
    reason = kinds.text(required=False)
    validFrom = kinds.time(required=False)
    validTo = kinds.time()


class Job(kinds.Item):
    """`payload` and `result` are JSON. `dueAt`, `openKey`: only while it waits; see `jobs`."""

    kind = kinds.text()
    state = kinds.one_of(JOB_STATES)
    payload = kinds.text()
    attempts = IntegerProperty(required=True)
    runAfter = kinds.time()
    dueAt = kinds.time(required=False)
    lease = kinds.text(required=False)
    leaseUntil = kinds.time(required=False)
    key = kinds.text(required=False)
    openKey = kinds.text(required=False)
    result = kinds.text(required=False)
    error = kinds.text(required=False)
    finishedAt = kinds.time(required=False)
    on = AsyncRelationshipTo("Item", "ON")


class Change(kinds.Item):
    """An entry of the change log; `before` and `after` stand beside `touched`, item by item."""

    idempotencyKey = kinds.text()
    inputHash = kinds.text()
    action = kinds.text()
    keyId = kinds.text()
    keyName = kinds.text()
    resource = kinds.text(required=False)
    agent = kinds.text(required=False)
    touched = kinds.texts()
    before = kinds.texts()
    after = kinds.texts()
    reply = kinds.text()


class ApiKey(kinds.Item):
    keyId = StringProperty(unique_index=True, required=True)
    hash = kinds.text()
    name = kinds.text()
    scopes = ArrayProperty(kinds.one_of(Scope, required=False), required=True)
    resource = kinds.text(required=False)
    agent = kinds.text(required=False)
    revokedAt = kinds.time(required=False)


class IndexState(AsyncStructuredNode):
    """What the vectors are made with; one node, of kind `vectors`."""

    kind = StringProperty(unique_index=True, required=True)
    generation = IntegerProperty(required=True)
    model = kinds.text()
    dimension = IntegerProperty(required=True)
    recipe = kinds.text()
    next = IntegerProperty()
    nextModel = kinds.text(required=False)
    nextDimension = IntegerProperty()
    nextRecipe = kinds.text(required=False)
    nextLeft = IntegerProperty()
    retired = IntegerProperty()
    createdAt = kinds.time()


class Migration(AsyncStructuredNode):
    number = IntegerProperty(unique_index=True, required=True)
    name = kinds.text()
    checksum = kinds.text()
    appliedAt = kinds.time()


class MigrationLock(AsyncStructuredNode):
    """`owner` has the lease on migrating until `leaseUntil`; `asked` is who wanted it last."""

    name = StringProperty(unique_index=True, required=True)
    asked = kinds.text()
    owner = kinds.text(required=False)
    leaseUntil = kinds.time(required=False)


NODES: Mapping[str, type] = {
    model.__label__: model
    for model in (
        kinds.Item, Knowledge, Revision, Merge, Name, Entity, Document, Chunk, PendingLink, Job, Change, ApiKey,
        *conversation_models.NODES, IndexState, Migration, MigrationLock,
    )
}  # fmt: skip
EDGES: Mapping[str, type] = {
    relation.definition["relation_type"]: relation.definition["model"] or AsyncStructuredRel
    for model in NODES.values()
    for _, relation in model.__all_relationships__  # type: ignore[attr-defined]
}
