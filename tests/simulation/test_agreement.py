"""Agreement with the truth, in tables of examples."""

import pytest

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord
from simulation.agreement import compare

A, B, C, D = (0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1)
Place = tuple[int, int, int]


def image(
    *chains: tuple[Place, ...], name: str = "a.jpg", boxes: dict[int, list[Box]] | None = None
) -> ImageRecord:
    """Return an image with these chains. `boxes` are by the chain's number."""
    flat = [(number, box) for number, some in (boxes or {}).items() for box in some]
    return ImageRecord(
        name,
        (),
        chains=tuple(
            ChainRecord(
                number + 1,
                ("other",),
                chain,
                tuple(i for i, (owner, _) in enumerate(flat) if owner == number),
            )
            for number, chain in enumerate(chains)
        ),
        boxes=tuple(BoxRecord(box) for _, box in flat),
    )


@pytest.mark.parametrize(
    ("found", "precision", "recall", "f1", "exact"),
    [
        (image((A, B, C), (D,)), 1.0, 1.0, 1.0, 1.0),
        (image((A, B), (C,), (D,)), 1.0, 1 / 3, 0.5, 0.5),
        (image((A, B, C, D)), 0.5, 1.0, 2 / 3, 0.0),
        (image((A,), (B,), (C,), (D,)), 1.0, 0.0, 0.0, 0.5),
        (image((A, D), (B,), (C,)), 0.0, 0.0, 0.0, 0.0),
    ],
)
def test_links_and_chains(
    found: ImageRecord, precision: float, recall: float, f1: float, exact: float
) -> None:
    result = compare([image((A, B, C), (D,))], [found])
    assert (result.precision, result.recall, result.f1) == pytest.approx((precision, recall, f1))
    assert result.exact_chains == exact


BOX = Box(0, 0, 100, 100)


@pytest.mark.parametrize(
    ("boxes", "recall", "precision", "mean"),
    [
        ({0: [BOX]}, 1.0, 1.0, 1.0),
        ({0: [Box(0, 0, 100, 80)]}, 1.0, 1.0, 0.8),
        ({0: [Box(0, 0, 100, 80), Box(0, 0, 100, 90)]}, 1.0, 1.0, 0.9),
        ({0: [BOX, Box(200, 0, 300, 80)]}, 1.0, 0.5, 1.0),
        ({0: [Box(0, 0, 40, 100)]}, 0.0, 0.0, 1.0),
        ({1: [BOX]}, 0.0, 0.0, 1.0),  # of a chain that shares no mention with it
        ({}, 0.0, 1.0, 1.0),
    ],
)
def test_boxes(boxes: dict[int, list[Box]], recall: float, precision: float, mean: float) -> None:
    result = compare([image((A,), (B,), boxes={0: [BOX]})], [image((A,), (B,), boxes=boxes)])
    assert (result.box_recall, result.box_precision) == (recall, precision)
    assert result.mean_iou == pytest.approx(mean)


def test_a_box_of_a_fragment_of_the_chain_counts() -> None:
    truth = image((A, B), boxes={0: [BOX]})
    assert compare([truth], [image((A,), (B,), boxes={1: [BOX]})]).box_recall == 1.0


def test_images_of_one_side_only_are_left_out() -> None:
    result = compare([image((A, B))], [image((A, B), name="a.png"), image((A,), name="other.jpg")])
    assert (result.images, result.f1) == (1, 1.0)


def test_nothing_to_get_wrong_is_all_right() -> None:
    result = compare([], [])
    assert (result.precision, result.recall, result.exact_chains, result.box_recall) == (1.0, 1.0, 1.0, 1.0)
