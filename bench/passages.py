"""Public sets of passages and questions, read from a folder that is no part of graphmem.

`multihop/` holds MuSiQue and HotpotQA as the authors of HippoRAG use them, `limit-small/` holds LIMIT-small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from graphmem.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Passage:
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the ids of the passages that answer it."""

    text: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class PassageSet:
    name: str
    passages: Sequence[Passage]
    questions: Sequence[Asked]


def recall(found: Sequence[str], answers: frozenset[str], count: int) -> float:
    """The share of the answers that is among the first `count` found."""
    return len(answers.intersection(found[:count])) / len(answers)


def musique(folder: Path) -> PassageSet:
    rows = read_json(folder / "multihop" / "musique_train_corpus.json")
    passages = _numbered((row["title"], row["text"]) for row in rows)
    ids = {(passage.title, passage.text): passage.id for passage in passages}
    questions = [
        Asked(
            row["question"],
            frozenset(
                ids[part["title"], part["paragraph_text"]] for part in row["paragraphs"] if part["is_supporting"]
            ),
        )
        for row in read_json(folder / "multihop" / "musique_train.json")
    ]
    return PassageSet("MuSiQue-100", passages, questions)


def hotpotqa(folder: Path) -> PassageSet:
    rows = read_json(folder / "multihop" / "hotpotqa_train_corpus.json")
    passages = _numbered((title, "".join(sentences)) for title, sentences in rows.items())
    ids = {passage.title: passage.id for passage in passages}
    questions = [
        Asked(row["question"], frozenset(ids[title] for title, _ in row["supporting_facts"]))
        for row in read_json(folder / "multihop" / "hotpotqa_train.json")
    ]
    return PassageSet("HotpotQA-100", passages, questions)


def limit(folder: Path) -> PassageSet:
    """Who likes what: a passage a person, who is its title."""
    people = _lines(folder / "limit-small" / "corpus.jsonl")
    passages = _numbered((row["_id"], row["text"]) for row in people)
    ids = {passage.title: passage.id for passage in passages}
    answers: dict[str, set[str]] = {}
    for row in _lines(folder / "limit-small" / "qrels.jsonl"):
        answers.setdefault(row["query-id"], set()).add(ids[row["corpus-id"]])
    questions = [
        Asked(row["text"], frozenset(answers[row["_id"]])) for row in _lines(folder / "limit-small" / "queries.jsonl")
    ]
    return PassageSet("LIMIT-small", passages, questions)


SETS: Mapping[str, Sequence[Callable[[Path], PassageSet]]] = {"multihop": (musique, hotpotqa), "limit": (limit,)}
"""The sets of each benchmark."""


def _numbered(texts: Iterable[tuple[str, str]]) -> list[Passage]:
    return [Passage(f"p{number:05d}", title, text) for number, (title, text) in enumerate(texts)]


def read_json(path: Path) -> Any:
    return orjson.loads(_read(path))


def _lines(path: Path) -> list[Any]:
    return [orjson.loads(line) for line in _read(path).splitlines() if line.strip()]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"{path} can't be read ({error.strerror}); give the folder of the public sets as --data or as "
            "GRAPHMEM_BENCH_DATA (docs/benchmarks.md tells what it holds)",
            field="data",
        ) from error
