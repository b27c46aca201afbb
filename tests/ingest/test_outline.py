"""The links and the type of each section."""

from __future__ import annotations

import pytest

from graphmem.ingest.markdown import Link, Note, ParsedDocument, parse_markdown
from graphmem.values import KnowledgeType

WORDS = " ".join(f"w{n}" for n in range(200))


def parsed(text: str) -> ParsedDocument:
    return parse_markdown(text, "docs/a.md")


def by_key(document: ParsedDocument) -> dict[str, Note]:
    return {note.key: note for note in document.notes}


def links(text: str) -> list[Link]:
    return [link for note in parsed(text).notes for link in note.links]


def test_a_link_in_a_line_that_was_cut_goes_to_the_part_that_has_it() -> None:
    found = parsed(f"{WORDS}. {WORDS}. See [that page](b.md).")
    assert [[link.target for link in note.links] for note in found.notes] == [[], ["docs/b.md"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[B *it*](b.md)", [Link("docs/b.md", "B it")]),
        ("[B](../x/B%20c.MD#Some-Part)", [Link("x/B c.MD#some-part", "B")]),
        ("[B][r]\n\n[r]: <b c.md> 'T'", [Link("docs/b c.md", "B")]),
        ("[r]\n\n[r]: b.md", [Link("docs/b.md", "r")]),
        ("[B](b.md) [again](b.md) [C](c.txt)", [Link("docs/b.md", "B"), Link("docs/c.txt", "C")]),
        ("[![logo](l.png)](b.md)", [Link("docs/b.md", "logo")]),
        ("![B](b.md)", []),
        ("[B](b.png) [C](https://x.org/c.md) <https://x.org/d.md> [E](e/) [F](../../f.md)", []),
        ("`[B](b.md)` \\[C](c.md)", []),
        ("```\n[B](b.md)\n```\n\n<p>\n[C](c.md)\n</p>", []),
        ("> - [B](b.md)\n\n|a|\n|-|\n|[C](c.md)|", [Link("docs/b.md", "B"), Link("docs/c.md", "C")]),
        ("[me](a.md) [here](#nowhere)", [Link("docs/a.md#nowhere", "here")]),
        ("[[Page One]]", [Link("[[Page One]]", "Page One")]),
        ("[[dir/Page.md#The Part|shown]]", [Link("[[dir/Page]]#the-part", "shown")]),
        (
            "[[Release 1.2#A#B]] [[Node.js]]",
            [Link("[[Release 1.2]]#b", "Release 1.2 A#B"), Link("[[Node.js]]", "Node.js")],
        ),
        ("![[pic.PNG]] [[file.pdf]] `[[Code]]` [[ -f x ]] [[]] [[a\nb]]", []),
        ("[[1]]\n\n[1]: https://x.org", []),
        ("|a|\n|-|\n|[[P\\|t]]|", [Link("[[P]]", "t")]),
    ],
)
def test_links_to_notes_are_found_and_others_left(text: str, expected: list[Link]) -> None:
    assert links(text) == expected


def test_links_inside_the_document_lead_to_the_note_that_has_the_heading() -> None:
    document = parsed("# T\n[s](#s)\n## S\n[t](#t) [q](#q) [w][[#Q]]\n## R\n> ### Q\n\n[r](#r)")
    assert [[(link.target, link.text) for link in note.links] for note in document.notes] == [
        [("docs/a.md#s", "s")],
        [("docs/a.md", "t"), ("docs/a.md#r", "q")],
        [],
    ]


def test_a_link_in_a_heading_belongs_to_its_section() -> None:
    found = by_key(parsed("## A\na\n\n## See [b](b.md)\nb"))
    assert found["docs/a.md#see-b"].links == (Link("docs/b.md", "b"),)
    assert found["docs/a.md#a"].links == ()


def test_text_too_long_to_search_for_links_is_named_and_kept() -> None:
    text = f"[a](b.md)\n\n{'x' * 20_000}[c](c.md)"
    document = parsed(text)
    assert [link.target for note in document.notes for link in note.links] == ["docs/b.md"]
    assert document.warnings == ("line 3: 20009 characters without a break, not searched for links",)


def test_the_search_for_links_ends_after_its_limit() -> None:
    document = parsed("\n\n".join(f"{'x' * 19_000}[c](c{n}.md)" for n in range(30)))
    assert {link.target for note in document.notes for link in note.links} == {f"docs/c{n}.md" for n in range(26)}
    assert document.warnings == ("line 53: not searched for links from here on, after 500000 characters with links",)


def test_text_with_only_external_links_does_not_count_towards_the_limit() -> None:
    document = parsed("\n\n".join(["\\[[`a1`](https://x.org/commit/a1)] " + "x" * 970] * 600) + "\n\n[b](b.md)")
    assert document.warnings == ()
    assert [link.target for note in document.notes for link in note.links] == ["docs/b.md"]


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("---\ntype: Fact\n---\n# T\n1. a\n2. b", ["fact"]),
        ("---\ntype: adr\n---\nx", ["decision"]),
        (
            "---\nstatus: accepted\n---\n# T\n## Context and Problem\nc\n## Decision\nd\n### Consequences\ne",
            ["decision"] * 4,
        ),
        ("# T\n## Status\nAccepted\n## Context\nc\n## Decision\nd\n## Consequences\ne", ["decision"] * 5),
        ("---\nstatus: accepted\n---\n# T\n## Context\nc\n## Decision\nd", ["concept"] * 3),
        ("# T\n## Context\nc\n## Decision\nd\n## Consequences\ne", ["concept"] * 4),
        ("# How to run\nx\n## Why\ny", ["procedure", "concept"]),
        ("# T\nFirst:\n\n1. one two\n2. three", ["procedure"]),
        ("# T\nFirst of all these words:\n\n1. one\n", ["concept"]),
        ("# T\n- one\n- two", ["concept"]),
    ],
)
def test_the_type_follows_front_matter_then_form(text: str, types: list[str]) -> None:
    assert [note.type.value for note in parsed(text).notes] == types


def test_an_unknown_type_is_named_and_guessed() -> None:
    document = parsed("---\ntype: post\n---\nx")
    assert document.notes[0].type is KnowledgeType.CONCEPT
    assert document.warnings == (
        "front matter: type 'post' is none of fact, concept, procedure, decision, adr; guessed from the text",
    )
