"""The examples in the documentation: fenced blocks, by page and language."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))]
ANSWERS: dict[str, Callable[[str], Any]] = {"json": json.loads, "text": str}
"""How what stands below an example is read: it is what the example answers or prints."""


@dataclass(frozen=True)
class Example:
    """A block; `answer` is what the block of JSON or text right below says that it answers."""

    place: str
    language: str
    text: str
    answer: Any = None


def examples(page: str) -> list[Example]:
    """The examples of a page, in order."""
    found: list[Example] = []
    for token in MarkdownIt().parse((ROOT / page).read_text(encoding="utf-8")):
        if token.type != "fence":
            continue
        assert token.map is not None
        place, language = f"{page}:{token.map[0] + 1}", token.info.strip()
        if language in ANSWERS:
            assert found, f"{place}: an answer to nothing"
            found[-1] = replace(found[-1], answer=ANSWERS[language](token.content))
        else:
            found.append(Example(place, language, token.content))
    return found


def indented(page: str) -> list[str]:
    """Code blocks without a fence, which say no language and so aren't run."""
    parsed = MarkdownIt().parse((ROOT / page).read_text(encoding="utf-8"))
    return [token.content for token in parsed if token.type == "code_block"]
