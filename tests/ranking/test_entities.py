"""Entities out of texts, by hand-made cases and by property."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.entities import MAX_ENTITIES, Entity, entities, standing
from graphmem.ranking.names import MAX_WORDS, words

TEXTS = st.text(alphabet=st.one_of(st.sampled_from("ABab éÉßДд. -'&,\n"), st.characters(exclude_categories=["Cs"])))


def keys(text: str) -> list[str]:
    return [found.key for found in entities(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the song by Hank Snow was sold", ["hank snow"]),
        ("a river in Zimbabwe, Mozambique and Malawi", ["zimbabwe", "mozambique", "malawi"]),
        ("a member of the House of the Nobles of Sweden", ["house of the nobles of sweden"]),
        ("painted by Vincent van Gogh and Casado de la Prada", ["vincent van gogh", "casado de la prada"]),
        ("it was Bonnie and Clyde for Warner in Texas", ["bonnie", "clyde", "warner", "texas"]),
        ("written by J. R. R. Tolkien in St. Louis", ["j r r tolkien", "st louis"]),
        ("made by Johnson & Johnson with Rolls-Royce", ["johnson johnson", "rolls royce"]),
        ("sung by Sinéad O’Connor", ["sinead o'connor"]),
        (
            "the queen's Rolls Royce, Obama's White House, Kohl’s Bonn",
            ["rolls royce", "obama", "white house", "kohl", "bonn"],
        ),
        ("it runs on Node.js, and by J.R.R. Tolkien", ["node.js", "j.r.r tolkien"]),
        ("the Beatles (Liverpool) or “Wings”", ["beatles", "liverpool", "wings"]),
    ],
)
def test_runs_of_capitalised_words_are_found(text: str, found: list[str]) -> None:
    assert keys(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The Beatles met.", ["beatles"]),
        ("it was The Who and After The Battle of Hastings", ["battle of hastings"]),
        ("They left. Before Waterloo The Duke of Wellington danced.", ["waterloo the duke of wellington"]),
        ("So It Is", []),
        ("In Of The", []),
    ],
)
def test_common_words_before_a_name_are_cut(text: str, found: list[str]) -> None:
    assert keys(text) == found


def test_a_word_that_only_begins_sentences_is_no_name() -> None:
    assert keys("Rivers flow. Mountains rise!\nForests grow; “Lakes” are wet") == []


def test_a_word_that_begins_a_sentence_is_a_name_where_it_also_stands_inside_one() -> None:
    assert keys("Publix is a chain. Most shop at Publix.") == ["publix"]


def test_a_word_with_more_capitals_is_a_name_wherever_it_stands() -> None:
    assert keys("NATO met. GraphQL won.") == ["nato", "graphql"]


def test_a_run_of_several_words_is_a_name_wherever_it_stands() -> None:
    assert keys("Hank Snow sang.\nCanon Law rules.") == ["hank snow", "canon law"]


def test_sentences_lines_and_punctuation_end_a_run() -> None:
    text = "we saw Rome. Nero Burned it, Paris: London\nBerlin Wall"
    assert keys(text) == ["rome", "nero burned", "paris", "berlin wall"]


def test_the_full_stop_of_an_initial_does_not_tie_a_sentence() -> None:
    assert keys("he joined the U.S. Army; she left the U.S. The end") == ["u.s army", "u.s"]


def test_numbers_and_words_in_lower_case_are_no_part_of_a_name() -> None:
    assert keys("on 4 July 1776 the Apollo 11 crew used an iPhone") == ["july", "apollo", "iphone"]


def test_single_words_need_three_characters() -> None:
    assert keys("the UN and the USA in Ur or X") == ["usa"]


def test_particles_stand_inside_a_name_only() -> None:
    assert keys("a king of Spain and the count of") == ["spain"]
    assert keys("Ring of the de la von Nibelungen") == ["nibelungen"]


def test_a_run_of_more_words_than_a_name_may_have_is_dropped() -> None:
    assert keys("see " + " ".join(["Word"] * MAX_WORDS)) == [" ".join(["word"] * MAX_WORDS)]
    assert keys("see " + " ".join(["Word"] * (MAX_WORDS + 1))) == []


def test_the_first_spelling_is_kept_and_accents_and_case_make_no_other_entity() -> None:
    assert entities("in São Paulo, from SAO PAULO") == [Entity("sao paulo", "São Paulo")]


def test_composed_and_decomposed_letters_are_one_entity() -> None:
    assert entities("at Cafe\u0301 Noir or Caf\u00e9 Noir") == [Entity("cafe noir", "Cafe\u0301 Noir")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("роман написал Лев Толстой в Москве", ["лев толстои", "москве"]),
        ("ο ποιητής Κωνσταντίνος Καβάφης έζησε", ["κωνσταντινοσ καβαφησ"]),
        ("գրող Հովհաննես Թումանյան էր", ["հովհաննես թումանյան"]),
    ],
)
def test_any_script_with_capitals_has_entities(text: str, found: list[str]) -> None:
    assert keys(text) == found


@pytest.mark.parametrize(
    "text", ["", " \n", "東京は日本の首都です", "القاهرة عاصمة مصر", "दिल्ली भारत की राजधानी है", "no name here"]
)
def test_texts_without_capitals_have_none(text: str) -> None:
    assert keys(text) == []


def test_a_run_that_the_index_cuts_otherwise_is_dropped() -> None:
    assert keys("see 0AA¹ and Rome") == ["rome"]


def test_no_more_than_the_most_are_kept() -> None:
    text = "see " + ", ".join(f"Name{number:04}" for number in range(MAX_ENTITIES + 9))
    assert keys(text) == [f"name{number:04}" for number in range(MAX_ENTITIES)]


@given(TEXTS)
def test_every_entity_stands_in_its_text_as_a_run_of_words(text: str) -> None:
    found = entities(text)
    assert all(entity.spelling in text and " ".join(words(entity.spelling)) == entity.key for entity in found)
    assert len({entity.key for entity in found}) == len(found)
    assert {entity.key for entity in found} == standing(text, {entity.key for entity in found})


def test_keys_stand_in_a_text_as_whole_words_also_inside_one_another() -> None:
    known = {"new york", "new york city", "york", "city hall", "ork", "hall of fame"}
    assert standing("In NEW YORK-City hall, of", known) == {"new york", "new york city", "york", "city hall"}


def test_nothing_stands_where_nothing_is_known_or_written() -> None:
    assert standing("New York", set()) == set()
    assert standing("", {"new york"}) == set()
