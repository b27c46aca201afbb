"""Recall of LoCoMo through the public API, with default settings: a session is a thread, its speakers a resource."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from bench.conversations import Asked, Conversation, Session, locomo, ndcg
from bench.passages import recall
from bench.report import at_least
from bench.stage import Caller, Stage, http_client
from graphmem.cli.serve import serving
from graphmem.errors import InvalidInput

WANTED: Mapping[str, float] = {"turns NDCG@10": 58.0, "turns R@10": 83.0, "sessions Hit@1": 77.0, "sessions R@5": 91.0}
"""Percent that a release has to reach. NDCG@10 is the mean over the five categories, others are over all questions."""
CREATE = "mutation ($resource: ID!, $id: ID!) { createThread(resourceId: $resource, id: $id) { id } }"
APPEND = (
    "mutation ($id: ID!, $messages: [MessageInput!]!) { appendTurn(threadId: $id, messages: $messages) { turnId } }"
)
RECALL = """
query ($resource: ID!, $text: String!, $count: Int!, $group: RecallGroup) {
  recall(input: {resourceId: $resource, query: $text, topK: $count, before: 0, after: 0, groupBy: $group}) {
    hits { message { id threadId } }
  }
}
"""


async def run(stage: Stage) -> None:
    if stage.data is None:
        raise InvalidInput("locomo needs the folder of the public sets: --data or GRAPHMEM_BENCH_DATA", field="data")
    conversations = locomo(stage.data)
    await stage.clear()
    settings = stage.settings.model_copy(update={"embedding_model": stage.model, "worker": True})
    async with serving(settings) as service, http_client(service.address) as http:
        await service.runtime.embedding.embedder()
        caller = Caller(http, await stage.key("bench-locomo"))
        for number, conversation in enumerate(conversations):
            stage.tell("Storing LoCoMo", number, len(conversations))
            for session in conversation.sessions:
                await _store(caller, conversation, session)
        while waiting := (await stage.graph.read("open_jobs"))[0]["jobs"]:
            stage.tell(f"LoCoMo: {waiting} jobs are open", 0, 0)
            await asyncio.sleep(0.5)
        await _measure(stage, caller, conversations)


async def _store(caller: Caller, conversation: Conversation, session: Session) -> None:
    await caller.ask(CREATE, resource=conversation.id, id=session.id)
    messages = []
    for said in session.messages:
        parts: list[dict[str, Any]] = [{"type": "TEXT", "text": said.text}]
        if said.caption:
            parts.append({"type": "FILE", "uri": "about:blank", "caption": said.caption})
        at = session.at.isoformat()
        messages.append({"id": said.id, "role": "USER", "speaker": said.speaker, "parts": parts, "createdAt": at})
    await caller.ask(APPEND, id=session.id, messages=messages)


async def _measure(stage: Stage, caller: Caller, conversations: Sequence[Conversation]) -> None:
    asked = [(conversation, question) for conversation in conversations for question in conversation.questions]
    scores: dict[str, list[float]] = defaultdict(list)
    by_category: dict[int, list[float]] = defaultdict(list)
    took: list[float] = []
    for number, (conversation, question) in enumerate(asked):
        began = time.perf_counter()
        turns = [one["id"] for one in await _recalled(caller, conversation, question, 10, None)]
        took.append((time.perf_counter() - began) * 1000)
        by_category[question.category].append(ndcg(turns, question.answers, 10))
        scores["turns R@10"].append(recall(turns, question.answers, 10))
        sessions = [one["threadId"] for one in await _recalled(caller, conversation, question, 5, "THREAD")]
        answers = conversation.sessions_of(question.answers)
        scores["sessions Hit@1"].append(float(sessions[0] in answers))
        scores["sessions R@5"].append(recall(sessions, answers, 5))
        stage.tell("Asking LoCoMo", number + 1, len(asked))
    scores["turns NDCG@10"] = [fmean(values) for values in by_category.values()]
    for name, wanted in WANTED.items():
        percent = 100 * fmean(scores[name])
        stage.figures.append(at_least(f"LoCoMo 1-5, {name}", percent, wanted, "wanted", "%", 1.0))
        stage.tell(f"LoCoMo {name}: {percent:.1f} %", 0, 0)
    stage.took("locomo", {"recall, question embedded": took})


async def _recalled(
    caller: Caller, conversation: Conversation, question: Asked, count: int, group: str | None
) -> list[dict[str, str]]:
    """The messages of the hits."""
    answer = await caller.ask(RECALL, resource=conversation.id, text=question.text, count=count, group=group)
    return [hit["message"] for hit in answer["recall"]["hits"]]
