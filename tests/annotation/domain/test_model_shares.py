"""Which boxes and chains of a data set models had a part in."""

from __future__ import annotations

from dataclasses import replace

from annotation.domain.geometry import Box
from annotation.domain.model_shares import ModelShares
from annotation.domain.records import BoxFrom, BoxRecord, ChainRecord, ImageRecord

BOX = BoxRecord(Box(0, 0, 9, 9), judgments=(1, 2))


def shares_of(raw: ImageRecord, written: ImageRecord) -> ModelShares:
    shares = ModelShares()
    shares.add(raw, written)
    return shares


def image(*boxes: BoxRecord, chains: tuple[ChainRecord, ...] = ()) -> ImageRecord:
    return ImageRecord("a.jpg", (), boxes=boxes, chains=chains)


def test_a_box_with_one_judgment_and_no_decision_was_judged_by_no_worker() -> None:
    one = replace(BOX, judgments=(1,), models=("judge/1",))
    decided = replace(one, decisions=(7,))
    both = replace(BOX, models=("judge/1", "judge/2"))
    found = shares_of(image(), image(BOX, one, decided, both))
    assert found.boxes == {"judge/1": 3, "judge/2": 1}
    assert found.unjudged == {"judge/1": 1}


def test_suggestions_are_counted_before_merging_and_judgments_after() -> None:
    owl = [BoxFrom(1, origin, "owl/2", None, None) for origin in ("drawn", "accepted", "accepted")]
    raw = image(*(replace(BOX, origins=(one,)) for one in owl))
    chain = ChainRecord(1, ("people",), ((0, 0, 1),), (0,), models=("judge/1",))
    found = shares_of(raw, image(replace(BOX, origins=tuple(owl)), chains=(chain,)))
    assert found.origins_of("owl/2") == {"accepted": 2, "drawn": 1}
    assert found.origins_of("judge/1") == {}
    assert found.chains == {"judge/1": 1}
    assert found.models == ["judge/1", "owl/2"]
