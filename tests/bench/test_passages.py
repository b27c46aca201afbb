"""Public sets as they are published, on a few passages made up here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from bench.passages import Passage, hotpotqa, limit, musique, recall
from graphmem.errors import InvalidInput


def write(folder: Path, name: str, *rows: Any) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"\n".join(map(orjson.dumps, rows)))


def test_musique_answers_are_the_supporting_paragraphs(tmp_path: Path) -> None:
    """Passages may have one title; title and text tell them apart."""
    texts = [("Kew", "a garden"), ("Kew", "a district"), ("Bath", "a city")]
    write(tmp_path, "multihop/musique_train_corpus.json", [{"title": one, "text": text} for one, text in texts])
    paragraphs = [
        {"title": title, "paragraph_text": text, "is_supporting": text != "a garden"} for title, text in texts
    ]
    write(tmp_path, "multihop/musique_train.json", [{"question": "Where?", "paragraphs": paragraphs}])
    found = musique(tmp_path)
    assert found.passages[0] == Passage("p00000", "Kew", "a garden")
    assert [(one.text, one.answers) for one in found.questions] == [("Where?", {"p00001", "p00002"})]


def test_hotpotqa_answers_are_the_passages_of_supporting_facts(tmp_path: Path) -> None:
    write(tmp_path, "multihop/hotpotqa_train_corpus.json", {"Kew": ["A garden.", " It is old."], "Bath": ["A city."]})
    facts = [["Bath", 0], ["Bath", 1]]
    write(tmp_path, "multihop/hotpotqa_train.json", [{"question": "Where?", "supporting_facts": facts}])
    found = hotpotqa(tmp_path)
    assert found.passages[0] == Passage("p00000", "Kew", "A garden. It is old.")
    assert [one.answers for one in found.questions] == [{"p00001"}]


def test_limit_answers_are_those_of_the_judgements(tmp_path: Path) -> None:
    write(
        tmp_path, "limit-small/corpus.jsonl", *({"_id": one, "title": "", "text": f"{one} likes tea"} for one in "AB")
    )
    write(tmp_path, "limit-small/queries.jsonl", {"_id": "q", "text": "Who likes tea?"})
    write(tmp_path, "limit-small/qrels.jsonl", *({"query-id": "q", "corpus-id": one, "score": 1} for one in "AB"))
    found = limit(tmp_path)
    assert [(one.title, one.text) for one in found.passages] == [("A", "A likes tea"), ("B", "B likes tea")]
    assert [one.answers for one in found.questions] == [{"p00000", "p00001"}]


@pytest.mark.parametrize(
    ("read", "name"),
    [(musique, "musique_train_corpus.json"), (hotpotqa, "hotpotqa_train_corpus.json"), (limit, "corpus.jsonl")],
)
def test_a_missing_file_is_named(tmp_path: Path, read: Any, name: str) -> None:
    with pytest.raises(InvalidInput, match=rf"{name} can't be read .*--data"):
        read(tmp_path)


def test_recall_is_the_share_of_the_answers_among_the_first() -> None:
    answers = frozenset(["a", "b", "c"])
    assert [recall(["a", "x", "b", "c"], answers, count) for count in (1, 2, 3, 4)] == pytest.approx(
        [1 / 3, 1 / 3, 2 / 3, 1]
    )
