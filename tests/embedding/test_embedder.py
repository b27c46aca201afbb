"""Queue, cache and long texts, over a network that the tests steer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import numpy as np
import pytest

from graphmem.config import Settings
from graphmem.embedding.embedder import BUDGET, NetworkEmbedder
from graphmem.embedding.worker import QUERY_ROUNDS, Worker
from graphmem.errors import Unavailable
from tests.fakes.network import StubNetwork


def over(network: StubNetwork, settings: Settings | None = None) -> NetworkEmbedder:
    settings = settings or Settings(embedding_batch=8)
    return NetworkEmbedder(network, Worker(lambda: network, settings.embedding_batch, BUDGET), settings)


@pytest.fixture
def network() -> StubNetwork:
    return StubNetwork()


@pytest.fixture
async def embedder(network: StubNetwork) -> AsyncIterator[NetworkEmbedder]:
    found = over(network)
    yield found
    network.open.set()
    await found.close()


async def begun(network: StubNetwork, embedder: NetworkEmbedder) -> asyncio.Task[list[float]]:
    """A query that holds the network inside its call, so that what comes next has to wait."""
    network.open.clear()
    network.entered.clear()
    first = asyncio.create_task(embedder.embed_query("first"))
    assert await asyncio.to_thread(network.entered.wait, 30)
    return first


async def queued(*waiting: asyncio.Task[list[float]]) -> None:
    """Let the tasks run up to their wait for the network."""
    for _ in waiting:
        await asyncio.sleep(0)


async def test_a_known_query_makes_no_call(embedder: NetworkEmbedder) -> None:
    assert await embedder.embed_query("tea") == await embedder.embed_query("tea")
    assert embedder.calls == 1


async def test_without_a_cache_each_query_makes_a_call(network: StubNetwork) -> None:
    embedder = over(network, Settings(embedding_cache=0))
    await embedder.embed_query("tea")
    await embedder.embed_query("tea")
    assert embedder.calls == 2
    await embedder.close()


async def test_the_cache_forgets_the_least_recently_asked(network: StubNetwork) -> None:
    embedder = over(network, Settings(embedding_cache=2))
    for text in ("a", "b", "a", "c", "a", "b"):
        await embedder.embed_query(text)
    assert network.batches == [["a"], ["b"], ["c"], ["b"]]
    await embedder.close()


async def test_queries_that_wait_share_one_call(network: StubNetwork, embedder: NetworkEmbedder) -> None:
    first = await begun(network, embedder)
    others = [asyncio.create_task(embedder.embed_query(text)) for text in ("a", "b", "b")]
    await queued(*others)
    network.open.set()
    found = await asyncio.gather(first, *others)
    assert network.batches == [["first"], ["a", "b"]]
    assert found[2] == found[3] != found[1]


async def test_a_query_that_gives_up_leaves_the_others_alone(network: StubNetwork, embedder: NetworkEmbedder) -> None:
    first = await begun(network, embedder)
    gone, stays = [asyncio.create_task(embedder.embed_query(text)) for text in ("gone", "stays")]
    await queued(gone, stays)
    gone.cancel()
    first.cancel()  # inside the network: its call cannot be stopped, its result is dropped
    with pytest.raises(asyncio.CancelledError):
        await gone
    network.open.set()
    assert len(await stays) == network.dimension
    assert network.batches == [["first"], ["stays"]]


async def test_a_failure_reaches_only_the_query_at_fault(network: StubNetwork, embedder: NetworkEmbedder) -> None:
    first = await begun(network, embedder)
    bad, good = [asyncio.create_task(embedder.embed_query(text)) for text in ("fail", "good")]
    await queued(bad, good)
    network.open.set()
    with pytest.raises(Unavailable, match="the log says why"):
        await bad
    assert len(await good) == len(await first) == network.dimension
    assert network.batches[1] == ["fail", "good"]


async def test_after_a_failure_the_next_call_works(embedder: NetworkEmbedder) -> None:
    with pytest.raises(Unavailable, match="the log says why"):
        await embedder.embed_texts(["fail", "good"])
    assert len(await embedder.embed_texts(["good"])) == 1


async def test_a_query_goes_ahead_of_waiting_texts(network: StubNetwork, embedder: NetworkEmbedder) -> None:
    first = await begun(network, embedder)
    bulk = asyncio.ensure_future(asyncio.gather(*[embedder.embed_texts([f"{n} " * n]) for n in range(1, 15)]))
    while sum(map(len, embedder._worker._waiting.values())) < 14:
        await asyncio.sleep(0)
    query = asyncio.create_task(embedder.embed_query("urgent"))
    await queued(query)
    network.open.set()
    await asyncio.gather(first, query, bulk)
    assert network.batches[1] == ["urgent"]
    assert [len(batch) for batch in network.batches[2:]] == [8, 6]


async def test_waiting_texts_get_their_turn_among_endless_queries(
    network: StubNetwork, embedder: NetworkEmbedder
) -> None:
    first = await begun(network, embedder)
    bulk = asyncio.create_task(embedder.embed_texts(["text"]))
    while not embedder._worker._waiting["document"]:
        await asyncio.sleep(0)
    rounds = QUERY_ROUNDS * 2
    queries = [asyncio.create_task(embedder.embed_query(f"q{n}")) for n in range(rounds * 8)]
    await queued(*queries)
    network.open.set()
    await asyncio.gather(first, bulk, *queries)
    assert network.batches.index(["text"]) <= QUERY_ROUNDS + 1


async def test_texts_come_back_in_their_order(embedder: NetworkEmbedder) -> None:
    texts = [f"{n} " * (n % 7 + 1) for n in range(30)]
    found = await embedder.embed_texts(texts)
    alone = [(await embedder.embed_texts([text]))[0] for text in texts]
    np.testing.assert_allclose(found, alone, rtol=1e-6)


async def test_a_call_has_at_most_a_batch_of_texts(network: StubNetwork, embedder: NetworkEmbedder) -> None:
    await embedder.embed_texts([str(n) for n in range(20)])
    assert [len(batch) for batch in network.batches] == [8, 8, 4]
    assert embedder.calls == 3


async def test_a_call_has_texts_of_like_length(network: StubNetwork, embedder: NetworkEmbedder) -> None:
    await embedder.embed_texts(["a b c d e f", "a", "b c d e f g", "b"] * 4)
    assert network.batches == [["a", "b"], ["a b c d e f", "b c d e f g"]]


async def test_long_texts_go_in_smaller_calls() -> None:
    network = StubNetwork(window=BUDGET)
    embedder = over(network)
    await embedder.embed_texts([f"{n} " * (BUDGET // 3) for n in range(6)])
    assert [len(batch) for batch in network.batches] == [3, 3]
    await embedder.close()


async def test_no_texts_make_no_call(embedder: NetworkEmbedder) -> None:
    assert await embedder.embed_texts([]) == []
    assert embedder.calls == 0


@pytest.mark.parametrize("kind", ["query", "document"])
async def test_a_text_beyond_the_window_is_the_mean_of_its_parts(embedder: NetworkEmbedder, kind: str) -> None:
    text = "one two three four five six seven eight. nine ten eleven twelve thirteen. fourteen fifteen sixteen."
    spans = embedder.chunk(text, embedder.window, 0)
    parts = [text[span.start : span.end] for span in spans]
    weights = [embedder.count_tokens(part) for part in parts]
    mean = np.average(await embedder.embed_texts(parts), axis=0, weights=weights)
    found = await embedder.embed_query(text) if kind == "query" else (await embedder.embed_texts([text]))[0]
    assert len(parts) == 2
    assert max(weights) <= embedder.window < embedder.count_tokens(text)
    np.testing.assert_allclose(found, mean / np.linalg.norm(mean), rtol=1e-5)


async def test_a_query_does_not_wait_for_ever(network: StubNetwork) -> None:
    embedder = over(network, Settings(embedding_timeout=0.01))
    network.open.clear()
    with pytest.raises(Unavailable, match="embedding_timeout"):
        await embedder.embed_query("slow")
    network.open.set()
    await embedder.close()


def test_loops_may_come_and_go(network: StubNetwork) -> None:
    embedder = over(network)
    first = asyncio.run(embedder.embed_query("first"))
    second = asyncio.run(embedder.embed_texts(["first"]))
    asyncio.run(embedder.close())
    assert second == [first]


async def test_closing_ends_the_thread_and_fails_what_waits(network: StubNetwork) -> None:
    embedder = over(network)
    thread = embedder._worker._thread
    first = await begun(network, embedder)
    waiting = asyncio.create_task(embedder.embed_query("waiting"))
    await queued(waiting)
    closing = asyncio.create_task(embedder.close())
    with pytest.raises(Unavailable, match="closed"):
        await waiting
    network.open.set()
    await closing
    assert len(await first) == network.dimension
    assert thread not in threading.enumerate()
    assert network.closed
    with pytest.raises(Unavailable, match="closed"):
        await embedder.embed_query("late")
    await embedder.close()


async def test_chunks_fit_a_window_that_is_smaller_than_the_usual_chunk(embedder: NetworkEmbedder) -> None:
    text = "word " * 100
    spans = embedder.chunk(text)
    assert embedder.window < 200
    assert max(embedder.count_tokens(text[span.start : span.end]) for span in spans) <= embedder.window
    assert spans[-1].end == len(text)
