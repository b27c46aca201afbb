"""How much of the machine a model call may take."""

from __future__ import annotations

import os


def threads() -> int:
    """All cores that this process may use, but no more than four: short texts gain nothing from more."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(4, usable or 1))
