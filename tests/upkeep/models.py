"""Two models that have nothing in common."""

from __future__ import annotations

from typing import Any

OLD: dict[str, Any] = {"model": "old", "dimension": 64, "batch": 1000}
NEW: dict[str, Any] = {"model": "new", "dimension": 96, "window": 128, "batch": 1000}
