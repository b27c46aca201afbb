"""Which messages answer a question: the score of a message and of a thread, and the ranges that are shown.

score = (own + lift) × factors; see `rank`. The figures were found on LoCoMo, conversations 1 to 5
(`retrieval.md` §1), and are the same for every conversation.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

DENSE: Final = 0.5
NAMED: Final = 0.25
BEFORE: Final = 0.3
BEFORE_QUESTION: Final = 0.45
AFTER: Final = 0.3
TWO_AWAY: Final = 0.2
QUESTION: Final = 0.9
LENGTH: Final = 0.1
TYPICAL: Final = 15
WHEN: Final = 1.15
INSIDE: Final = 1.4
SOON_AFTER: Final = 1.2
