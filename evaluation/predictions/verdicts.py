"""Verdicts for `audit`.

The file has JSON lines such as `{"kind": "chain", "image": "a.jpg", "chain": "3", "wrong": false}`. `kind` is
mention, chain, box or image. A mention is named by `caption`, `start` and `end`, a chain by `chain`, and a
box by `chain` and `box`, its number in the chain. `wrong` is null as long as nobody has judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson

from evaluation.audit import Sample
from evaluation.dataset import Dataset
from evaluation.errors import fields_of, number, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import MAX_LINE
from evaluation.readers.files import json_lines

KINDS = {
    "mention": ("image", "caption", "start", "end"),
    "chain": ("image", "chain"),
    "box": ("image", "chain", "box"),
    "image": ("image",),
}
"""The kinds, and the fields that name one."""


def read_verdicts(
    files: Mapping[str, Path], dataset: Dataset, findings: Mapping[str, Findings]
) -> dict[str, tuple[int, int]]:
    """Return how many of each kind are wrong, and how many were judged, in all files together.

    What else a file has is counted in its `findings`. Raise InputError for a mistake.
    """
    known = _known(dataset)
    wrong: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    seen: set[tuple[object, ...]] = set()
    for file, path in files.items():
        for kind, bad in _verdicts(path, known, seen, findings[file]):
            judged[kind] += 1
            wrong[kind] += bad
    return {kind: (wrong[kind], judged[kind]) for kind in KINDS}


def _verdicts(
    path: Path, known: set[tuple[object, ...]], seen: set[tuple[object, ...]], findings: Findings
) -> Iterator[tuple[str, bool]]:
    """Yield the kind of each thing that was judged and is not in `seen`, and whether it is wrong."""
    every = sorted({name for names in KINDS.values() for name in names})
    for value, place in json_lines(path, MAX_LINE):
        fields = fields_of(value, place, ("kind", "wrong"), (*every, "note"))
        kind = within(fields["kind"], str, place, "kind")
        if kind not in KINDS:
            raise place.error("kind", f"{kind[:40]!r} is none of {', '.join(KINDS)}")
        for name in KINDS[kind]:
            if name not in fields:
                raise place.error(name, "is missing")
        for name in {*every, "note"} & {*fields}:
            if name in ("image", "chain", "note"):
                within(fields[name], str, place, name)
            else:
                number(fields[name], place, name, 0, 100_000)
        named = (kind, *(str(fields[name]) for name in KINDS[kind]))
        if named not in known:
            findings.add("verdict about what the data set does not have", f"{place.entry}: {' '.join(named)}")
        elif fields["wrong"] is None:
            findings.add("thing that nobody has judged yet", f"{place.entry}: {' '.join(named)}")
        elif named in seen:
            findings.add("second verdict about the same thing", f"{place.entry}: {' '.join(named)}")
        else:
            seen.add(named)
            yield kind, within(fields["wrong"], bool, place, "wrong")


def sample_lines(sample: Sample, dataset: Dataset) -> bytes:
    """Return a file of verdicts that are still to be given, with what a reader sees of each as a note."""
    images = {image.name: image for image in dataset.images}
    lines: list[dict[str, object]] = []
    for key in sample.mentions:
        caption = next(one for one in images[key.image].captions if one.index == key.caption)
        words = [*caption.tokens[: key.start], "[", *caption.tokens[key.start : key.end], "]"]
        note = " ".join([*words, *caption.tokens[key.end :]])
        place = {"caption": key.caption, "start": key.start, "end": key.end}
        lines.append({"kind": "mention", "image": key.image, **place, "wrong": None, "note": note})
    for name, chain in sample.chains:
        phrases = [mention.phrase for mention in images[name].mentions() if mention.chain == chain]
        note = " | ".join(phrases)
        lines.append({"kind": "chain", "image": name, "chain": chain, "wrong": None, "note": note})
    for name, chain, box in sample.boxes:
        edges = images[name].chains[chain].boxes[box].tolist()
        note = f"{edges} for: " + " | ".join(
            mention.phrase for mention in images[name].mentions() if mention.chain == chain
        )
        lines.append({"kind": "box", "image": name, "chain": chain, "box": box, "wrong": None, "note": note})
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines)


def _known(dataset: Dataset) -> set[tuple[object, ...]]:
    found: set[tuple[object, ...]] = set()
    for image in dataset.images:
        found.add(("image", image.name))
        for mention in image.mentions():
            key = mention.key
            found.add(("mention", key.image, str(key.caption), str(key.start), str(key.end)))
        for chain in image.chains.values():
            found.add(("chain", image.name, chain.id))
            found.update(("box", image.name, chain.id, str(box)) for box in range(len(chain.boxes)))
    return found
