"""Making one node of several over GraphQL, and several of one again."""

from __future__ import annotations

import strawberry

from graphmem.api.context import Info
from graphmem.knowledge.merge import Merged, merge_knowledge
from graphmem.knowledge.unmerge import Left, Unmerged, unmerge_knowledge


@strawberry.input(description="A node that must be at this version.")
class ExpectedVersion:
    id: strawberry.ID
    version: int


@strawberry.type(description="What a merge came to; counts tell what the node that is kept has got.")
class MergeResult:
    merge_id: strawberry.ID | None = strawberry.field(
        description="For `unmergeKnowledge`; null: nothing was left to do."
    )
    id: strawberry.ID = strawberry.field(description="Of the node that is kept.")
    version: int
    merged: list[strawberry.ID] = strawberry.field(description="The nodes that were superseded.")
    aliases: int
    tags: int
    evidence: int
    edges: int = strawberry.field(description="Edges that were moved to it, or closed because it has them.")

    @classmethod
    def of(cls, done: Merged) -> MergeResult:
        return cls(
            merge_id=None if done.id is None else strawberry.ID(done.id), id=strawberry.ID(done.kept),
            version=done.version, merged=[strawberry.ID(uid) for uid in done.merged], aliases=done.aliases,
            tags=done.tags, evidence=done.evidence, edges=done.edges,
        )  # fmt: skip


@strawberry.type(description="Something that was changed since the merge, and was left as it is.")
class LeftAsItIs:
    id: strawberry.ID
    field: str = strawberry.field(description="A node's field; or the type of an edge, whose other end is `to`.")
    to: strawberry.ID | None

    @classmethod
    def of(cls, left: Left) -> LeftAsItIs:
        to = None if left.to is None else strawberry.ID(left.to)
        return cls(id=strawberry.ID(left.id), field=left.field, to=to)


@strawberry.type(description="What undoing a merge came to.")
class UnmergeResult:
    merge_id: strawberry.ID | None = strawberry.field(description="The merge that was undone; null: it was before.")
    id: strawberry.ID = strawberry.field(description="Of the node that had been kept.")
    version: int
    restored: list[strawberry.ID]
    edges: int = strawberry.field(description="Edges that are open again where they were.")
    left: list[LeftAsItIs]

    @classmethod
    def of(cls, done: Unmerged) -> UnmergeResult:
        return cls(
            merge_id=None if done.id is None else strawberry.ID(done.id), id=strawberry.ID(done.kept),
            version=done.version, restored=[strawberry.ID(uid) for uid in done.restored], edges=done.edges,
            left=[LeftAsItIs.of(left) for left in done.left],
        )  # fmt: skip


@strawberry.type
class MergeMutation:
    @strawberry.mutation(
        description="Make one node of several that say the same: `keep` (or the first) gets names, tags, evidence and "
        "edges of the others and supersedes them. Contradicting nodes are refused."
    )
    async def merge_knowledge(
        self,
        info: Info,
        ids: list[strawberry.ID],
        keep: strawberry.ID | None = None,
        reason: str | None = None,
        expected_versions: list[ExpectedVersion] | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> MergeResult:
        done = await merge_knowledge(
            info.context.graph, info.context.principal, [str(uid) for uid in ids], reason, keep=keep,
            expected_versions={str(one.id): one.version for one in expected_versions or ()},
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        info.context.services.wake()
        return MergeResult.of(done)

    @strawberry.mutation(
        description="Undo the newest merge of a node, as far as nothing was changed since; that stays and is told."
    )
    async def unmerge_knowledge(
        self,
        info: Info,
        id: strawberry.ID,
        merge_id: strawberry.ID | None = None,
        reason: str | None = None,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> UnmergeResult:
        done = await unmerge_knowledge(
            info.context.graph, info.context.principal, id, reason, merge=merge_id, expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        info.context.services.wake()
        return UnmergeResult.of(done)
