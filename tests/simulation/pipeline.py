"""The whole way in one process: import as gold, annotate over HTTP, export. Also compares both ends."""

import itertools
from pathlib import Path

from django.core.management import call_command

from annotation.domain.geometry import Box
from annotation.domain.protocols import ENTITIES_PROTOCOLS
from annotation.domain.records import ImageRecord
from annotation.formats.datasets.flickr30k_entities import read
from annotation.models import Project
from simulation.characters import Character
from simulation.crowd import Crowd
from simulation.profiles import PERFECT, ErrorProfile
from simulation.selectors import load_truth, progress
from simulation.workers import Manners, Tally
from workflows.api.authentication import make_token
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.domain.team import people_needed
from workflows.workers.enrolment import enrol_worker

PROJECT = "whole-way"
Place = tuple[int, int, int]


def start(corpus: Path, images: Path, protocol: str = ENTITIES_PROTOCOLS[0]) -> Project:
    """Import a Flickr30k Entities folder as gold, and launch a batch of all of it."""
    options = {"project": PROJECT, "format": "flickr30k-entities", "as_gold": True, "images": images}
    call_command("import_corpus", corpus, processes=1, **options)
    call_command("batch", "create", project=PROJECT, set=[f"protocol={protocol}", "regime=open"])
    call_command("batch", "launch", project=PROJECT)
    return Project.objects.get(name=PROJECT)


def annotate(
    corpus: Path,
    images: Path,
    server: str,
    profile: ErrorProfile = PERFECT,
    protocol: str = ENTITIES_PROTOCOLS[0],
) -> Tally:
    """Start with a corpus, and let workers finish it."""
    project = start(corpus, images, protocol)
    people = max(people_needed(parse_settings({"protocol": protocol})).values())
    tokens = [make_token(enrol_worker(project=project, external_id=f"w{number}")) for number in range(people)]
    manners = Manners(haste=0.02, give_back=0.02)
    crowd = Crowd(
        server, tokens, people, load_truth(PROJECT), [Character(profile=profile)], seed=1, manners=manners
    )
    return crowd.run(lambda: progress(PROJECT), bar=False)


def export(out: Path) -> dict[str, ImageRecord]:
    """Export the project and read the folder back. Return the records by image name."""
    asked = {"project": PROJECT, "format": "flickr30k-entities", "include_unresolved": True}
    call_command("export_dataset", str(out), **asked)
    return records(out)


def records(folder: Path) -> dict[str, ImageRecord]:
    """Read a Flickr30k Entities folder, and assert that there are no problems."""
    found = list(read(folder))
    bad = [str(problem) for problem in found if not isinstance(problem, ImageRecord)]
    assert not bad
    return {record.name: record for record in found if isinstance(record, ImageRecord)}


def mention_sets(record: ImageRecord) -> set[frozenset[Place]]:
    """Return the chains of an image as sets of mentions."""
    return {frozenset(chain.mentions) for chain in record.chains}


def boxes_by_chain(record: ImageRecord) -> dict[frozenset[Place], set[Box]]:
    """Return the boxes of each chain, by its mentions."""
    return {frozenset(chain.mentions): {record.boxes[i].box for i in chain.boxes} for chain in record.chains}


def notvisual(record: ImageRecord) -> set[Place]:
    """Return the mentions that are not to be annotated."""
    return {(c.index, m.start, m.end) for c in record.captions for m in c.mentions or () if m.chain == 0}


def askable_parts(record: ImageRecord) -> dict[int, list[frozenset[Place]]]:
    """Return by chain id the parts that questions can join.

    No question joins two mentions of one caption, or two without a common type (docs/protocol.md, stage 1).
    So a chain comes out as the connected components of the remaining pairs.
    """
    types = {(c.index, m.start, m.end): set(m.types) for c in record.captions for m in c.mentions or ()}
    parts: dict[int, list[frozenset[Place]]] = {}
    for chain in record.chains:
        groups = [frozenset([place]) for place in chain.mentions]
        for a, b in itertools.combinations(chain.mentions, 2):
            if a[0] != b[0] and types[a] & types[b]:
                touched = [group for group in groups if group & {a, b}]
                groups = [group for group in groups if group not in touched] + [frozenset().union(*touched)]
        parts[chain.id] = sorted(groups, key=min)
    return parts
