"""GraphQL's guard rails: tokens, nesting, aliases, sizes and cost of an operation, all before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass, field
from functools import partial

from cachetools import LRUCache
from graphql import (
    ASTValidationRule,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    InlineFragmentNode,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    SelectionSetNode,
    ValidationContext,
    ValidationRule,
)
from strawberry.extensions import ParserCache, SchemaExtension, ValidationCache

from graphmem.api.cost import Plan
from graphmem.config import Settings
from graphmem.errors import InvalidInput, LimitExceeded

_TOO_MANY_TOKENS = re.compile(r"contains more than (\d+) tokens")
_CACHED = 256


def extensions(settings: Settings) -> list[Callable[[], SchemaExtension]]:
    """The schema's limits and caches, in their order; after the errors' extension, which has to come first."""
    # The rules are made once: the validation's own cache is keyed by them, so a new class a request would never hit.
    rules: list[type[ASTValidationRule]] = [shape_rule(settings.max_query_depth, settings.max_query_aliases)]
    if not settings.introspection:
        rules.append(NoSchemaIntrospectionCustomRule)

    known: LRUCache[int, _Checked] = LRUCache(_CACHED)
    return [
        partial(CachedParsing, settings.max_query_tokens),
        partial(CachedValidation, tuple(rules), settings, known),
    ]


def token_limit(error: GraphQLSyntaxError) -> LimitExceeded | None:
    """The parser's complaint about a document that is too long, in our words; None for any other."""
    found = _TOO_MANY_TOKENS.search(error.message)
    if found is None:
        return None
    allowed = int(found.group(1))
    return LimitExceeded(
        f"The query has more than {allowed:,} tokens (max_query_tokens). Split it, and give data as variables.",
        limit="max_query_tokens",
        value=allowed,
    )


class CachedParsing(ParserCache):
    """The parser's cache, for documents of at most `max_tokens`.

    A document with a syntax error is left to Strawberry, which reports it on every transport (raised from here it
    would end a subscription without an answer).
    """

    def __init__(self, max_tokens: int) -> None:
        super().__init__(maxsize=_CACHED)
        self.max_tokens = max_tokens

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        context.parse_options["max_tokens"] = self.max_tokens
        try:
            context.graphql_document = self.cached_parse_document(context.query, **context.parse_options)
        except GraphQLError:
            context.graphql_document = None
        yield


@dataclass(frozen=True, slots=True)
class _Checked:
    """A document, what is wrong with it, and what each of its operations costs, by name."""

    document: DocumentNode
    errors: list[GraphQLError]
    plans: dict[str | None, Plan] = field(default_factory=dict)


class CachedValidation(ValidationCache):
    """The validation's cache, with more rules, and the cost of what was found valid (it depends on the variables).

    `known` is by the id of a document, which stands beside what was kept for it: the same text is the same document
    (`CachedParsing`), and to hash one takes a fifth of a millisecond.
    """

    def __init__(
        self, rules: tuple[type[ASTValidationRule], ...], settings: Settings, known: MutableMapping[int, _Checked]
    ) -> None:
        super().__init__(maxsize=_CACHED)
        self.rules = rules
        self.settings = settings
        self.known = known

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        schema, document = context.schema._schema, context.graphql_document
        context.validation_rules += self.rules
        if document is not None:
            checked = self.known.get(id(document))
            if checked is None:
                errors = self.cached_validate_document(schema, document, context.validation_rules)
                checked = self.known[id(document)] = _Checked(document, errors)
            context.pre_execution_errors = checked.errors or self._unnamed(document) or self._over_cost(schema, checked)
        yield

    def _unnamed(self, document: DocumentNode) -> list[GraphQLError]:
        """Of several operations none is chosen that nobody named; Strawberry would run the first."""
        operations = sum(isinstance(one, OperationDefinitionNode) for one in document.definitions)
        if operations < 2 or self.execution_context._provided_operation_name is not None:
            return []
        refused = InvalidInput("The document has several operations; name one in operationName.", field="operationName")
        return [GraphQLError(refused.message, extensions=refused.extensions)]

    def _over_cost(self, schema: GraphQLSchema, checked: _Checked) -> list[GraphQLError]:
        name, max_cost = self.execution_context.operation_name, self.settings.max_query_cost
        try:
            if name not in checked.plans:
                checked.plans[name] = Plan(schema, checked.document, name, self.settings)
            cost = checked.plans[name].cost(self.execution_context.variables)
        except GraphQLError as error:
            return [error]
        if cost <= max_cost:
            return []
        refused = LimitExceeded(
            f"The query could cost {cost:,}; at most {max_cost:,} is allowed (max_query_cost). Ask for fewer "
            "fields, for less with `first`, `limit` or `topK`, or for a smaller `maxDepth`.",
            limit="max_query_cost",
            value=max_cost,
            actual=cost,
        )
        return [GraphQLError(refused.message, extensions=refused.extensions)]


def shape_rule(max_depth: int, max_aliases: int) -> type[ValidationRule]:
    """A validation rule that refuses operations with fields nested deeper than `max_depth`, or with more aliases.

    Both count through fragments, each time one is spread. `__schema` and `__type` are not counted into the depth.
    Strawberry's own limiters walk a fragment again for each spread, which takes exponential time for fragments that
    spread one another twice, and fail on a fragment that doesn't exist.
    """

    class ShapeRule(ValidationRule):
        def __init__(self, context: ValidationContext) -> None:
            super().__init__(context)
            self.shapes = Shapes(context.document)

        def enter_operation_definition(self, node: OperationDefinitionNode, *_: object) -> None:
            depth, aliases = self.shapes.of(node.selection_set)
            if depth > max_depth:
                self._refuse(node, "max_query_depth", max_depth, depth, "fields inside one another", "Nest less.")
            if aliases > max_aliases:
                self._refuse(node, "max_query_aliases", max_aliases, aliases, "aliases", "Split the query.")

        def _refuse(self, node: OperationDefinitionNode, limit: str, value: int, actual: int, of: str, do: str) -> None:
            message = f"The query has {actual:,} {of}; at most {value:,} are allowed ({limit}). {do}"
            refused = LimitExceeded(message, limit=limit, value=value, actual=actual)
            self.report_error(GraphQLError(message, nodes=node, extensions=refused.extensions))

    return ShapeRule


class Shapes:
    """Depth and aliases of the selections of one document; each fragment is measured once."""

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {d.name.value: d for d in document.definitions if isinstance(d, FragmentDefinitionNode)}
        self._known: dict[str, tuple[int, int]] = {}

    def of(self, selections: SelectionSetNode) -> tuple[int, int]:
        depth = aliases = 0
        for selection in selections.selections:
            below = 0, 0
            if isinstance(selection, FieldNode):
                below = self._of_field(selection)
            elif isinstance(selection, InlineFragmentNode):
                below = self.of(selection.selection_set)
            elif isinstance(selection, FragmentSpreadNode):
                below = self._of_fragment(selection.name.value)
            depth = max(depth, below[0])
            aliases += below[1]
        return depth, aliases

    def _of_field(self, field: FieldNode) -> tuple[int, int]:
        depth, aliases = self.of(field.selection_set) if field.selection_set else (0, 0)
        counted = not field.name.value.startswith("__")
        return (1 + depth if counted else 0), aliases + (field.alias is not None)

    def _of_fragment(self, name: str) -> tuple[int, int]:
        if name not in self._known:
            self._known[name] = 0, 0  # a cycle ends here; GraphQL's own rule reports it, and unknown names too
            if name in self._fragments:
                self._known[name] = self.of(self._fragments[name].selection_set)
        return self._known[name]
