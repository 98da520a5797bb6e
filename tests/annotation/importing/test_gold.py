from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.formats.registry import READERS
from annotation.models import GoldChain, Image, Mention
from annotation.picture_parts import without_metadata
from tests.annotation.importing.made_corpora import run
from tests.shared import shared

pytestmark = pytest.mark.django_db

SENTENCES = """\
[/EN#1/people A man] in [/EN#2/clothing a hat] in front of [/EN#0/notvisual the background] .
[/EN#1/people He] walks on [/EN#3/scene a road] .
"""
XML = """<annotation><filename>a.jpg</filename>
<size><width>100</width><height>80</height><depth>3</depth></size>
<object><name>1</name><bndbox><xmin>11</xmin><ymin>5</ymin><xmax>40</xmax><ymax>70</ymax></bndbox></object>
<object><name>1</name><name>2</name>
<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object>
<object><name>3</name><scene>1</scene><nobndbox>0</nobndbox></object>
</annotation>"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for folder, name, text in (("Sentences", "a.txt", SENTENCES), ("Annotations", "a.xml", XML)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    (tmp_path / "val.txt").write_text("a\n")
    return tmp_path


def test_chains_and_boxes_become_known_answers(corpus: Path) -> None:
    done = run(READERS["flickr30k-entities"](corpus), as_gold=True)
    assert (done.summary.gold_chains, done.problems) == (3, [])
    image = Image.objects.get()
    assert (image.name, image.width, image.height, image.split) == ("a.jpg", 100, 80, "val")
    mentions = dict(Mention.objects.values_list("pk", "text"))
    found = {
        chain.number: ([mentions[pk] for pk in chain.members], chain.boxes, chain.scene, chain.nobndbox)
        for chain in GoldChain.objects.all()
    }
    assert found == {
        1: (["A man", "He"], [[10, 4, 40, 70], [0, 0, 9, 9]], False, False),
        2: (["a hat"], [[0, 0, 9, 9]], False, False),
        3: (["a road"], [], True, False),
    }
    assert dict(Mention.objects.values_list("text", "annotatable")) == {
        "A man": True, "a hat": True, "the background": False, "He": True, "a road": True,
    }  # fmt: skip


def test_without_as_gold_there_are_mentions_but_no_answers(corpus: Path) -> None:
    run(READERS["flickr30k-entities"](corpus))
    assert Mention.objects.count() == 5 and not GoldChain.objects.exists()


def test_answers_can_come_after_the_captions_and_only_once(corpus: Path) -> None:
    for as_gold, added in ((False, 0), (True, 3), (True, 0)):
        done = run(READERS["flickr30k-entities"](corpus), as_gold=as_gold)
        assert (done.summary.gold_chains, done.problems) == (added, [])
    assert GoldChain.objects.count() == 3


def test_other_answers_than_before_are_reported_and_the_first_kept(corpus: Path) -> None:
    run(READERS["flickr30k-entities"](corpus), as_gold=True)
    before = list(GoldChain.objects.order_by("number").values())
    (corpus / "Annotations" / "a.xml").write_text(XML.replace("<xmax>9</xmax>", "<xmax>8</xmax>"))
    done = run(READERS["flickr30k-entities"](corpus), as_gold=True)
    [problem] = done.problems
    assert (
        "known chains of a.jpg that were imported differently before: 1, 2 (the first ones were kept)"
        in problem
    )
    assert list(GoldChain.objects.order_by("number").values()) == before


def test_a_chain_with_a_mention_that_was_not_imported_is_no_answer() -> None:
    tokens = ("A", "man")
    mention = MentionRecord(0, 2, ("people",), 5)
    captions = tuple(CaptionRecord(index, "A man", tokens, (mention,)) for index in range(2))
    chains = (
        ChainRecord(5, ("people",), ((0, 0, 2), (1, 0, 2))),
        ChainRecord(6, ("people",), ((0, 0, 2),)),
    )
    record = ImageRecord("a.jpg", captions, chains=chains, file="x", line=1)
    bad = replace(record, captions=(captions[0], replace(captions[1], text="A dog")))
    done = run([bad], as_gold=True)
    assert done.problems[1] == (
        "x:1: known chains of a.jpg with a mention that was not imported: 5 (they were left out)"
    )
    assert list(GoldChain.objects.values_list("number", flat=True)) == [6]


def test_unfinished_chains_are_no_answers() -> None:
    caption = CaptionRecord(0, "A man", ("A", "man"), (MentionRecord(0, 2, ("people",), 5),))
    chain = ChainRecord(5, ("people",), ((0, 0, 2),), boxes=(0,), finished=False)
    record = ImageRecord("a.jpg", (caption,), chains=(chain,), boxes=(BoxRecord(Box(0, 0, 1, 1)),))
    assert run([record], as_gold=True).summary.gold_chains == 0


def test_the_real_sample(media: Path) -> None:
    """[/EN#0/notvisual …] is kept, and every other mention is in one known chain."""
    sample = shared("data", "entities_sample")
    records = list(READERS["flickr30k-entities"](sample))
    done = run(records, as_gold=True, images=sample / "images")
    assert done.problems == []
    assert (done.summary.images, done.summary.captions, done.summary.pictures) == (6, 30, 6)
    read = [one for one in records if isinstance(one, ImageRecord)]
    given = [m for one in read for caption in one.captions for m in caption.mentions or ()]
    assert done.summary.chunks == len(given)
    assert done.summary.gold_chains == sum(len(one.chains) for one in read)
    members = [pk for chain in GoldChain.objects.all() for pk in chain.members]
    assert sorted(members) == sorted(Mention.objects.filter(annotatable=True).values_list("pk", flat=True))
    assert Mention.objects.filter(annotatable=False).count() == sum(m.chain == 0 for m in given) > 0
    for image in Image.objects.all():
        # Flickr's files have a comment, which is left out.
        original = (sample / "images" / image.name).read_bytes()
        assert (media / str(image.file)).read_bytes() == without_metadata(original)
        assert image.width and image.height
