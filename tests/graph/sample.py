"""One node of each label and one edge of each type, made by the verbs that make them in earnest."""

from __future__ import annotations

from dataclasses import replace

from graphmem.access.keys import create_key, revoke_key
from graphmem.access.principal import Principal, local_principal
from graphmem.config import Settings
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.embedding import Embedder, Loading
from graphmem.graph.gateway import Graph, Transaction
from graphmem.graph.index_state import Maker, begin, cancel
from graphmem.ingest.document import ingest_document
from graphmem.ingest.prepare import CSV
from graphmem.ingest.table import ingest_table
from graphmem.jobs import claim, enqueue, jobs
from graphmem.jobs.attempt import attempt
from graphmem.knowledge.delete import delete
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.link import link, unlink
from graphmem.knowledge.merge import merge_knowledge
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.remember import remember
from graphmem.knowledge.restore import restore
from graphmem.knowledge.retract import retract
from graphmem.knowledge.unmerge import unmerge_knowledge
from graphmem.knowledge.update import Patch, update
from graphmem.runtime import handlers
from graphmem.upkeep.erase import begin as begin_erasure
from graphmem.values import EXPLICIT_EDGES, EdgeType, Scope, Tenant, utc_now
from tests.graph.sample_conversation import make_conversation

LONG = " ".join(f"word{number}" for number in range(400))
"""Longer than the test embedder's window, so that it is cut into chunks."""


async def make_sample(graph: Graph, tenant: Tenant, embedder: Embedder) -> None:
    """Raises when a job failed."""
    caller = local_principal(tenant)
    await remember(graph, caller, _nodes(), _edges())
    await _work(graph, tenant, embedder)
    await update(
        graph, caller, "alpha", Patch(content="Alpha calls the Beta service over a queue.", aliases=("first",))
    )
    await link(graph, caller, [EdgeInput("alpha", "gamma", EdgeType.RELATED_TO, reason="seen together")])
    await unlink(graph, caller, [EdgeKey("alpha", "gamma", EdgeType.RELATED_TO)])
    await _correct(graph, caller)
    await ingest_document(graph, caller, "# Guide\n\nHow it begins.\n\n## Alpha\n\nWhat Alpha does.\n", "guide.md")
    await ingest_table(
        graph, caller, "from,to,type\nguide.md,alpha,DEPENDS_ON\n", "edges.csv", CSV, resource=None, root="folder"
    )
    key = await create_key(graph, tenant, name="sample", scopes=[Scope.READ], resource="customer", agent="helper")
    await revoke_key(graph, caller, key.api_key.id)
    bound = replace(caller, resource="customer", agent="helper")
    waits = EdgeInput("epsilon", "nowhere", EdgeType.RELATED_TO)
    await remember(graph, bound, [NodeInput("Epsilon", "About one customer too.", id="epsilon")], [waits])
    await graph.write(lambda tx: _queue(tx, tenant))
    await make_conversation(graph, bound)
    await _leave(graph, caller)
    await _begin_and_give_up(graph, Maker("another", embedder.dimension, "1"))
    await _work(graph, tenant, embedder)


async def _begin_and_give_up(graph: Graph, maker: Maker) -> None:
    """Another model's vectors, so that the graph knows what is noted of them; none is made."""

    async def work(tx: Transaction) -> None:
        begun = (await begin(tx, maker)).building
        assert begun is not None
        await tx.run("graph/note_left", number=begun.number, left=1)
        await cancel(tx)
        await tx.run("graph/forget_generation", number=begun.number)

    await graph.write(work)


async def _leave(graph: Graph, caller: Principal) -> None:
    """A resource whose erasure broke off."""
    await create_thread(graph, caller, ThreadInput("leaving", "thread of one who leaves"))
    await graph.write(lambda tx: begin_erasure(tx, caller.tenant, "leaving"))


async def _correct(graph: Graph, caller: Principal) -> None:
    """Merged, parted and merged again, with an edge that waits."""
    twins = [NodeInput("Tide tables", "High water at noon.", id=uid) for uid in ("twin", "zwin")]
    moved = [EdgeInput("zwin", end, EdgeType.RELATED_TO) for end in ("nowhere", "beta")]
    await remember(graph, caller, twins, moved)
    await merge_knowledge(graph, caller, ["twin", "zwin"], "the same")
    await unmerge_knowledge(graph, caller, "twin", "not the same")
    await merge_knowledge(graph, caller, ["twin", "zwin"], "the same after all")
    await remember(graph, caller, [NodeInput("Tide", "High water, of late.", id=uid) for uid in ("kept", "gone")])
    await merge_knowledge(graph, caller, ["kept", "gone"], "the same")
    await delete(graph, caller, "gone")
    await retract(graph, caller, "twin", "wrong")
    await restore(graph, caller, "twin", "right")
    await remember(graph, caller, [NodeInput("Tide tables", "High water at noon.", id="third")])
    await update(graph, caller, "gamma", Patch(confidence=0.6))


def _nodes() -> list[NodeInput]:
    return [
        NodeInput("Alpha", "Alpha calls the Beta service.", id="alpha", tags=["one"], metadata={"team": "red"}),
        NodeInput("Beta service", "It answers Alpha.", id="beta", aliases=["second"]),
        NodeInput("Gamma", LONG, id="gamma", confidence=0.5),
        NodeInput("Delta", "About one customer.", id="delta", resource="customer"),
    ]


def _edges() -> list[EdgeInput]:
    made = [EdgeInput("beta", "gamma", kind, weight=0.5) for kind in EXPLICIT_EDGES]
    return [*made, EdgeInput("alpha", "nowhere", EdgeType.DEPENDS_ON, reason="planned", valid_from=utc_now())]


async def _queue(tx: Transaction, tenant: Tenant) -> None:
    await enqueue(tx, tenant, "sample", {"about": "alpha"}, key="alpha", on="alpha")


async def _work(graph: Graph, tenant: Tenant, embedder: Embedder) -> None:
    async def load(_: Settings) -> Embedder:
        return embedder

    loading = Loading(graph.settings, load)
    await loading.embedder()
    known = handlers(graph, loading)
    while due := await claim(graph, list(known), limit=20, lease_seconds=60, tenant=tenant):
        for job in due:
            await attempt(graph, job, known[job.kind], 60)
    failed = [job.error for job in (await jobs(graph, tenant)).items if job.error]
    assert not failed, failed
