"""What GraphQL says of values that arrive with a request: which field it is about, and what would be allowed."""

from __future__ import annotations

import re

from graphql import GraphQLEnumType, GraphQLSchema

_ABOUT = re.compile(
    r"(?:Variable '\$(?P<variable>\w+)'|Argument '(?P<argument>\w+)')"
    r"(?: of required type .+ was not provided| has invalid value(?: at (?P<path>(?:\.\w+|\[\d+\])+))?: )"
)
_NOT_ABOUT_ONE = re.compile(r"Variable values are nested|Too many errors processing variables")
_MEMBER = re.compile(r"Expected value of type '\w+' (?:to include required|not to include unknown) field '(\w+)'[.,]")
_ENUM = re.compile(
    r"(?:.*does not exist in '(\w+)' enum\.$|(?:(?:Variable|Argument) '.*?: )?Enum '(\w+)' cannot represent )",
    re.DOTALL,
)
_NULL = " not to be None."


def is_refused(message: str) -> bool:
    """Whether the complaint is about a value of the request, after the query itself was found valid."""
    return bool(_ABOUT.match(message) or _NOT_ABOUT_ONE.match(message))


def field(message: str) -> str | None:
    """The path of the value at fault, as `nodes[3].type`: from the variable, or else the argument, on.

    >>> field("Variable '$nodes' has invalid value at [3].type: Value 'X' does not exist in 'KnowledgeType' enum.")
    'nodes[3].type'
    """
    found = _ABOUT.match(message)
    if found is None:
        return None
    member = _MEMBER.match(message, found.end())
    name = found["variable"] or found["argument"]
    return f"{name}{found['path'] or ''}{f'.{member[1]}' if member else ''}"


def in_json(message: str) -> str:
    """The message, with null called by its name in JSON."""
    return f"{message.removesuffix(_NULL)} not to be null." if message.endswith(_NULL) else message


def with_members(message: str, schema: GraphQLSchema) -> str:
    """The message; where it is about a closed set, with what there is in it."""
    found = _ENUM.match(message)
    kind = schema.get_type(found[1] or found[2]) if found else None
    if not isinstance(kind, GraphQLEnumType):
        return message
    *others, last = kind.values
    return f"{message.rstrip('.')}; give {', '.join(others)}{' or ' if others else ''}{last}."
