"""Images about which everything is known, for tests of verification questions."""

from __future__ import annotations

from hypothesis import strategies as st

from annotation.domain.geometry import Box
from tests.workflows.pipeline.domain.image_builder import mention
from workflows.questions.domain.known_images import KnownChain, KnownImage

SIZE = (640, 480)
TEXTS = {"people": "a man", "animals": "a dog", "other": "a ball", "scene": "the park", "clothing": "a hat"}

MAN, DOGS, PARK, LUCK = range(4)
"""Ids of the chains of `park`."""


def park(*, boxes: bool = True) -> KnownImage:
    """Return an image with a man (one box), two dogs (two boxes), a park (scene) and luck (no box)."""
    chains = (
        KnownChain(
            MAN,
            (mention(0, 0, "people", "a man"), mention(1, 1, "people/animals", "a man")),
            (Box(50, 60, 180, 400),) if boxes else (),
        ),
        KnownChain(
            DOGS,
            (mention(2, 0, "animals", "two dogs"), mention(3, 2, "animals", "dogs")),
            (Box(300, 100, 400, 200), Box(450, 250, 600, 380)) if boxes else (),
        ),
        KnownChain(PARK, (mention(4, 1, "scene/animals", "dogs"),), scene=boxes),
        KnownChain(LUCK, (mention(5, 2, "other", "luck"),), nobndbox=boxes),
    )
    return KnownImage(1, *SIZE, chains)


@st.composite
def _boxes(draw: st.DrawFn) -> Box:
    width, height = SIZE
    left, top = draw(st.integers(0, width - 9)), draw(st.integers(0, height - 9))
    return Box(left, top, draw(st.integers(left + 1, width)), draw(st.integers(top + 1, height)))


@st.composite
def known_images(draw: st.DrawFn) -> KnownImage:
    """Draw up to six chains of up to four mentions and boxes in any place, with flags as in any source."""
    chains = []
    number = 0
    for chain in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(sorted(TEXTS)))
        captions = sorted(draw(st.sets(st.integers(0, 4), min_size=1, max_size=4)))
        mentions = tuple(
            mention(number + n, caption, kind, TEXTS[kind]) for n, caption in enumerate(captions)
        )
        number += len(mentions)
        flags = draw(st.sampled_from([(False, False), (True, False), (False, True), (True, True)]))
        chains.append(KnownChain(chain, mentions, tuple(draw(st.lists(_boxes(), max_size=4))), *flags))
    return KnownImage(draw(st.integers(1, 99)), *SIZE, tuple(chains))
