"""Demo scenes: what they say is true, and their boxes fit what is drawn."""

import itertools
from functools import cache

import numpy as np
import pytest

from annotation.domain.geometry import Box, encloses, iou
from annotation.domain.records import ImageRecord
from annotation.domain.tokens import tokenise
from annotation.domain.types import TYPES
from simulation.scenes import Scene, draw_scene
from simulation.scenes.recipes import RECIPES
from tests.selection import and_nightly

pytestmark = pytest.mark.slow("draws hundreds of scenes")

SEED = 11
NUMBERS = and_nightly(
    range(len(RECIPES)), range(len(RECIPES), 2 * len(RECIPES)), "a second scene of each recipe"
)
NEVER_BOXED_FOR_WANT_OF_A_QUESTION = {"people", "clothing", "bodyparts"}

scene = cache(draw_scene)


def types_of_mentions(record: ImageRecord) -> dict[tuple[int, int, int], tuple[str, ...]]:
    return {(c.index, m.start, m.end): m.types for c in record.captions for m in c.mentions or ()}


def test_the_same_seed_draws_the_same_scene() -> None:
    one, two = draw_scene(3, SEED), draw_scene(3, SEED)
    assert one.record == two.record
    assert one.picture.tobytes() == two.picture.tobytes()


def test_a_scene_in_which_something_is_covered_is_drawn_anew() -> None:
    """The first drawing of this scene hides a pair of shorts behind an instrument."""
    captioned = draw_scene(132, 27)
    for chain in captioned.record.chains:
        assert chain.boxes or chain.scene or chain.nobndbox


def test_another_seed_draws_another_scene() -> None:
    assert draw_scene(3, SEED).record.captions != draw_scene(3, SEED + 1).record.captions


@pytest.mark.parametrize("number", NUMBERS)
def test_every_recorded_box_is_the_extent_of_the_drawn_mask(number: int) -> None:
    drawn = scene(number, SEED)
    for box, owner in drawn.owners.items():
        rows, columns = np.nonzero(drawn.canvas.mask(owner))
        assert (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) == box.edges
        assert encloses(Box(0, 0, *drawn.picture.size), box)


@pytest.mark.parametrize("number", range(len(RECIPES)))
def test_a_box_is_where_the_picture_changes_when_its_entity_is_left_out(number: int) -> None:
    whole = scene(number, SEED)
    for box, owner in list(whole.owners.items())[::4]:  # each takes a drawing, so only a part is tested
        without = draw_scene(number, SEED, hidden=owner)
        before, after = (np.asarray(picture, dtype=np.int16) for picture in (whole.picture, without.picture))
        rows, columns = np.nonzero(np.abs(before - after).max(axis=2) > 2)
        changed = Box(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
        assert all(abs(a - b) <= 1 for a, b in zip(changed.edges, box.edges, strict=True)), owner


@pytest.mark.parametrize("number", NUMBERS)
def test_boxes_are_large_enough_to_draw_and_far_enough_apart_to_tell(number: int) -> None:
    record = scene(number, SEED).record
    boxes = [entry.box for entry in record.boxes]
    assert all(min(box.width, box.height) >= 10 for box in boxes)
    kinds = {i: set(chain.types) for chain in record.chains for i in chain.boxes}
    for (i, a), (j, b) in itertools.combinations(enumerate(boxes), 2):
        apart = {"clothing", "bodyparts"} & (kinds[i] ^ kinds[j])
        assert apart or iou(a, b) < 0.75


@pytest.mark.parametrize("number", NUMBERS)
def test_every_mention_spells_a_phrase_of_its_caption(number: int) -> None:
    for caption in scene(number, SEED).record.captions:
        assert caption.text == " ".join(caption.tokens)
        assert [token.text for token in tokenise(caption.text)] == list(caption.tokens)
        assert caption.tokens[-1] == "."
        assert caption.text[0].isupper()
        assert caption.mentions
        ends = [0, *(mention.end for mention in caption.mentions)]
        for mention, before in zip(caption.mentions, ends, strict=False):
            assert before <= mention.start < mention.end < len(caption.tokens)


@pytest.mark.parametrize("number", NUMBERS)
def test_chains_obey_the_protocol(number: int) -> None:
    """docs/protocol.md, stage 1: never two mentions of one caption, nor two that share no type."""
    record = scene(number, SEED).record
    kinds = types_of_mentions(record)
    assert len(record.captions) == 5
    for chain in record.chains:
        captions = [place[0] for place in chain.mentions]
        assert len(set(captions)) == len(captions)
        assert all(set(kinds[a]) & set(kinds[b]) for a, b in itertools.combinations(chain.mentions, 2))
        assert set(chain.types) <= set(TYPES)


@pytest.mark.parametrize("number", NUMBERS)
def test_chains_have_boxes_or_one_reason_for_none(number: int) -> None:
    """docs/protocol.md, stage 3: people, clothing and bodyparts are never asked about, so they need boxes."""
    for chain in scene(number, SEED).record.chains:
        assert bool(chain.boxes) + chain.scene + chain.nobndbox == 1
        assert chain.boxes or not NEVER_BOXED_FOR_WANT_OF_A_QUESTION & set(chain.types)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_two_chains_point_at_the_same_boxes(number: int) -> None:
    """docs/protocol.md, "Merging": an export would join them."""
    sets = [chain.boxes for chain in scene(number, SEED).record.chains if chain.boxes]
    assert len(set(sets)) == len(sets)


@pytest.mark.parametrize("number", NUMBERS)
def test_chains_and_mentions_point_at_each_other(number: int) -> None:
    record = scene(number, SEED).record
    said = {(c.index, m.start, m.end): m.chain for c in record.captions for m in c.mentions or () if m.chain}
    listed = {place: chain.id for chain in record.chains for place in chain.mentions}
    assert said == listed


def test_scenes_show_all_the_protocol_has_to_deal_with() -> None:
    scenes: list[Scene] = [scene(number, SEED) for number in range(2 * len(RECIPES))]
    chains = [chain for drawn in scenes for chain in drawn.record.chains]
    seen = {kind for chain in chains for kind in chain.types}
    assert seen == set(TYPES)
    assert any(len(chain.boxes) > 2 for chain in chains)
    assert any(chain.scene for chain in chains)
    assert any(chain.nobndbox for chain in chains)
    mentions = [m for drawn in scenes for c in drawn.record.captions for m in c.mentions or ()]
    assert any(mention.chain == 0 for mention in mentions)
    shared = [
        drawn
        for drawn in scenes
        if len({i for c in drawn.record.chains for i in c.boxes})
        < sum(len(c.boxes) for c in drawn.record.chains)
    ]
    assert shared, "a group and its members point at the same boxes somewhere"
