"""The truth about captions in the order in which workers wrote them."""

from __future__ import annotations

from annotation.domain.records import CaptionRecord
from simulation.scenes import draw_scene
from simulation.scenes.captions import OPENINGS, reword
from simulation.written_truth import in_order


def test_captions_and_what_chains_mention_are_in_the_order_of_the_texts() -> None:
    record = draw_scene(3, 2015).record
    texts = [record.captions[2].text, "Somebody wrote this .", record.captions[0].text]
    found = in_order(record, texts)
    assert [one.text for one in found.captions] == texts
    assert [one.index for one in found.captions] == [0, 1, 2]
    assert found.captions[1] == CaptionRecord(1, "Somebody wrote this .", mentions=())
    said = {(place, chain.id) for chain in found.chains for place in chain.mentions}
    kept = {2: 0, 0: 2}
    before = {
        ((kept[index], start, end), chain.id)
        for chain in record.chains
        for index, start, end in chain.mentions
        if index in kept
    }
    assert said == before and said
    assert in_order(record, [one.text for one in record.captions]) == record


def test_the_same_text_twice_is_taken_twice() -> None:
    record = draw_scene(0, 2015).record
    text = record.captions[0].text
    first, second = in_order(record, [text, text]).captions
    assert first.mentions and second.mentions == ()


def test_reworded_captions_mention_the_same_chains() -> None:
    record = draw_scene(0, 2015).record
    found = reword(record)
    assert len(found.captions) == len(record.captions) * (len(OPENINGS) + 1)
    assert len({one.text for one in found.captions}) == len(found.captions)
    assert [one.index for one in found.captions] == list(range(len(found.captions)))
    for chain, before in zip(found.chains, record.chains, strict=True):
        words = {
            " ".join(found.captions[index].tokens[start:end]).lower() for index, start, end in chain.mentions
        }
        said = {
            " ".join(record.captions[index].tokens[start:end]).lower()
            for index, start, end in before.mentions
        }
        assert words == said and len(chain.mentions) == len(before.mentions) * (len(OPENINGS) + 1)
