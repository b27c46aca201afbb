"""How work on a thread of any size is cut into transactions of bounded memory and time."""

from __future__ import annotations

from datetime import timedelta

MOST_A_STEP = 1000
"""Messages, with their pieces, earlier versions and hundreds of tokens, that one transaction takes on. All of 20,000
with vectors are more than half of a heap of 512 MiB."""
TURNS_A_STEP = 1000
THREADS_A_STEP = 500
RESUME_AFTER = timedelta(minutes=1)
"""After this a job looks whether the call that began the work has ended it."""
