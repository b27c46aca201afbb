"""YAML front matter of a document, read with bounds. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

import yaml

from graphmem import checks
from graphmem.values import has_control

MAX_CHARACTERS = 64_000
MAX_DEPTH = 20

_KEY = re.compile(r"[\"']?\w[\w .-]{0,100}[\"']?:(\s|$)")


class _Words(yaml.SafeLoader):
    """Reads every value as it is written, but for null: of YAML's own kinds a tag `no` would be False, and a title
    `1.10` a number."""


_Words.yaml_implicit_resolvers = {}
_Words.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])


def looks_like_front_matter(raw: str) -> bool:
    """Whether the text between two `---` lines means to be YAML: no text at all, or a `key:` first.

    Comments may stand before the key. What fails this is ordinary text between two thematic breaks.
    """
    lines = [line for line in raw.split("\n") if line.strip()]
    first = next((line for line in lines if not line.startswith("# ")), "")
    return not lines or bool(_KEY.match(first))


def read_front_matter(raw: str) -> dict[str, object] | str:
    """The mapping that `raw` (the lines between the `---` lines) holds, its values as texts, else why there is none,
    naming the line.

    Lines count from the document's first, which is the opening `---`. Keys are made text. Aliases and explicit
    tags are refused: a few bytes of them can stand for gigabytes or for other objects.
    """
    if len(raw) > MAX_CHARACTERS:
        return f"line 1: front matter of {len(raw)} characters; at most {MAX_CHARACTERS} are read"
    try:
        problem = _problem(raw)
        if problem is not None:
            return problem
        found = _Words(raw).get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return f"line {mark.line + 2 if mark else 1}: broken front matter: {error.problem or error.context}"
    except yaml.reader.ReaderError as error:
        return f"line {raw.count(chr(10), 0, error.position) + 2}: broken front matter: {error.reason}"
    if found is None:
        return {}
    if not isinstance(found, dict):
        return "line 2: front matter holds no `key: value` lines"
    return {str(key): value for key, value in found.items()}


def _problem(raw: str) -> str | None:
    """What is refused though it is YAML. Reads events, which needs no stack however deep they nest."""
    depth = 0
    for event in yaml.parse(raw, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 2 if event.start_mark else 1
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                return f"line {line}: front matter nested deeper than {MAX_DEPTH}"
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "tag", None) is not None:
            return f"line {line}: front matter with an alias or a tag; write the value out"
    return None


def labels(front_matter: Mapping[str, object], key: str) -> tuple[list[str] | None, list[str]]:
    """The tags or aliases that stand under `key`, a list or a text with commas, and warnings; None: it isn't there.

    A `#` before a tag is left away, as editors do that know both ways to write one.
    """
    given = front_matter.get(key)
    if given is None:
        return None, []
    items = given if isinstance(given, list) else str(given).split(",") if not isinstance(given, dict) else []
    texts = [str(item).strip().lstrip("#").strip() for item in items if not isinstance(item, list | dict | None)]
    kept = [text for text in dict.fromkeys(texts) if _is_label(text)][: checks.MAX_LABELS]
    left = len(items) - len(kept)
    if isinstance(given, dict) or left > 0:
        limits = f"not blank, at most {checks.MAX_ID} characters, different, in a line, and {checks.MAX_LABELS} of them"
        return kept, [f"front matter: {key} must be a list of texts, {limits}; {left} left out"]
    return kept, []


def _is_label(text: str) -> bool:
    return bool(text) and len(text) <= checks.MAX_ID and not has_control(text)
