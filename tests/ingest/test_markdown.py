"""Documents into notes: sections, titles, keys, parts and texts."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest

from graphmem.ingest import markdown
from graphmem.ingest.markdown import ParsedDocument, parse_markdown, parse_text
from graphmem.values import KnowledgeType

WORDS = " ".join(f"w{n}" for n in range(200))


def parsed(text: str, path: str = "docs/a.md") -> ParsedDocument:
    return parse_markdown(dedent(text), path)


def contents(text: str) -> dict[str, str]:
    return {note.key.removeprefix("docs/a.md"): note.content for note in parsed(text).notes}


def test_each_heading_has_a_note_of_its_own_text() -> None:
    document = parsed(
        """
        # Guide

        Intro.

        ## Install

        Text of install.

        ### Linux

        apt.

        ## Use

        Run it.
        """
    )
    assert document.title == "Guide"
    assert [(n.key, n.title, n.content, n.heading_path, n.parent, n.order) for n in document.notes] == [
        ("docs/a.md", "Guide", "Intro.", (), None, 0),
        ("docs/a.md#install", "Install", "Text of install.", ("Install",), "docs/a.md", 1),
        ("docs/a.md#linux", "Linux", "apt.", ("Install", "Linux"), "docs/a.md#install", 2),
        ("docs/a.md#use", "Use", "Run it.", ("Use",), "docs/a.md", 3),
    ]
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("text", "title", "first"),
    [
        ("---\ntitle: From matter\n---\n# Other\ntext", "From matter", "# Other\ntext"),
        ("---\ntitle: Same\n---\n# Same\ntext", "Same", "text"),
        ("---\ntitle: [a]\n---\n# Heading\ntext", "Heading", "text"),
        ("badge\n\n# Heading\ntext", "Heading", "badge\n\ntext"),
        ("before\n\n## Two\n\n# One\ntext", "One", "before"),
        ("only text", "a", "only text"),
        ("# Only a heading", "Only a heading", "Only a heading"),
        ("# [a](#a)", "a", "a"),
        ("\ufeff# Marked\r\n\r\ntext\rmore", "Marked", "text\nmore"),
    ],
)
def test_the_documents_note_has_the_text_above_the_first_section(text: str, title: str, first: str) -> None:
    document = parse_markdown(text, "docs/a.md")
    assert (document.title, document.notes[0].title, document.notes[0].content) == (title, title, first)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "## A\n## B\n### C\n### D\ntext",
            {"": "Contents: A, B", "#a": "A", "#b": "Contents: C, D", "#c": "C", "#d": "text"},
        ),
        ("# T\n## A\n---\n## B\nb", {"": "Contents: A, B", "#a": "A\n\n---", "#b": "b"}),
        (
            "## [1.2](https://x.org)\n### Added\na",
            {"": "Contents: 1.2", "#12": "## [1.2](https://x.org)\n\nContents: Added", "#added": "a"},
        ),
        ("#\n\ntext", {"": "#\n\ntext"}),
        ("## &#x200b;\n", {"": "## &#x200b;"}),
        ("🎉", {"": "🎉"}),
    ],
)
def test_a_section_without_words_is_never_blank(text: str, expected: dict[str, str]) -> None:
    assert contents(text) == expected


def test_a_long_list_of_sections_is_shortened_in_the_contents() -> None:
    found = contents("\n".join(f"## S{n}" for n in range(45)))[""]
    assert found.startswith("Contents: S0, S1")
    assert found.endswith("S29 and 15 more")


@pytest.mark.parametrize("text", ["", "\n \n\t\n", "\ufeff", "---\ntitle: x\n---\n", "\u200b"])
def test_a_document_without_text_has_no_notes_and_says_so(text: str) -> None:
    document = parse_markdown(text, "docs/a.md")
    assert document.notes == ()
    assert document.warnings == ("no text",)


def test_headings_in_code_html_quotes_and_lists_do_not_divide() -> None:
    text = "## A\n```\n# no\n```\n    # no\n\n<div>\n# no\n</div>\n\n> # no\n\n- # no\n\n\\# no\n\n#no\n"
    document = parsed(text)
    assert [note.key for note in document.notes] == ["docs/a.md", "docs/a.md#a"]
    assert document.notes[1].content == text.removeprefix("## A\n").rstrip()


def test_setext_headings_divide_and_levels_may_be_skipped() -> None:
    document = parsed("Top\n===\nt\n\nTwo\nlines\n---\na\n\n#### Deep\nb\n\n### Up\nc\n\n# Next\nd")
    assert [(note.title, note.parent) for note in document.notes] == [
        ("Top", None),
        ("Two lines", "docs/a.md"),
        ("Deep", "docs/a.md#two-lines"),
        ("Up", "docs/a.md#two-lines"),
        ("Next", "docs/a.md"),
    ]


def test_equal_headings_are_numbered_as_on_github_nested_ones_too() -> None:
    assert list(contents("## A\na\n\n> ## A\n\n## A\nb\n\n## a!\nc")) == ["", "#a", "#a-2", "#a-3"]


def test_keys_stay_when_another_section_changes() -> None:
    before = parsed("# T\nx\n## A\na\n## B\nb")
    after = parsed(f"# T\n{WORDS}\n\n{WORDS}\n## New\n## A\na\n## B\nb")
    assert {note.key for note in before.notes} < {note.key for note in after.notes}
    assert before.notes[-1] == replace(after.notes[-1], order=2)


def test_titles_are_plain_and_the_heading_stays_in_the_text_when_they_tell_less() -> None:
    document = parsed(
        "## The `f` **bold** &amp; \\*x\\*\na\n\n## See [b](b.md) ![logo](l.png)\nb\n\n## <a id=x></a> H\nc"
    )
    assert [(note.title, note.content) for note in document.notes[1:]] == [
        ("The f bold & *x*", "## The `f` **bold** &amp; \\*x\\*\na"),
        ("See b logo", "## See [b](b.md) ![logo](l.png)\nb"),
        ("H", "## <a id=x></a> H\nc"),
    ]
    assert parsed("## The `f` **bold**\na").notes[1].content == "a"


def test_a_long_heading_is_cut_in_the_title_and_kept_in_the_text() -> None:
    document = parsed(f"## {WORDS}\ntext\n\n## {'[' * 1000}\n")
    assert all(len(note.title) <= 220 for note in document.notes)
    assert document.notes[1].title.endswith("w50 w51…")
    assert document.notes[1].content == f"## {WORDS}\ntext"
    assert document.notes[2].content == f"## {'[' * 1000}"


def test_content_is_the_source_as_it_was_written() -> None:
    body = "- a\n\t- b [r][x]\n\n      code\n* * *\nline  \nend ![i](i.png) 😀 שלום <b>h</b>\n\n|a|\n|-|\n|b|\n\n[x]: b"
    assert contents(f"## H\n\n{body}\n\n\n## I\ni")["#h"] == body


def test_a_long_section_is_cut_into_parts_of_at_most_300_words() -> None:
    code = "\n".join(f"line {n}" for n in range(149))
    document = parsed(f"## H\n{WORDS}\n\n```sh\n{code}\n```\n\nend [b](b.md)\n")
    first, second, third = document.notes[1:]
    assert (first.key, first.title, first.content) == ("docs/a.md#h", "H", WORDS)
    assert (second.key, second.title, second.parent) == ("docs/a.md#h~2", "H (part 2)", "docs/a.md#h")
    assert second.content == f"```sh\n{code}\n```"
    assert (third.key, third.parent, third.content) == ("docs/a.md#h~3", "docs/a.md#h", "end [b](b.md)")
    assert [note.heading_path for note in document.notes[1:]] == [("H",)] * 3
    assert [len(note.links) for note in document.notes[1:]] == [0, 0, 1]


def test_a_long_table_repeats_its_head_rows() -> None:
    rows = "".join(f"| {n} | {WORDS} |\n" for n in range(2))
    found = parsed(f"| A | B |\n|---|---|\n{rows}")
    assert [note.content.split("\n")[:2] for note in found.notes] == [["| A | B |", "|---|---|"]] * 2


def test_an_open_fence_runs_to_the_end_and_its_parts_are_closed() -> None:
    lines = "".join(f"{WORDS}\n" for _ in range(2))
    assert [note.content for note in parsed(f"~~~\n# no\n{lines}").notes] == [
        f"~~~\n# no\n{WORDS}\n~~~",
        f"~~~\n{WORDS}\n~~~",
    ]


def test_broken_front_matter_is_named_with_its_line_and_kept_as_text() -> None:
    document = parsed("---\ntags: [a]\ntitle: a: b\n---\n# H\ntext")
    assert document.front_matter == {}
    assert document.notes[0].content == "---\ntags: [a]\ntitle: a: b\n---\n\ntext".replace("---\n\ntext", "---\ntext")
    assert document.warnings == ("line 3: broken front matter: mapping values are not allowed here; kept as text",)


def test_text_between_thematic_breaks_is_read_as_markdown() -> None:
    document = parsed("---\nSome words.\n\n## H\nh\n\n---\n\ntail")
    assert document.warnings == ()
    assert [(note.key, note.content) for note in document.notes] == [
        ("docs/a.md", "---\nSome words."),
        ("docs/a.md#h", "h\n\n---\n\ntail"),
    ]


def test_a_document_of_too_many_lines_is_read_as_plain_text() -> None:
    text = "# A\n\n" + "x\n" * markdown.MAX_LINES
    document = parse_markdown(text, "docs/a.md")
    assert document.warnings == ("100003 lines, more than 100000: read as plain text, without headings and links",)
    assert sum(note.content.count("x") for note in document.notes) == markdown.MAX_LINES


@pytest.mark.parametrize("char", ["[", "*", "![", "> ", "- ", "<!--", "`", "[[a", "|", "\\", "#", "([x](y.md"])
def test_a_megabyte_of_one_mark_is_read_in_full(char: str) -> None:
    text = char * (1_000_000 // len(char))
    document = parse_markdown(text, "docs/a.md")
    assert "".join("".join(note.content for note in document.notes).split()) == "".join(text.split())


def test_a_hundred_thousand_nested_quotes_and_lists_are_text() -> None:
    document = parse_markdown("> " * 100_000 + "end\n\n" + "- " * 100_000 + "end", "docs/a.md")
    assert sum(note.content.count("end") for note in document.notes) == 2


def test_plain_text_is_grouped_by_paragraph() -> None:
    document = parse_text(f"\ufeff\r\nA first line\r\n\r\n{WORDS}\r\n\r\n# {WORDS}\n \nend", "n/a.txt")
    assert document.title == "A first line"
    assert [(note.key, note.title, note.parent, note.words) for note in document.notes] == [
        ("n/a.txt", "A first line", None, 203),
        ("n/a.txt~2", "A first line (part 2)", "n/a.txt", 202),
    ]
    assert document.notes[1].content == f"# {WORDS}\n \nend"


def test_plain_text_titled_how_to_is_a_procedure() -> None:
    assert parse_text("How to brew\n\nBoil.", "a.txt").notes[0].type is KnowledgeType.PROCEDURE
    assert parse_text(" \n", "a.txt").warnings == ("no text",)
