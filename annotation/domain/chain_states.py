"""The states in which a chain ends or waits. The table of moves between states is in `workflows.pipeline`."""

from __future__ import annotations

DONE, NONVISUAL, SPLIT, REVIEW = "done", "nonvisual", "split", "review"

FINISHED = frozenset({DONE, NONVISUAL, SPLIT})
"""The states that a chain does not leave. (A chain in review waits for a researcher.)"""

WITHDRAWN = "withdrawn"
"""The state of a chain that no longer follows from the judgments that count. It may follow again."""
