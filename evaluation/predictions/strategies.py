"""Recorded answers for `strategies`: JSON lines, one for each image and link strategy.

    {"image": "a.jpg", "strategy": "greedy", "questions": 12,
     "answers": [[[0, 0, 2], [1, 3, 5], true], …], "chains": [[[0, 0, 2], [1, 3, 5]], …]}

A mention is `[caption, start, end]`. `questions` counts judgments. `answers` has what was made of each pair
that was asked about; it may be missing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np

from evaluation.audit import LinkCounts, count_links
from evaluation.dataset import Dataset, Image, Mention
from evaluation.errors import Place, fields_of, number, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import MAX_LINE
from evaluation.readers.files import json_lines

Span = tuple[int, int, int]
_MANY = 100_000


def read_strategies(
    files: Mapping[str, Path], dataset: Dataset, findings: Mapping[str, Findings]
) -> dict[str, tuple[LinkCounts, int]]:
    """Return the counts of each strategy over its images, and the number of these, by its name.

    The gold chains are the data set's. Mentions without a chain are left out. A pair may be linked if its
    mentions are in different captions and share a type. Raise InputError for a mistake.
    """
    images = {image.name: image for image in dataset.images}
    found: defaultdict[str, LinkCounts] = defaultdict(LinkCounts)
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for file, path in files.items():
        notes = findings[file]
        for value, place in json_lines(path, MAX_LINE):
            known = ("image", "strategy", "questions", "chains")
            fields = fields_of(value, place, known, ("answers",))
            name = within(fields["image"], str, place, "image")
            strategy = within(fields["strategy"], str, place, "strategy")
            if name not in images:
                notes.add("prediction for an image that the data set does not have", f"{place.entry}: {name}")
            elif name in seen[strategy]:
                notes.add("second prediction for the same image", f"{place.entry}: {name}")
            else:
                seen[strategy].add(name)
                counted = _count(images[name], fields, place, notes)
                found[strategy] = found[strategy] + counted
    return {strategy: (counts, len(seen[strategy])) for strategy, counts in found.items()}


def _count(image: Image, fields: dict[str, object], place: Place, findings: Findings) -> LinkCounts:
    mentions = [mention for mention in image.mentions() if mention.chain]
    places = {_span(mention): at for at, mention in enumerate(mentions)}
    numbers = {chain: at for at, chain in enumerate(dict.fromkeys(mention.chain for mention in mentions))}
    gold = np.array([numbers[mention.chain] for mention in mentions], dtype=np.int64)
    chains = np.full(len(mentions), -1, dtype=np.int64)
    for at, chain in enumerate(within(fields["chains"], list, place, "chains")):
        for index, value in enumerate(within(chain, list, place, f"chains[{at}]")):
            span = _read_span(value, place, f"chains[{at}][{index}]")
            where = places.get(span)
            if where is None:
                findings.add(
                    "mention in a chain that the data set does not have", f"{place.entry}: {list(span)}"
                )
            elif chains[where] >= 0:
                findings.add("mention that is in two chains", f"{place.entry}: {list(span)}")
            else:
                chains[where] = at
    alone = np.flatnonzero(chains < 0)
    for single in alone.tolist():
        findings.add("mention that is in no chain", f"{place.entry}: {list(_span(mentions[single]))}")
    chains[alone] = len(mentions) + _MANY + np.arange(len(alone))
    pairs = [
        (a, b)
        for a, b in combinations(range(len(mentions)), 2)
        if mentions[a].key.caption != mentions[b].key.caption
        and set(mentions[a].types) & set(mentions[b].types)
    ]
    answers = np.full(len(pairs), -1, dtype=np.int64)
    numbered = {pair: at for at, pair in enumerate(pairs)}
    for at, entry in enumerate(within(fields.get("answers", []), list, place, "answers")):
        field = f"answers[{at}]"
        if len(within(entry, list, place, field)) != 3 or not isinstance(entry[2], bool):
            raise place.error(field, "is not [mention, mention, true or false]")
        ends = sorted(places.get(_read_span(value, place, field), -1) for value in entry[:2])
        pair = numbered.get((ends[0], ends[1]))
        if pair is None:
            findings.add("answer about no pair that may be linked", f"{place.entry}: {field}")
        elif answers[pair] >= 0:
            findings.add("second answer about the same pair", f"{place.entry}: {field}")
        else:
            answers[pair] = int(entry[2])
    questions = number(fields["questions"], place, "questions", 0, 10**9)
    return count_links(
        gold, chains, np.array(pairs, dtype=np.int64).reshape(-1, 2), answers, questions=questions
    )


def _span(mention: Mention) -> Span:
    return mention.key.caption, mention.key.start, mention.key.end


def _read_span(value: object, place: Place, field: str) -> Span:
    found = within(value, list, place, field)
    if len(found) != 3:
        raise place.error(field, "is not [caption, start, end]")
    caption, start, end = (number(one, place, field, 0, _MANY) for one in found)
    return caption, start, end
