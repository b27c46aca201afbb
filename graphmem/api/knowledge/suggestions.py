"""What a person might tidy up, over GraphQL."""

from __future__ import annotations

import strawberry

from graphmem.access.view import View
from graphmem.api.context import Info
from graphmem.api.enums import Scope, SuggestionKind
from graphmem.api.knowledge.types import KnowledgeNode, of_node
from graphmem.api.paging import Connection, ListEdge, PageInfo, page_size
from graphmem.knowledge.suggestions import Suggestion, dismiss_suggestion, suggestions
from graphmem.ranking.splitting import Piece


@strawberry.type(description="Arguments for `mergeKnowledge`.")
class MergeProposal:
    ids: list[strawberry.ID]
    keep: strawberry.ID
    cosine: float = strawberry.field(description="Of the vectors; from 0.95.")
    lexical: float = strawberry.field(description="Share of words in common.")


@strawberry.type(description="A part of a note's content, from `start` to `end` in characters.")
class SplitPiece:
    title: str | None = strawberry.field(description="The heading it begins with.")
    start: int
    end: int
    words: int

    @classmethod
    def of(cls, piece: Piece) -> SplitPiece:
        return cls(title=piece.title, start=piece.start, end=piece.end, words=piece.words)


@strawberry.type(description="How a note of too many words may be cut; the pieces make up its content.")
class SplitProposal:
    words: int
    pieces: list[SplitPiece]


@strawberry.type(name="Suggestion", description="Something that may need a hand; nothing of it is done by itself.")
class SuggestionType:
    kind: SuggestionKind
    id: strawberry.ID | None = strawberry.field(description="For `dismissSuggestion`; merges have one.")
    nodes: list[KnowledgeNode] = strawberry.field(description="Of a merge, the one to keep first.")
    merge: MergeProposal | None
    split: SplitProposal | None

    @classmethod
    def of(cls, view: View, found: Suggestion) -> SuggestionType:
        merge = split = None
        if found.cosine is not None and found.lexical is not None:
            ids = [strawberry.ID(node.id) for node in found.nodes]
            merge = MergeProposal(ids=ids, keep=ids[0], cosine=found.cosine, lexical=found.lexical)
        if found.words is not None:
            split = SplitProposal(words=found.words, pieces=[SplitPiece.of(piece) for piece in found.pieces])
        return cls(
            kind=found.kind, id=None if found.id is None else strawberry.ID(found.id),
            nodes=[of_node(view, node) for node in found.nodes], merge=merge, split=split,
        )  # fmt: skip


@strawberry.type(description="A suggestion that was dismissed; `changed` is false when it was before.")
class DismissResult:
    id: strawberry.ID
    changed: bool


@strawberry.type
class SuggestionQuery:
    @strawberry.field(
        description="MERGE: pairs that say the same; SPLIT: notes of over 300 words; UNCONNECTED: notes without edges. "
        "A page may be short, even empty, and have a next one."
    )
    async def suggestions(
        self,
        info: Info,
        kind: SuggestionKind,
        first: int = 20,
        after: str | None = None,
        resource_id: strawberry.ID | None = None,
    ) -> Connection[SuggestionType]:
        info.context.principal.require(Scope.READ)
        view = View.of(info.context.principal, resource_id)
        found = await suggestions(info.context.graph, view, kind, page_size(first, info.context.settings), after)
        items = [SuggestionType.of(view, one) for one in found.items]
        edges = [ListEdge(cursor=cursor, node=item) for cursor, item in zip(found.cursors, items, strict=True)]
        return Connection(
            edges=edges, nodes=items, page_info=PageInfo(has_next_page=found.has_next, end_cursor=found.end)
        )


@strawberry.type
class SuggestionMutation:
    @strawberry.mutation(description="Have a pair never be suggested for a merge again.")
    async def dismiss_suggestion(
        self,
        info: Info,
        id: strawberry.ID,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> DismissResult:
        done = await dismiss_suggestion(
            info.context.graph, info.context.principal, id, resource=resource_id, idempotency_key=idempotency_key,
            dry_run=dry_run,
        )  # fmt: skip
        return DismissResult(id=strawberry.ID(done.id), changed=done.changed)
