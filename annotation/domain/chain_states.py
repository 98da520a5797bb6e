"""The states in which a chain ends or waits. `workflows` has the table that leads to them."""

from __future__ import annotations

DONE, NONVISUAL, SPLIT, REVIEW = "done", "nonvisual", "split", "review"

FINISHED = frozenset({DONE, NONVISUAL, SPLIT})
"""States a chain does not leave. A chain in review waits for a researcher."""

WITHDRAWN = "withdrawn"
"""The state of a chain that no longer follows from the judgments that count. It may follow again."""
