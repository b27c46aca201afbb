"""Irregular forms."""

from __future__ import annotations

import pytest

from graphmem.ranking.irregular import ADJECTIVES, NOUNS, VERBS, sisters
from graphmem.ranking.lucene import stems

FAMILIES = [family.split() for table in (VERBS, NOUNS, ADJECTIVES) for family in table.split(",")]


@pytest.mark.parametrize(
    ("word", "others"),
    [
        ("go", {"went", "gone"}),
        ("going", {"went", "gone"}),
        ("went", {"go", "gone"}),
        ("bought", {"buy"}),
        ("children", {"child"}),
        ("left", {"leave"}),
        ("leaves", {"left", "leaf"}),
        ("table", set()),
        ("walked", set()),
        ("", set()),
    ],
)
def test_the_forms_that_the_stemmer_leaves_apart(word: str, others: set[str]) -> None:
    assert set(sisters(word)) == others


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family[0])
def test_every_family_has_forms_of_different_stems_and_each_finds_the_others(family: list[str]) -> None:
    found = stems(" ".join(family))
    assert len(found) == len(family), "a form whose stem another has adds nothing"
    for form in family:
        assert found - stems(form) <= stems(" ".join(sisters(form)))
