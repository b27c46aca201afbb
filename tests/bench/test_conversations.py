"""LoCoMo as it is published, on a conversation made up here."""

from __future__ import annotations

from datetime import UTC, datetime
from math import log2
from pathlib import Path

import orjson
import pytest

from bench.conversations import FILE, Said, locomo, ndcg
from graphmem.errors import InvalidInput


def test_sessions_are_in_order_and_questions_have_answers(tmp_path: Path) -> None:
    said = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "Hi!"},
        {"speaker": "Bob", "dia_id": "D1:2", "text": "Look.", "blip_caption": "a fox"},
    ]
    conversation = {
        "speaker_a": "Ann", "speaker_b": "Bob", "session_10_date_time": "9:05 am on 1 June, 2023",
        "session_10": [{"speaker": "Ann", "dia_id": "D10:1", "text": "Bye."}],
        "session_2_date_time": "1:56 pm on 8 May, 2023", "session_2": said,
        "session_3_date_time": "1:56 pm on 9 May, 2023",
    }  # fmt: skip
    asked = [
        {"question": "What?", "category": 2, "evidence": ["D1:2; D10:1"]},
        {"question": "Who?", "category": 5, "evidence": ["D7:1"]},
        {"question": "Why?", "category": 1},
    ]
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_bytes(orjson.dumps([{"sample_id": "c", "conversation": conversation, "qa": asked}]))
    (found,) = locomo(tmp_path)
    assert [(one.id, one.at) for one in found.sessions] == [
        ("c 2", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)), ("c 10", datetime(2023, 6, 1, 9, 5, tzinfo=UTC)),
    ]  # fmt: skip
    assert found.sessions[0].messages[1] == Said("c D1:2", "Bob", "Look.", "a fox")
    (question,) = found.questions
    assert (question.text, question.category, question.answers) == ("What?", 2, {"c D1:2", "c D10:1"})
    assert found.sessions_of(question.answers) == {"c 2", "c 10"}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"locomo_1_5\.json can't be read .*--data"):
        locomo(tmp_path)


def test_gain_falls_with_the_place_and_is_measured_against_the_best_order() -> None:
    answers = frozenset(["a", "b"])
    assert ndcg(["a", "b", "x"], answers, 10) == pytest.approx(1.0)
    assert ndcg(["x", "a"], answers, 10) == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert ndcg(["x", "y", "a"], answers, 2) == 0
