import pytest

from graphmem.ranking.agreement import AGREE, agreement

PAID = "A refund is paid within 14 days of the return."


@pytest.mark.parametrize(
    "other",
    [
        PAID,
        "Refunds are paid within 14 days of the return.",
        "Within 14 days of the return, a refund is paid.",
        "a REFUND is paid within 14 days of the return",
    ],
)
def test_texts_that_say_the_same_agree(other: str) -> None:
    assert agreement(PAID, other) >= AGREE
    assert agreement(PAID, other) == agreement(other, PAID)


@pytest.mark.parametrize(
    "other",
    [
        "A refund is not paid within 14 days of the return.",
        "A refund is never paid within 14 days of the return.",
        "A refund isn't paid within 14 days of the return.",
        "A refund is unpaid within 14 days of the return.",
        "A refund is paid within 10 days of the return.",
        "A refund is paid within 14 days before the return.",
        "A refund must be paid within 14 days of the return.",
        "No refund is paid within 14 days of the return.",
        "The moon rises.",
    ],
)
def test_texts_that_differ_in_what_turns_the_sense_do_not(other: str) -> None:
    """A negation keeps a cosine of 0.97, and is no duplicate."""
    assert agreement(PAID, other) < AGREE
    assert agreement(other, PAID) < AGREE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The office in Berlin opens at nine.", "The office in Paris opens at nine."),
        ("Das Büro ist geöffnet.", "Das Büro ist nicht geöffnet."),
        ("The door is possible to open.", "The door is impossible to open."),
        ("It is enabled by default.", "It is disabled by default."),
    ],
)
def test_two_things_and_opposites_are_not_one(one: str, other: str) -> None:
    assert agreement(one, other) == 0


def test_a_contraction_is_the_same_as_its_words() -> None:
    assert agreement("We do not pay refunds.", "We don't pay refunds.") >= AGREE


def test_texts_without_words_agree_when_they_are_equal() -> None:
    assert agreement("…", "…") == 1
    assert agreement("…", "!") == 0
