"""The states in which a chain ends or waits. The table of moves between states is in `workflows.pipeline`."""

from __future__ import annotations

DONE, NONVISUAL, SPLIT, REVIEW = "done", "nonvisual", "split", "review"

FINISHED = frozenset({DONE, NONVISUAL, SPLIT})
"""The states that a chain does not leave. (A chain in review waits for a researcher.)"""

ANSWERED = frozenset({DONE, NONVISUAL})
"""The states of a chain with a result: the crowd, or a researcher, has answered everything about it."""

WITHDRAWN = "withdrawn"
"""The state of a chain that no longer follows from the judgments that count. It may follow again."""

UNTOLD = "cannot-tell"
"""The rule by which a chain goes to review, or an image rests, since nobody could tell an answer."""
