"""Templates and whole documents in Markdown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from graphmem.conversation.document import markdown_values
from graphmem.conversation.field_names import Names, join
from graphmem.conversation.fields import MemoryOp, MemoryOpKind, apply
from graphmem.conversation.template import Template, parse, render
from graphmem.errors import InvalidInput
from graphmem.values import is_blank
from tests.conversation.test_memory_fields import PART

CUSTOMER = """\
# Customer Profile

## Identity
- Name:
- Account tier: (free / pro / enterprise)
- **Primary contact**: [an address]
- Address:
  - Street:
  - City (of residence):

## Open Threads
Only what matters now.
- Order / ticket refs:
  - (one each)
- Promised follow-ups: (only what WE actually owe them — never invent)

## Notes
(whatever else)

## Tasks
-
"""
NAMES = [
    "Identity.Name", "Identity.Account tier", "Identity.Primary contact", "Identity.Address.Street",
    "Identity.Address.City", "Open Threads.Order / ticket refs", "Open Threads.Promised follow-ups", "Notes", "Tasks",
]  # fmt: skip


def read(text: str, template: Template | None, had: dict[str, Any]) -> dict[str, Any]:
    return markdown_values(text, template, had, Names(template.names if template else [], had))


def test_the_fields_of_a_template_with_their_hints() -> None:
    found = parse(CUSTOMER)
    assert found.names == NAMES
    assert [hint for hint in found.hints.values() if hint] == [
        "(free / pro / enterprise)", "[an address]", "(of residence)", "(one each)",
        "(only what WE actually owe them — never invent)", "(whatever else)",
    ]  # fmt: skip
    assert parse("- Name:\n- City:").names == ["Name", "City"]
    assert parse("# One\n- Name:\n# Two\n").names == ["One.Name", "Two"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "blank"), (" \n", "blank"), ("Just prose.", "no field"), ("- A:\n- a:", "twice"), ("x" * 30_000, "20000")],
)
def test_a_template_without_fields_of_their_own_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        parse(text)


def test_headings_and_order_stay_and_hints_stand_where_nothing_is_set() -> None:
    """C48."""
    template = parse(CUSTOMER)
    assert render(template, {}) == CUSTOMER.strip("\n")
    values = {"Tasks": ["call"], "Identity.Account tier": "pro", "Identity.Address.City": "Bern", "Seats": 5}
    text = render(template, values)
    assert text.splitlines() == [
        *CUSTOMER.splitlines()[:4], "- Account tier: pro", *CUSTOMER.splitlines()[5:8], "  - City: Bern",
        *CUSTOMER.splitlines()[9:20], "- call", "", "## Other", "- Seats: 5",
    ]  # fmt: skip
    assert "(only what WE actually owe them — never invent)" in text
    assert "(free / pro / enterprise)" not in text


def test_a_hint_is_never_a_value() -> None:
    template = parse(CUSTOMER)
    assert read(CUSTOMER, template, {}) == {}
    near = CUSTOMER.replace("(free / pro / enterprise)", "free/pro/enterprise").replace(
        "(whatever else)", "Whatever else"
    )
    assert read(near, template, {}) == {}
    for hint in ("(free / pro / enterprise)", "Free / Pro / Enterprise"):
        op = MemoryOp(MemoryOpKind.SET, "Account tier", hint)
        found = apply({}, [op], Names(template.names, ()), template.hints)
        assert (found.after, found.hints) == ({}, ("Identity.Account tier",))
    assert read(CUSTOMER.replace("(free / pro / enterprise)", "free"), template, {}) == {
        "Identity.Account tier": "free"
    }


WORDS = st.text(min_size=1, max_size=12).filter(lambda text: not is_blank(text))
NUMBER = st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | st.booleans()
VALUE = WORDS | NUMBER | st.lists(WORDS | NUMBER | st.fixed_dictionaries({"a": WORDS}), max_size=3)


@given(st.dictionaries(st.sampled_from([*NAMES, "Seats", "about.x", "St\\. Gallen", "Plan (old)", "a:b"]), VALUE))
@example({"Notes": "one\ntwo", "Tasks": ["Name: me", "- x", "# y", '"z"']})
@example({"Identity.Name": "- x", "Identity.Address.City": "# Notes", "Seats": '"'})
@example({"Open Threads.Order / ticket refs": [], "Identity.Account tier": "x: y", "Notes": "- Name: z"})
def test_what_is_written_is_read_again(values: dict[str, Any]) -> None:
    """A document that is sent back as it was changes nothing."""
    for template in (parse(CUSTOMER), *([None] if values else [])):
        assert read(render(template, values), template, values) == values


ANY_NAME = st.lists(PART, min_size=1, max_size=2).map(join)


@given(st.dictionaries(ANY_NAME, VALUE, max_size=4), st.sampled_from([CUSTOMER, "## Other\n- x:\n", "- Other:", None]))
@example({"k: v": 1, "k": 2, "*b*": 3, "b": 4, "`c`": 5, "_": "x", ":": "y"}, CUSTOMER)
@example({"foo": "x", "Other.y": "z", "Other.x": 1}, "## Other\n- x:\n")
@example({'"k: v"': 1, '"b"': 2, "Other.y": "z", "Plan (old)": 3, "Plan": 4}, None)
def test_any_name_is_read_again(values: dict[str, Any], text: str | None) -> None:
    template = None if text is None else parse(text)
    names = Names(template.names if template else [], ())
    assume(template or values)
    try:
        had = apply({}, [MemoryOp(MemoryOpKind.SET, name, value) for name, value in values.items()], names, {}).after
    except InvalidInput as error:
        assume("below" not in error.message)
        raise
    assert read(render(template, had), template, had) == had


def test_a_name_that_markdown_would_change_is_written_as_json_has_it() -> None:
    assert render(None, {"k: v": 1, "plain": 2}) == '- "k: v": 1\n- plain: 2'
    assert read('- "k: v": 1\n- "Quoted": 2', None, {}) == {"k: v": "1", '"Quoted"': "2"}
    assert parse('- "k: v": (what)').hints == {"k: v": "(what)"}


def test_a_document_is_read_as_people_write_it() -> None:
    text = (
        "# Ann\n\nName: of nobody\n- Name: Ann\n## Tasks\n* call\n* write\n## Job\n- Where:\n    - City: Bern\n"
        "- Seats: 3\n- **Since**: last\n  year\n- Tags:\n- a\n- b: c"
    )
    with pytest.raises(InvalidInput, match="belongs to no field"):
        read("- Name: Ann\n\nAnd more.", None, {})
    found = read(text.replace("Name: of nobody\n", ""), None, {"Ann.Job.Seats": 2})
    assert found == {
        "Ann.Name": "Ann", "Ann.Tasks": ["call", "write"], "Ann.Job.Where.City": "Bern", "Ann.Job.Seats": 3,
        "Ann.Job.Since": "last\nyear", "Ann.Job.Tags": ["a"], "Ann.Job.b": "c",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "blank"), ("- Name: Ann\n- name: Bob", "twice"), ("- Name: Ann\n  - Bob", "text and a list")],
)
def test_a_document_that_says_two_things_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read(text, parse("- Name:\n- City:"), {})


@given(PART)
def test_any_heading_is_a_field(part: str) -> None:
    template = parse(f"## {part}\n\n## Z-last\n")
    assert len(template.slots) == 2
