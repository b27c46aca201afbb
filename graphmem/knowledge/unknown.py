"""A resource that a caller names and of which nothing is stored: a mistyped one would pass for one without notes."""

from __future__ import annotations

from typing import Any

from graphmem.access.view import View
from graphmem.graph.gateway import Row
from graphmem.ranking import lucene
from graphmem.values import Warning


def asking(view: View) -> dict[str, Any]:
    """The parameter of the fragment that looks for them."""
    return {"about": [[resource, _notes_of(view, resource)] for resource in view.named]}


def _notes_of(view: View, resource: str) -> str:
    return lucene.filter_query(lucene.tenant_token(view.tenant), [[lucene.facet_token("resource", resource)]])


def warnings(found: Row) -> list[Warning]:
    """By what the statement brought."""
    return [
        Warning("UNKNOWN_RESOURCE", f"nothing is stored about the resource {resource!r}; check resourceId")
        for resource in found["unknown"]
    ]
