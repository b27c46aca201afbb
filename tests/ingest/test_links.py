"""Anchors, links and what they lead to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ingest.links import Slugs, Targets, resolve, slug


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Install", "install"),
        ("What's new in 2.0?", "whats-new-in-20"),
        ("Limits & Retries", "limits--retries"),
        ("snake_case and kebab-case", "snake_case-and-kebab-case"),
        ("😄 emoji", "-emoji"),
        ("Привет non-latin 你好", "привет-non-latin-你好"),
        ("हिन्दी में", "हिन्दी-में"),
        ("שלום עולם", "שלום-עולם"),
        ("Cafe\u0301", "cafe\u0301"),
        ("a\tb", "ab"),
        ("!?", ""),
    ],
)
def test_slug_is_the_anchor_github_makes(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


def test_an_anchor_taken_again_is_numbered() -> None:
    slugs = Slugs()
    assert [slugs.take(heading) for heading in ("Foo", "foo", "foo-1", "Foo", "!", "?")] == [
        "foo",
        "foo-1",
        "foo-1-1",
        "foo-2",
        "section",
        "section-1",
    ]


@given(st.lists(st.sampled_from(["a", "A", "a-1", "a-1-1", "a-2", "", "b", "section", "!"]), max_size=30))
def test_anchors_of_a_document_are_unique(headings: list[str]) -> None:
    slugs = Slugs()
    anchors = [slugs.take(heading) for heading in headings]
    assert len(set(anchors)) == len(anchors)
    assert all(anchors)


def test_a_long_anchor_is_short_in_keys_and_still_found_by_its_links() -> None:
    heading = "How the database connection is configured for production"
    slugs = Slugs()
    anchors = [slugs.take(heading), slugs.take(heading), slugs.take(heading + " sites")]
    assert len(set(anchors)) == 3
    assert all(len(anchor) == 40 and anchor.startswith("how-the-database-connection-is-") for anchor in anchors)
    assert resolve(f"#{slug(heading)}", "a.md") == f"a.md#{anchors[0]}"
    assert resolve(f"#{slug(heading)}-1", "a.md") == f"a.md#{anchors[1]}"


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("b.md", "docs/b.md"),
        ("./b.md#Some Part", "docs/b.md#some-part"),
        ("../README.md", "README.md"),
        ("sub/../b.md", "docs/b.md"),
        ("/other/c.md", "other/c.md"),
        ("my%20file.md#caf%C3%A9", "docs/my file.md#café"),
        ("b.md?plain=1#L10", "docs/b.md#l10"),
        ("#Here", "docs/a.md#here"),
        ("#", None),
        ("", None),
        ("   ", None),
        ("?q=1", None),
        (".", "docs"),
        ("..", None),
        ("../../x.md", None),
        ("%2e%2e/%2e%2e/x.md", None),
        ("/../x.md", None),
        ("https://example.org/b.md", None),
        ("mailto:a@example.org", None),
        ("C:/b.md", None),
        ("//example.org/b.md", None),
        ("b%00.md", None),
        ("b%ff.md", None),
        ("..b/c.md", "docs/..b/c.md"),
    ],
)
def test_resolve_gives_a_place_under_the_root_or_none(link: str, target: str | None) -> None:
    assert resolve(link, "docs/a.md") == target


@given(st.text(max_size=40))
def test_resolve_never_leaves_the_root(link: str) -> None:
    target = resolve(link, "docs/a.md")
    assert target is None or not target.startswith("/")
    assert target is None or ".." not in target.partition("#")[0].split("/")


@given(st.text(max_size=40))
def test_an_anchor_stays_as_it_is(heading: str) -> None:
    assert slug(slug(heading)) == slug(heading)


def test_a_link_finds_its_section_or_else_its_document() -> None:
    targets = Targets(["a.md", "a.md#one", "a.md~2", "a.md#one~2", "sub/b.md"])
    assert targets.find("a.md#one") == "a.md#one"
    assert targets.find("a.md#gone") == "a.md"
    assert targets.find("sub/b.md") == "sub/b.md"
    assert targets.find("b.md") is None
    assert targets.find("gone.md#one") is None


def test_a_link_composed_differently_finds_its_document() -> None:
    assert Targets(["cafe\u0301.md"]).find("caf\u00e9.md") == "cafe\u0301.md"


def test_a_page_name_finds_the_document_in_the_fewest_folders() -> None:
    targets = Targets(
        ["z/y/Page One.md", "b/Page One.md", "a/page one.txt", "a/page one.txt#sec", "b/Other.md", "x/a.md~2"]
    )
    assert targets.find("[[page one]]") == "a/page one.txt"
    assert targets.find("[[Page One]]#sec") == "a/page one.txt#sec"
    assert targets.find("[[Page One]]#gone") == "a/page one.txt"
    assert targets.find("[[b/Page One]]") == "b/Page One.md"
    assert targets.find("[[y/page one]]") == "z/y/Page One.md"
    assert targets.find("[[One]]") is None
    assert targets.find("[[a]]") is None
