"""What the automatic edges of a search are weighed by: how rare the question's words are among a tenant's nodes.

Neo4j tells no document frequencies. They are counted by the search that first needs them, within its own statement,
and remembered for a while, because they need not be exact (`ranking/residual.py`).
"""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

from cachetools import TTLCache

from graphmem.graph.gateway import Graph, Row
from graphmem.ranking import expansion, lucene, names, residual
from graphmem.values import Status, Tenant

ENTITIES_A_SEED: Final = 10
BRIDGES_A_SEED: Final = 50
LOOKED_AT: Final = 200
"""Nodes that share an entity with a seed and are compared with the question, those with the rarest first."""
WITNESSES: Final = 10
"""The texts by which `residual.dense_weight` judges how much of the question the text list has."""
MAX_COUNTED: Final = 200
"""A stem in more nodes than that weighs as one in so many: it costs no recall (MuSiQue, HotpotQA)."""
MAX_SIZE: Final = 20_000
"""A tenant of more nodes is taken as one of so many."""
SECONDS: Final = 300.0
STEMS: Final = 65_536
TENANTS: Final = 4_096


class _Memory:
    """Counts of one graph, for this process and some minutes only."""

    def __init__(self) -> None:
        self.stems: TTLCache[tuple[Tenant, str], int] = TTLCache(STEMS, SECONDS)
        self.sizes: TTLCache[Tenant, int] = TTLCache(TENANTS, SECONDS)


_MEMORIES: WeakKeyDictionary[Graph, _Memory] = WeakKeyDictionary()


def _memory(graph: Graph) -> _Memory:
    found = _MEMORIES.get(graph.origin)
    if found is None:
        found = _MEMORIES[graph.origin] = _Memory()
    return found


class Weighing:
    """One question to one tenant: what is asked of the database for it, and what the answer makes of it."""

    def __init__(self, graph: Graph, tenant: Tenant, question: str) -> None:
        self._tenant = tenant
        self._asked = f" {' '.join(names.words(question))} "
        self._memory = _memory(graph)
        words = {stem: word for word in reversed(lucene.terms(question)) for stem in lucene.stems(word)}
        self._words = dict(sorted(words.items()))
        known = ((stem, self._memory.stems.get((tenant, stem))) for stem in self._words)
        self._counts = {stem: count for stem, count in known if count is not None}
        self._nodes = self._memory.sizes.get(tenant)

    def params(self, entities: bool) -> dict[str, Any]:
        """The parameters of the fragments that follow entities and count. `entities`: whether any are followed."""
        return {
            "stems": list(self._words),
            "witnesses": WITNESSES,
            "yields": residual.YIELDS,
            "entities": ENTITIES_A_SEED if entities else 0,
            "bridgeSeeds": residual.BRIDGE_SEEDS,
            "leastNodes": residual.LEAST_NODES,
            "mostNodes": residual.MOST_NODES,
            "asked": self._asked,
            "looked": LOOKED_AT,
            "bridged": BRIDGES_A_SEED,
            "uncounted": [
                [place, self._query(word)]
                for place, (stem, word) in enumerate(self._words.items())
                if stem not in self._counts
            ],
            "counted": MAX_COUNTED,
            "size": MAX_SIZE if self._nodes is None else 0,
        }

    def question(self, gathered: Row) -> expansion.Question:
        """What the nodes found are weighed by; what was counted is remembered."""
        stems = list(self._words)
        for place, count in gathered["counts"]:
            self._counts[stems[place]] = self._memory.stems[self._tenant, stems[place]] = count
        if gathered["nodes"] is not None:
            self._nodes = self._memory.sizes[self._tenant] = gathered["nodes"]
        nodes = self._nodes or 1
        seeds = (row[0] for row in gathered["pool"])
        return expansion.Question(
            mass=[residual.idf(nodes, self._counts.get(stem, 0)) for stem in stems],
            held=dict(zip(seeds, gathered["hits"], strict=False)),
            nodes=nodes,
        )

    def _query(self, word: str) -> str:
        """The tenant's active nodes that have the word."""
        tenant = lucene.filter_query(lucene.tenant_token(self._tenant), [[lucene.facet_token("status", Status.ACTIVE)]])
        term = lucene.escape(word)
        return f"{tenant} +(searchTitle:{term} searchContent:{term})"
