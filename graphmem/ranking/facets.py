"""Metadata as words that full text and lists filter on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from graphmem.ranking import lucene


def metadata_facets(metadata: Mapping[str, Any]) -> list[str]:
    """One token for each pair. Values are compared as JSON, so that the text "1" is not the number 1, but 1.0 is."""
    return [lucene.facet_token(f"metadata.{key}", _value(value)) for key, value in metadata.items()]


def _value(value: Any) -> str:
    whole = int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value
    return orjson.dumps(whole, option=orjson.OPT_SORT_KEYS).decode()
