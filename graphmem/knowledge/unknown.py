"""A resource that a caller names and of which nothing is stored: a mistyped one would pass for one without notes."""

from __future__ import annotations

from typing import Any

from graphmem.access.view import View
from graphmem.graph.gateway import Row
from graphmem.ranking import lucene
from graphmem.values import Warning


def asking(view: View) -> dict[str, Any]:
    """The parameter of the fragment that looks for them."""
    token = lucene.tenant_token(view.tenant)
    return {
        "about": [
            [resource, lucene.filter_query(token, [[lucene.facet_token("resource", resource)]])]
            for resource in view.named
        ]
    }


def warnings(found: Row) -> list[Warning]:
    """By what the statement brought."""
    return [
        Warning("UNKNOWN_RESOURCE", f"nothing is stored about the resource {resource!r}; check resourceId")
        for resource in found["unknown"]
    ]
