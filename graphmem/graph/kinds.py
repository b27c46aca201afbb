"""Kinds of properties, and what all nodes, and all edges with a recorded interval, have in common.

In a relationship's class neomodel reserves the name `source`, in a node's `nodes`, and Python that of `from`: such a
property has an underscore behind it, and its own name in `db_property`.
"""

# The names are the graph's own.
# ruff: noqa: N815

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from neomodel import (
    ArrayProperty,
    AsyncStructuredNode,
    AsyncStructuredRel,
    BooleanProperty,
    DateTimeNeo4jFormatProperty,
    FloatProperty,
    IntegerProperty,
    StringProperty,
)
from neomodel.properties import validator

from graphmem.values import Source

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


def one_of(names: Iterable[str], *, required: bool = True) -> StringProperty:
    return StringProperty(choices={str(name): str(name) for name in names}, required=required)


def text(*, required: bool = True, db_property: str | None = None) -> StringProperty:
    return StringProperty(required=required, db_property=db_property)


def time(*, required: bool = True) -> DateTimeNeo4jFormatProperty:
    return DateTimeNeo4jFormatProperty(required=required)


def texts(*, required: bool = True) -> ArrayProperty:
    return ArrayProperty(StringProperty(), required=required)


def count(*, required: bool = True) -> IntegerProperty:
    return IntegerProperty(required=required)


def flag(*, required: bool = True) -> BooleanProperty:
    return BooleanProperty(required=required)


class Opened(AsyncStructuredRel):
    """An edge with a recorded interval: open while `recordedTo` is `values.FOREVER`."""

    origin = one_of(ORIGINS)
    createdAt = time()
    recordedFrom = time()
    recordedTo = time()


class Explicit(Opened):
    """An edge that a caller made."""

    weight = Share(required=True)
    confidence = Share(required=True)
    source_ = StringProperty(choices={source: source for source in Source}, required=True, db_property="source")
    reason = text(required=False)
    validFrom = time(required=False)
    validTo = time()
    openedBy = text(required=False)
    closedBy = text(required=False)


class Contradicts(Explicit):
    tenant = text()


class Similar(AsyncStructuredRel):
    """The texts of two nodes, with these hashes, are nearly the same; from the smaller id."""

    tenant = text()
    createdAt = time()
    cosine = Share(required=True)
    lexical = Share(required=True)
    state = one_of(SUGGESTION_STATES)
    hashes = texts()


class Evidence(AsyncStructuredRel):
    """Taken from it by ingest (auto), or said to be by a caller."""

    origin = one_of(ORIGINS)
    createdAt = time(required=False)
    openedBy = text(required=False)


class MergePart(AsyncStructuredRel):
    """The node's version before and after the merge; `kept`: it is the one that stayed."""

    kept = BooleanProperty(required=True)
    before = IntegerProperty(required=True)
    after = IntegerProperty(required=True)


class Mention(Opened):
    """Made because a title or alias of the one end, or the words of an entity, stand in the text of the other.

    `spelling`, to an entity: how the text has it, where it shows by its capitals that it is a name.
    """

    spelling = text(required=False)


class Item(AsyncStructuredNode):
    """Anything of a tenant."""

    tenant = text()
    uid = text()
    createdAt = time()
    updatedAt = time()
