"""Whatever a document is made of, its text is in its notes."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from graphmem.ingest.markdown import parse_markdown, parse_text
from graphmem.values import is_blank

LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "",
                "",
                "---",
                "===",
                "```",
                "~~~ py",
                "# ",
                "## H1",
                "# *T*",
                "### [a](b.md#c) <i>x</i>",
                "> q",
                "- i",
                "  - j",
                "1. n",
                "    code",
                "|a|b|",
                "|-|-|",
                "[r]: b.md",
                "[[P#S|t]]",
                "<div>",
                "</div>",
                "title: x",
                "k: [",
                "\tt",
                "\u2028x\x0c",
                "\x00z",
                "&amp; \\* ![i](j.png)",
                "> ## Q",
                "\u200b",
                "字" * 400,
                "x" * 9_000,
                "😀 שלום",
            ]
        ),
        st.builds(
            "{}{}".format,
            st.sampled_from(["", "# ", "- ", "> ", "1. ", "|"]),
            st.integers(1, 400).map(lambda n: " ".join(f"w{i}" for i in range(n))),
        ),
        st.text(max_size=20),
    ),
    max_size=30,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_nothing_visible_is_lost_keys_are_unique_and_notes_are_small(lines: list[str], end: str) -> None:
    text = end.join(lines)
    for parse in (parse_markdown, parse_text):
        document = parse(text, "a.md")
        stored = [note.content for note in document.notes] + [note.title for note in document.notes]
        seen = "".join("".join(stored + [f"{item}" for item in document.front_matter.items()]).split())
        assert [word for word in re.findall(r"[^\W_]{1,20}", text) if word not in seen] == []
        assert len({note.key for note in document.notes}) == len(document.notes)
        assert all(
            note.words <= 300 and not is_blank(note.content) and not is_blank(note.title) for note in document.notes
        )
        assert [note.order for note in document.notes] == list(range(len(document.notes)))
        assert {note.parent for note in document.notes} <= {None, *(note.key for note in document.notes)}
        assert parse(text, "a.md") == document


@given(
    st.lists(
        st.sampled_from(["", "!!", "***", "> ?", "| ? |", "- *", "🎉", "<br>", "[?]: ?", "## A", "=="]),
        max_size=20,
    )
)
def test_lines_without_letters_are_kept_too(lines: list[str]) -> None:
    document = parse_markdown("\n".join(lines), "a.md")
    stored = "\n".join(f"{note.title}\n{note.content}" for note in document.notes)
    assert [line for line in lines if line not in ("## A", "==") and line not in stored] == []
