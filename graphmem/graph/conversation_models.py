"""Labels and edges of the conversation room, declared as `models` does it."""

# The names are the graph's own.
# ruff: noqa: N815

from __future__ import annotations

from neomodel import AsyncRelationshipTo

from graphmem.graph import kinds
from graphmem.values import ContextType, MemoryKind, MemoryScope, Role, TurnState

TITLE_SOURCES = ("given", "message", "model")


class Resource(kinds.Item):
    """The customer, user or project that memory is about; `uid` is the caller's resourceId."""

    name = kinds.text(required=False)
    speakers = kinds.texts()
    metadata = kinds.text()
    facets = kinds.text(required=False)
    version = kinds.count()
    threads = AsyncRelationshipTo("Thread", "HAS_THREAD")
    copies = AsyncRelationshipTo("ThreadCopy", "HAS_THREAD")
    erased = AsyncRelationshipTo("Erased", "HAS_THREAD")
    profile = AsyncRelationshipTo("Profile", "HAS_PROFILE")


class _Conversation:
    """`openCalls`: ids of tool calls that have no result yet; `messageFacets`: the tokens that each of its messages
    has; `titleMessage`: the id of the message that a title made up was taken from."""

    resource = kinds.text()
    title = kinds.text(required=False)
    titlePinned = kinds.flag()
    titleSource = kinds.one_of(TITLE_SOURCES, required=False)
    titleMessage = kinds.text(required=False)
    speakers = kinds.texts()
    contextType = kinds.one_of(ContextType)
    topic = kinds.text(required=False)
    metadata = kinds.text()
    facets = kinds.text()
    messageFacets = kinds.text()
    lastSeq = kinds.count()
    messageCount = kinds.count()
    openCalls = kinds.texts()
    version = kinds.count()


class Thread(kinds.Item, _Conversation):
    """One conversation. `lastMessageAt`: its own creation until there is a message, and never to come; `movedSeq`: only
    while it is moved, the place up to which its messages have been brought over."""

    lastMessageAt = kinds.time()
    movedSeq = kinds.count(required=False)
    turns = AsyncRelationshipTo("Turn", "HAS_TURN")
    related_to = AsyncRelationshipTo("Thread", "RELATED_TO", model=kinds.Explicit)
    cloned_from = AsyncRelationshipTo("Thread", "CLONED_FROM")
    profile = AsyncRelationshipTo("Profile", "HAS_PROFILE")


class ThreadCopy(kinds.Item, _Conversation):
    """A copy of a thread until it has all messages up to the place `copyTo`; `change`: the entry of the call that began
    it."""

    copyTo = kinds.count()
    change = kinds.text(required=False)
    turns = AsyncRelationshipTo("Turn", "HAS_TURN")
    cloned_from = AsyncRelationshipTo("Thread", "CLONED_FROM")


class Erased(kinds.Item):
    """A resource or a thread that is being erased, or a deleted note while its very many edges go. `told`: of a
    resource, the answer to who had it erased, as JSON."""

    told = kinds.text(required=False)
    threads = AsyncRelationshipTo("Erased", "HAS_THREAD")
    turns = AsyncRelationshipTo("Turn", "HAS_TURN")
    profile = AsyncRelationshipTo("Profile", "HAS_PROFILE")


class Turn(kinds.Item):
    """One exchange in a thread. `expiresAt`: only while it is open; `staged`: how many messages wait in it;
    `openCalls`, `answeredCalls`: tool calls of its own without a result, and earlier ones that it has results for;
    `title`, `titleMessage`, `speakers`: what the thread would get from it; `memory`: the hash of what its commit made
    known."""

    thread = kinds.text()
    state = kinds.one_of(TurnState)
    attempt = kinds.count()
    agent = kinds.text(required=False)
    ttlSeconds = kinds.count(required=False)
    expiresAt = kinds.time(required=False)
    endedAt = kinds.time(required=False)
    reason = kinds.text(required=False)
    staged = kinds.count(required=False)
    openCalls = kinds.texts(required=False)
    answeredCalls = kinds.texts(required=False)
    title = kinds.text(required=False)
    titleMessage = kinds.text(required=False)
    speakers = kinds.texts(required=False)
    memory = kinds.text(required=False)
    firstSeq = kinds.count(required=False)
    lastSeq = kinds.count(required=False)
    messages = AsyncRelationshipTo("Message", "HAS_MESSAGE")
    staged_messages = AsyncRelationshipTo("StagedMessage", "HAS_MESSAGE")


class _Said:
    """What a message says. `parts` is JSON; `content` the text of the text parts and captions; a deleted message has
    neither, nor what is derived from them."""

    thread = kinds.text()
    turn = kinds.text()
    role = kinds.one_of(Role)
    speaker = kinds.text(required=False)
    agent = kinds.text(required=False)
    parts = kinds.text()
    content = kinds.text(required=False)
    contentHash = kinds.text(required=False)
    tokens = kinds.count()


class _Found:
    """What recall goes by (`retrieval.md` §1)."""

    text = kinds.text(required=False)
    isQuestion = kinds.flag()
    words = kinds.count()
    hasTimeWord = kinds.flag()
    facets = kinds.text(required=False)


class StagedMessage(kinds.Item, _Said, _Found):
    """A message of an open turn: no index has it, and no statement that reads messages sees it."""

    order = kinds.count()


class Message(kinds.Item, _Said, _Found):
    resource = kinds.text()
    seq = kinds.count()
    version = kinds.count()
    recordedFrom = kinds.time()
    context = kinds.text(required=False)
    embeddedText = kinds.text(required=False)
    tenantToken = kinds.text(required=False)
    deletedAt = kinds.time(required=False)
    next = AsyncRelationshipTo("Message", "NEXT")
    chunks = AsyncRelationshipTo("MessageChunk", "HAS_CHUNK")
    previous = AsyncRelationshipTo("MessageRevision", "PREVIOUS")


class MessageRevision(kinds.Item, _Said):
    """What a message said from `recordedFrom` to `recordedTo`."""

    resource = kinds.text()
    seq = kinds.count()
    version = kinds.count()
    recordedFrom = kinds.time()
    recordedTo = kinds.time()


class MessageChunk(kinds.Item):
    """A piece of a long message, with what the vector index filters on; `message` is the id of the message."""

    message = kinds.text()
    order = kinds.count()
    text = kinds.text()
    thread = kinds.text()
    resource = kinds.text()
    role = kinds.one_of(Role)
    agent = kinds.text(required=False)


class Notice(kinds.Item):
    """Something that a thread or an agent is to be told until it is acknowledged; `waitsFor`: that one, until then."""

    text = kinds.text()
    source = kinds.text(required=False)
    thread = kinds.text(required=False)
    resource = kinds.text(required=False)
    agent = kinds.text(required=False)
    waitsFor = kinds.text(required=False)
    expiresAt = kinds.time(required=False)
    acknowledgedAt = kinds.time(required=False)
    for_thread = AsyncRelationshipTo("Thread", "FOR")


class _Definition:
    """`definition`: a template, or a JSON Schema as JSON; `defined`: the profile's version that brought it, 0 for none
    ever."""

    kind = kinds.one_of(MemoryKind, required=False)
    definition = kinds.text(required=False)
    defined = kinds.count()
    definedAt = kinds.time()


class Profile(kinds.Item, _Definition):
    """The working memory of a resource or a thread, whose id is `owner`. `version` counts every change of it."""

    scope = kinds.one_of(MemoryScope)
    owner = kinds.text()
    version = kinds.count()
    fields = AsyncRelationshipTo("Field", "HAS_FIELD")
    previous = AsyncRelationshipTo("ProfileRevision", "PREVIOUS")


class ProfileRevision(kinds.Item, _Definition):
    """The form that a working memory had until `recordedTo`."""

    recordedTo = kinds.time()


class _FieldState:
    """`value` is JSON, and absent while the field is unset; `at`: the version of its profile that brought the state;
    `source`: the id of the message that it rests on, `sourceGone`: which is there no more."""

    name = kinds.text()
    value = kinds.text(required=False)
    text = kinds.text(required=False)
    tokens = kinds.count()
    source = kinds.text(required=False)
    sourceGone = kinds.flag(required=False)
    asOf = kinds.time(required=False)
    verifyElsewhere = kinds.flag()
    version = kinds.count()
    at = kinds.count()
    change = kinds.text(required=False)
    recordedFrom = kinds.time()


class Field(kinds.Item, _FieldState):
    """One thing that working memory says."""

    profile = kinds.text()
    from_ = AsyncRelationshipTo("Message", "FROM")
    previous = AsyncRelationshipTo("FieldRevision", "PREVIOUS")


class FieldRevision(kinds.Item, _FieldState):
    """What a field was from `recordedFrom` to `recordedTo`."""

    recordedTo = kinds.time()


NODES = (
    Resource, Thread, ThreadCopy, Erased, Turn, StagedMessage, Message, MessageRevision, MessageChunk, Notice,
    Profile, ProfileRevision, Field, FieldRevision,
)  # fmt: skip
