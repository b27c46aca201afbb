"""What is read of YAML front matter, and what is refused with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ingest.front_matter import labels, looks_like_front_matter, read_front_matter


def test_values_are_read_as_they_are_written_and_keys_are_text() -> None:
    assert read_front_matter("title: A\ntags: [x, y]\ndate: 2024-05-01\n1: one\ndeep: {a: {b: 1}}") == {
        "title": "A",
        "tags": ["x", "y"],
        "date": "2024-05-01",
        "1": "one",
        "deep": {"a": {"b": "1"}},
    }


@pytest.mark.parametrize(
    ("text", "kept", "warned"),
    [
        ('tags: ["a\\x07b", c]', ["c"], True),
        ("tags: [a, '#b', a b, 3]", ["a", "b", "a b", "3"], False),
        ("tags: a,b c", ["a", "b c"], False),
        ("tags: [true, no, 1.10, 2024-13-40, 0x10, ~]", ["true", "no", "1.10", "2024-13-40", "0x10"], True),
        ("tags: no", ["no"], False),
        ("tags: []", [], False),
        ("title: x", None, False),
        ("tags:", None, False),
        ("tags: [a, a, '', {b: c}]", ["a"], True),
        ("tags: {a: b}", [], True),
        (f"tags: [{'x' * 257}, y]", ["y"], True),
        (f"tags: {list(range(101))}", [str(at) for at in range(100)], True),
    ],
)
def test_tags_are_a_list_or_a_text_with_commas(text: str, kept: list[str] | None, warned: bool) -> None:
    read = read_front_matter(text)
    assert isinstance(read, dict)
    found, warnings = labels(read, "tags")
    assert found == kept
    assert [warning.startswith("front matter: tags") for warning in warnings] == [True] * warned


def test_empty_front_matter_is_an_empty_mapping() -> None:
    assert read_front_matter("") == {}


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("title: a\nother: b: c", "line 3: broken front matter: mapping values are not allowed here"),
        ("a: [1, 2", "line 2: broken front matter"),
        ("a: 'x\n\n\nb", "line 5: broken front matter"),
        ("a: 1\nb: \u0007", "line 3: broken front matter: special characters"),
        ("a: &x [1]\nb: *x", "line 3: front matter with an alias or a tag"),
        ("a: !!python/object/apply:os.system [ls]", "line 2: front matter with an alias or a tag"),
        ("a: !!int ''", "line 2: front matter with an alias or a tag"),
        ("a: " + "[" * 30 + "]" * 30, "line 2: front matter nested deeper than 20"),
        ("a: " + "[" * 30_000, "line 2: front matter nested deeper than 20"),
        ("- a\n- b", "line 2: front matter holds no `key: value` lines"),
        ("a: " + "x" * 64_000, "line 1: front matter of 64003 characters"),
        ("? [a]\n: b", "line 2: broken front matter"),
    ],
)
def test_what_is_not_read_is_named_with_its_line(raw: str, problem: str) -> None:
    found = read_front_matter(raw)
    assert isinstance(found, str)
    assert found.startswith(problem)


@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%@?,\n 0123.\t\u00e9\u2028", max_size=60))
def test_any_text_gives_a_mapping_or_a_problem_with_a_line(raw: str) -> None:
    found = read_front_matter(raw)
    assert isinstance(found, dict) or found.startswith("line ")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("title: a", True),
        ("\n# comment\n'quoted key': a", True),
        ("broken: b: c", True),
        ("", True),
        ("Just a sentence.", False),
        ("# Heading", False),
        ("## Heading\n\ntext: here", False),
        ("a" + " " * 100_000, False),
    ],
)
def test_text_between_thematic_breaks_is_not_taken_for_front_matter(raw: str, expected: bool) -> None:
    assert looks_like_front_matter(raw) is expected
