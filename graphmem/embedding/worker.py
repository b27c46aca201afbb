"""The one thread that runs the network, and the queue before it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from graphmem.embedding.network import Kind, Network, Vectors
from graphmem.errors import Unavailable

QUERY_ROUNDS = 8
"""Calls in a row that queries may take before waiting documents get one."""


@dataclass(slots=True)
class Request:
    """Texts to embed in one call; `tokens` is the length of the longest."""

    texts: list[str]
    tokens: int
    kind: Kind
    answer: Future[Vectors] = field(default_factory=Future)


class Worker:
    """Queries go first; requests that wait together are embedded together, within `batch` and `budget`.

    `budget` bounds the padded tokens of one call, and with them the time that a query may wait for it.
    """

    def __init__(self, load: Callable[[], Network], batch: int, budget: int) -> None:
        self.network: Future[Network] = Future()
        self.calls = 0
        self._batch = batch
        self._budget = budget
        self._waiting: dict[Kind, deque[Request]] = {"query": deque(), "document": deque()}
        self._rounds = 0
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._live, args=(load,), name="embedding", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> Future[Vectors]:
        with self._changed:
            if self._closed:
                raise Unavailable("the embedding model is closed")
            self._waiting[request.kind].append(request)
            self._changed.notify()
        return request.answer

    def stop(self) -> None:
        """Fail what waits, and let the thread end once it has loaded or finished its current call."""
        with self._changed:
            self._closed = True
            waiting = [request for queue in self._waiting.values() for request in queue]
            for queue in self._waiting.values():
                queue.clear()
            self._changed.notify()
        for request in waiting:
            if request.answer.set_running_or_notify_cancel():
                request.answer.set_exception(Unavailable("the embedding model was closed before it read this text"))

    def join(self) -> None:
        self._thread.join()

    def _live(self, load: Callable[[], Network]) -> None:
        if not self.network.set_running_or_notify_cancel():
            return
        try:
            network = load()
        except BaseException as error:
            self.network.set_exception(error)
            return
        self.network.set_result(network)
        while group := self._next():
            self._answer(network, group)
        network.close()

    def _next(self) -> list[Request]:
        """The requests of the next call; none when the worker is closed."""
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._closed or any(self._waiting.values()))
                if self._closed:
                    return []
                if group := self._take(self._turn()):
                    return group

    def _turn(self) -> deque[Request]:
        queries, documents = self._waiting["query"], self._waiting["document"]
        if queries and (not documents or self._rounds < QUERY_ROUNDS):
            self._rounds += 1
            return queries
        self._rounds = 0
        return documents

    def _take(self, queue: deque[Request]) -> list[Request]:
        """Requests from the front of `queue` that fit one call together, without those cancelled meanwhile."""
        group: list[Request] = []
        texts = longest = 0
        while queue:
            head = queue[0]
            texts += len(head.texts)
            longest = max(longest, head.tokens)
            if group and (texts > self._batch or texts * longest > self._budget):
                break
            queue.popleft()
            if head.answer.set_running_or_notify_cancel():
                group.append(head)
            else:
                texts -= len(head.texts)
        return group

    def _answer(self, network: Network, group: list[Request]) -> None:
        unique = {text: row for row, text in enumerate(dict.fromkeys(text for one in group for text in one.texts))}
        self.calls += 1
        try:
            vectors = network.encode(list(unique), group[0].kind)
        except BaseException as error:
            if len(group) == 1:
                group[0].answer.set_exception(error)
                return
            for request in group:  # so that only the request at fault fails
                self._answer(network, [request])
            return
        for request in group:
            request.answer.set_result(vectors[[unique[text] for text in request.texts]])
