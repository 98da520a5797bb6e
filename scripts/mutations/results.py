"""What became of each mutation: kept in a file, and shown as a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.mutations.faults import Mutation


@dataclass
class Result:
    """What became of a mutation. `caught` names the test; without one, `why` says how the search ended."""

    digest: str
    files: list[str]
    caught: str = ""
    step: str = ""
    seconds: float = 0.0
    why: str = ""


def load(path: Path, revision: str) -> dict[str, Result]:
    """Return the results that a run at this revision left, by name."""
    if not path.exists():
        return {}
    kept = json.loads(path.read_text())
    return (
        {name: Result(**one) for name, one in kept["results"].items()} if kept["revision"] == revision else {}
    )


def save(path: Path, revision: str, results: Mapping[str, Result]) -> None:
    """Keep results, so that a run that is broken off loses one mutation at most."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"revision": revision, "results": {name: asdict(one) for name, one in results.items()}}
    scratch = path.with_suffix(".tmp")
    scratch.write_text(json.dumps(content, indent=1) + "\n")
    scratch.replace(path)


def table(mutations: Sequence[Mutation], results: Mapping[str, Result]) -> list[str]:
    """Return the lines of the table: the mutation, the test that caught it and how near it is, seconds."""
    lines = ["| mutation | kind | caught by | step | s |", "| --- | --- | --- | --- | ---: |"]
    for one in mutations:
        if (result := results.get(one.name)) is not None:
            caught = result.caught or f"**not caught** {result.why}".strip()
            lines.append(f"| {one.name} | {one.kind} | {caught} | {result.step} | {result.seconds:.0f} |")
    return lines


def counts(mutations: Sequence[Mutation], results: Mapping[str, Result]) -> str:
    """Return how many were caught, of all and of each kind."""
    done = [one for one in mutations if one.name in results]
    caught = Counter(one.kind for one in done if results[one.name].caught)
    kinds = Counter(one.kind for one in done)
    each = ", ".join(f"{kind} {caught[kind]} of {number}" for kind, number in sorted(kinds.items()))
    seconds = sum(results[one.name].seconds for one in done)
    return f"Caught: {caught.total()} of {len(done)} ({each}) in {seconds / 60:.0f} minutes."
