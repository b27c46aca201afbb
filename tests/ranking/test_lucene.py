"""Words, stems and full-text queries, by example and by property."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.lucene import (
    MAX_TERMS,
    QUESTION_WORDS,
    STOP_WORDS,
    escape,
    facet_token,
    filter_query,
    having,
    only_stop_words,
    query,
    stems,
    tenant_token,
    terms,
    title_query,
    tokens,
)

TENANT = tenant_token("acme")
SPECIAL = '+-&|!(){}[]^"~*?:\\/ \t\n\u3000'
HOSTILE = st.text(alphabet=st.one_of(st.sampled_from(SPECIAL + "aANDORTO_.'"), st.characters()))

WORD = r"(?:\\.|[^\s\\+\-&|!(){}\[\]^\"~*?:/])+"
PAIR = rf'"{WORD} {WORD}"\^0\.5'
GROUP = rf"\({WORD}(?: {WORD})*(?: {PAIR})*\)"
QUERY = re.compile(
    rf"\+tenantToken:t[0-9a-f]{{32}}0\^0(?: \+facets:\(f[0-9a-f]{{32}}0\)\^0)*"
    rf" \+\((?:search(?:Title|Aliases|Content):{GROUP}\^\d+(?:\.\d+)? ){{3}}tenantToken:none\)"
)
"""The only shape a query may have: a Lucene operator outside of it must stand behind a backslash."""


def asked(text: str) -> str:
    """The words that a query looks for in titles, as they stand in it."""
    found = query(text, TENANT)
    assert found is not None
    group = re.search(r"searchTitle:\((.*?)\)\^1 ", found)
    assert group is not None
    return re.sub(rf" {PAIR}", "", group.group(1))


@given(HOSTILE, st.lists(st.tuples(st.text(), st.text()), max_size=3))
def test_any_text_gives_a_query_of_one_shape(question: str, pairs: list[tuple[str, str]]) -> None:
    found = query(question, tenant_token(question), [[facet_token(*pair)] for pair in pairs])
    if found is None:
        assert all(term in STOP_WORDS for term in terms(question))
    else:
        assert QUERY.fullmatch(found)


@given(st.text(alphabet=SPECIAL + "abANDORTO"))
def test_an_escaped_term_holds_no_bare_operator_and_reads_back_as_itself(term: str) -> None:
    escaped = escape(term)
    assert re.sub(r"\\(.)", r"\1", escaped, flags=re.DOTALL) == term
    assert not re.search(r"[-+&|!(){}\[\]^\"~*?:\\/\s]", re.sub(r"\\.", "", escaped, flags=re.DOTALL))
    assert escaped not in {"AND", "OR", "NOT", "TO"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/b testing", "b testing"),
        ("root causes/solutions", "root causes solutions"),
        ('"open quote', "open quote"),
        ("a AND b", "b"),
        ("foo:bar", r"foo\:bar foo bar"),
        ("x^", "x"),
        ("[a TO z", "z"),
        ("C:\\repo\\main", "c repo main"),
        ('The "Blue" Plan', "blue plan"),
        ("config.py", "config.py config py"),
        ("merge_nodes()", "merge_nodes merge nodes"),
        ("3.14 or 1,000", "3.14 1,000"),
        ("don't", "don't"),
        ("Café ÉCOLE", "cafe ecole"),
        ("c", "c"),
        ("\U0001f469\u200d\U0001f4bb \U0001f1e9\U0001f1ea", "\U0001f469\u200d\U0001f4bb \U0001f1e9\U0001f1ea"),
        ("日本語", "日 本 語"),
        ("ภาษาไทย", "ภาษาไทย"),
    ],
)
def test_words_are_looked_for_literally(text: str, words: str) -> None:
    """B02"""
    assert asked(text) == words


@pytest.mark.parametrize(
    "text", ["", "  ", "\u3000", "(", "~", "*", "?", "\\", "&&", "||", "!", "\ud800", "the of AND"]
)
def test_text_without_a_word_to_find_has_no_query(text: str) -> None:
    assert query(text, TENANT) is None


def test_padding_changes_nothing() -> None:
    assert query(" \u3000hello ", TENANT) == query("hello", TENANT)


def test_a_question_of_stop_words_is_asked_of_titles_alone() -> None:
    assert query("To be or not to be", TENANT) is None
    assert title_query("To be or not to be", "tab0", [["fcd0"]]) == (
        "+tenantToken:tab0^0 +facets:(fcd0)^0"
        " +(searchTitle:(to be or not)^1 searchAliases:(to be or not)^1 tenantToken:none)"
    )


def test_groups_of_facets_are_alternatives() -> None:
    assert filter_query("tab0", [["fa0", "fb0"], ["fc0"]]) == "+tenantToken:tab0^0 +facets:(fa0 fb0)^0 +facets:(fc0)^0"


def test_a_query_names_tenant_facets_fields_and_weights() -> None:
    assert query("pricing review", "tab0", [["fcd0"]], {"text": 1, "context": 0.5, "tiny": 0.00001}) == (
        "+tenantToken:tab0^0 +facets:(fcd0)^0"
        ' +(text:(pricing review "pricing review"^0.5)^1 context:(pricing review "pricing review"^0.5)^0.5'
        ' tiny:(pricing review "pricing review"^0.5)^0 tenantToken:none)'
    )


def test_a_filter_by_text_needs_every_word_in_one_field_or_another() -> None:
    assert having("The annual Review", "tab0", [["fcd0"]]) == (
        "+tenantToken:tab0^0 +facets:(fcd0)^0"
        " +(searchTitle:annual searchAliases:annual searchContent:annual tenantToken:none)"
        " +(searchTitle:review searchAliases:review searchContent:review tenantToken:none)"
    )
    assert having("the the", "tab0", titles=True) == (
        "+tenantToken:tab0^0 +(searchTitle:the searchAliases:the tenantToken:none)"
    )
    assert having("the", TENANT) is having("!?", TENANT) is having("...", TENANT, titles=True) is None


@given(HOSTILE)
def test_any_text_to_filter_by_gives_groups_of_escaped_words(text: str) -> None:
    found = having(text, TENANT) or ""
    fields = " ".join(rf"search{field}:{WORD}" for field in ("Title", "Aliases", "Content"))
    assert re.fullmatch(rf"(?:\+tenantToken:t[0-9a-f]{{32}}0\^0(?: \+\({fields} tenantToken:none\))+)?", found)


def test_words_side_by_side_are_asked_for_as_phrases_unless_one_of_them_names_nothing() -> None:
    found = query("What is the New York Times of the New York Times?", "tab0", (), {"text": 1})
    assert found == ('+tenantToken:tab0^0 +(text:(new york times "new york"^0.5 "york times"^0.5)^1 tenantToken:none)')


def test_question_words_are_dropped_and_names_stay() -> None:
    assert terms("What did Caroline's friend say, and when did Caroline go?") == (
        "caroline",
        "friend",
        "say",
        "and",
        "go",
    )


@pytest.mark.parametrize("text", ["What? Who?", "what is it", "how would"])
def test_question_words_stay_when_nothing_else_could_be_found(text: str) -> None:
    assert set(terms(text)) & QUESTION_WORDS
    assert query(text, TENANT) is not None


@pytest.mark.parametrize(
    ("text", "only"),
    [("to be or not to be", True), ("THE", True), ("the fox", False), ("who is it", False), ("?", False)],
)
def test_only_stop_words(text: str, only: bool) -> None:
    assert only_stop_words(text) is only


def test_terms_are_distinct_and_bounded() -> None:
    many = " ".join(f"word{i} what" for i in range(500))
    assert terms(f"word0 {many}") == tuple(f"word{i}" for i in range(MAX_TERMS))


def test_a_word_longer_than_the_index_keeps_is_cut_where_the_index_cuts_it() -> None:
    assert terms("x" * 1000) == ("x" * 255,)


@given(st.text(), st.text())
def test_tokens_of_tenants_and_facets_pass_the_analyser_unchanged(name: str, value: str) -> None:
    for token in (tenant_token(name), facet_token(name, value)):
        assert list(tokens(token)) == [token]
        assert stems(token) == {token}


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_facets_are_equal_only_for_equal_pairs(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (facet_token(*one) == facet_token(*other)) == (one == other)


def test_facets_do_not_blur_where_the_name_ends() -> None:
    assert (
        len({facet_token("a", "b:c"), facet_token("a:b", "c"), facet_token("", "a:b:c"), facet_token("a", "B:c")}) == 4
    )


def test_tenants_differ_whatever_their_characters() -> None:
    """B01"""
    names = ["team-alpha-01", "team_alpha_01", "Team-Alpha-01", "3f2a9c10-0000-4000-8000-00000000000a", "", " "]
    assert len({tenant_token(name) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        ("running runs run", "run"),
        ("Generalizations", "gener"),
        ("possibly possible", "possibl"),
        ("assembly assemblies assemble assembled", "assembl"),
        ("technology technologies", "technolog"),
        ("theology", "theologi"),
        ("revved", "rev"),
        ("u00ed", "u0"),
        ("trekking trekked trek", "trek"),
        ("falling falls", "fall"),
        ("Caroline's Caroline Caroline’s", "carolin"),
        ("us", "us"),
        ("U.S.", "u."),
    ],
)
def test_stems_are_those_of_the_english_analyser(words: str, stem: str) -> None:
    assert stems(words) == {stem}


def test_stems_leave_stop_words_out_and_fold_accents() -> None:
    assert stems("The Cafés and the ÉCOLE") == {"cafe", "ecol"}


@given(st.text())
def test_plain_text_is_cut_alike_with_and_without_an_accent_beside_it(text: str) -> None:
    plain = text.encode("ascii", "ignore").decode()
    assert [*tokens(plain), "e"] == list(tokens(f"{plain} é"))
