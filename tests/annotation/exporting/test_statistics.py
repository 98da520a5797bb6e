from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from annotation.domain.merge import MergeSettings
from annotation.exporting.dataset import ExportOptions
from annotation.exporting.folder import ExportError
from annotation.exporting.statistics import count_dataset, options_of
from annotation.models import Assignment, Chain, Item, Judgment
from tests.annotation.exporting.annotated_projects import (
    Made,
    annotate,
    export,
    import_as_gold,
    make_batch,
    make_random,
)
from tests.factories import NOW, make_image, make_project
from tests.shared import shared

pytestmark = pytest.mark.django_db

MENTION = re.compile(r"\[/EN#(\d+)/(\S+) ([^\]]+)\]")


@pytest.mark.parametrize("merge", [MergeSettings(), None])
def test_the_numbers_are_those_of_the_exported_files(tmp_path: Path, merge: MergeSettings | None) -> None:
    project = make_random(3, images=6)
    export(project, tmp_path / "out", "jsonl", merge=merge)
    sums, _ = count_dataset(project=project, options=ExportOptions(merge=merge))
    images = [json.loads(line) for line in (tmp_path / "out" / "images.jsonl").read_text().splitlines()]
    manifest = json.loads((tmp_path / "out" / "about" / "manifest.json").read_text())
    assert sums.images == len(images) == manifest["counts"]["images"]
    assert sums.chains == sum(len(image["chains"]) for image in images)
    assert sums.boxes == sum(len(image.get("boxes", ())) for image in images)
    assert sums.mentions == sum(len(chain["mentions"]) for image in images for chain in image["chains"])


def test_what_an_export_leaves_out_is_not_counted() -> None:
    project = make_project()
    batch = make_batch(project)
    annotate(make_image(project, [["man"]]), [Made([0], [(0, 0, 10, 10)])], batch=batch)
    annotate(make_image(project, [["man"]]), [], batch=batch, state="linking")
    make_image(project, [["dog"]])
    sums, left_out = count_dataset(project=project, options=options_of("crowd"))
    assert (sums.images, sums.chains, sums.boxes) == (1, 1, 1)
    assert dict(left_out.images) == {"unfinished": 1, "in no batch": 1}
    assert (sums.verified, sums.broken) == (0, 0)
    with pytest.raises(ExportError, match="no batch 'other'"):
        count_dataset(project=project, options=options_of("crowd", "other"))


def test_what_verification_said_and_what_merging_removed_is_counted() -> None:
    project = make_project()
    batch = make_batch(project)
    box = (0, 0, 10, 10)
    work = annotate(
        make_image(project, [["man", "dog"], ["man", "dog"], ["man"]]),
        [
            Made([0, 2], [box]),  # verified
            Made([1, 3], (), "split"),
            Made([1], [box], generation=1),  # its parts, which were not verified again
            Made([3], [(300, 0, 310, 10)], generation=1),
            Made([4], [box]),
        ],
        batch=batch,
    )
    several = [chain for chain in Chain.objects.filter(work=work).order_by("pk") if len(chain.members) > 1]
    unread = annotate(make_image(project, [["man"], ["man"]]), [Made([0, 1], [box])], batch=batch)
    released = annotate(make_image(project, [["man"], ["man"]]), [Made([0, 1])], batch=batch, state="linking")
    several += [*Chain.objects.filter(work__in=[unread, released]).order_by("pk")]
    page = Assignment.objects.filter(batch=batch).latest("pk")
    for chain, state in zip(several, ("done", "done", "open", "done"), strict=True):
        item = Item.objects.create(
            batch=batch,
            work=chain.work,
            chain=chain,
            visit=20,
            stage="verification",
            state=state,
            queued_at=NOW,
        )
        Judgment.objects.create(item=item, worker=page.worker, assignment=page, answer={}, created_at=NOW)
    sums, _ = count_dataset(project=project, options=options_of("crowd"))
    assert (sums.verified, sums.broken) == (1, 1)
    # Of the three chains with the same box, two become one. The third one has a mention of the same caption.
    assert (sums.chains_raw, sums.chains) == (5, 4) and (sums.boxes_raw, sums.boxes) == (5, 3)
    unmerged, _ = count_dataset(project=project, options=ExportOptions(merge=None))
    assert (unmerged.chains_raw, unmerged.boxes_raw) == (0, 0)


def test_the_real_sample_is_counted_as_its_files_say() -> None:
    folder = shared("data", "entities_sample")
    project = import_as_gold(folder, "flickr30k-entities")
    sums, left_out = count_dataset(project=project, options=options_of("gold"))

    chains: Counter[tuple[str, str]] = Counter()
    types: Counter[str] = Counter()
    of_images: Counter[str] = Counter()
    heads: Counter[str] = Counter()
    captions = words = notvisual = 0
    for file in (folder / "Sentences").glob("*.txt"):
        mentioned = set()
        for line in file.read_text().splitlines():
            captions += 1
            for number, kinds, phrase in MENTION.findall(line):
                if number == "0":
                    notvisual += 1
                    continue
                chains[file.name, number] += 1
                types.update(kinds.split("/"))
                mentioned.update(kinds.split("/"))
                words += len(phrase.split())
                heads[phrase.split()[-1].lower()] += 1
        of_images.update(mentioned)
    assert sums.images == 6 and not left_out.images
    assert (sums.captions, sums.notvisual) == (captions, notvisual)
    assert (sums.mentions, sums.words) == (sum(chains.values()), words)
    assert sums.chains == len(chains)
    assert sums.with_several_mentions == sum(number > 1 for number in chains.values())
    assert {name: one.mentions for name, one in sums.types.items() if one.mentions} == types
    assert {name: one.images for name, one in sums.types.items() if one.images} == of_images
    assert len(sums.nouns) == 20
    assert all(heads[word] == number for word, number, _ in sums.nouns)
    assert {"white", "elderly", "mexican"} <= {word for word, _, _ in sums.adjectives}
