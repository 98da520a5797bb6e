"""What the region-phrase model learns from, and what its cues do to its scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from baselines.cues import COLOUR, DETECTOR, SIZE, SIZE_WEIGHTS, Phrase
from baselines.exemplars import BACKGROUND
from baselines.localization import PhraseLocalizer
from baselines.localize import predict, queried
from baselines.regions import Rows
from evaluation.arrays import Bools
from evaluation.dataset import Boxes, Caption, Chain, Dataset, Image, Mention, MentionKey
from evaluation.errors import InputError

WIDTH, HEIGHT = 100, 100
NOUNS = ("ball", "dog", "bus")
COLOURS = ("red", "blue")


class Planted:
    """A source whose features say what is in a box: its noun and its colour, by where the box is.

    A box's left edge in tens is the noun, and its top edge in tens the colour. It counts what it is asked.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, Boxes]] = []

    def proposals(self, image: Image) -> Boxes:
        every = [(10.0 * noun, 10.0 * colour) for noun in range(4) for colour in range(3)]
        return np.array([[left, top, left + 8, top + 8] for left, top in every])

    def features(self, image: Image, boxes: Boxes) -> tuple[Rows, Bools]:
        self.asked.append((image.name, boxes))
        rng = np.random.default_rng(int(image.name.removesuffix(".jpg")))
        noun, colour = (boxes[:, :2] // 10).astype(int).clip(0, [3, 2]).T
        rows = np.concatenate([np.eye(4)[noun], np.eye(3)[colour], np.zeros((len(boxes), 2))], axis=1)
        rows += 0.1 * rng.standard_normal(rows.shape)
        return rows.astype(np.float32), np.ones(len(boxes), dtype=bool)

    def whole(self, image: Image) -> Rows:
        return np.asarray(self.features(image, np.array([[0.0, 0, WIDTH, HEIGHT]]))[0][0])

    def knows(self, image: Image) -> bool:
        return True


def image_of(number: int, *things: tuple[str, str], types: tuple[str, ...] = ("other",)) -> Image:
    """Return an image with a caption that mentions things, each a colour and a noun, each with its box."""
    name = f"{number}.jpg"
    mentions, chains = [], {}
    for at, (colour, noun) in enumerate(things):
        left, top = 10.0 * NOUNS.index(noun), 10.0 * COLOURS.index(colour)
        key = MentionKey(name, 0, 3 * at, 3 * at + 3)
        mentions.append(Mention(key, ("a", colour, noun), types, str(at + 1)))
        chains[str(at + 1)] = Chain(str(at + 1), types, np.array([[left, top, left + 8, top + 8]]))
    tokens = tuple(word for one in mentions for word in one.tokens)
    return Image(name, WIDTH, HEIGHT, "train", (Caption(0, tokens, tuple(mentions)),), chains)


PAIRS = [(colour, noun) for colour in COLOURS for noun in NOUNS]


def dataset(count: int = 12) -> Dataset:
    return Dataset("planted", tuple(image_of(at, PAIRS[at % 6], PAIRS[(at + 1) % 6]) for at in range(count)))


def small(**parameters: object) -> PhraseLocalizer:
    return PhraseLocalizer(**{"dimensions": 4, "centres": 2, "least_detected": 2, **parameters})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def model() -> PhraseLocalizer:
    return small().fit(dataset(36), Planted())


def test_what_was_planted_is_found(model: PhraseLocalizer) -> None:
    test = [image_of(100 + at, pair) for at, pair in enumerate(PAIRS)]
    regions = [model.regions(image, Planted()) for image in test]
    for image, one in zip(test, predict(model, test, regions), strict=True):
        truth = next(iter(image.chains.values())).boxes[0]
        assert one.boxes[one.scores[0].argmax()].tolist() == truth.tolist()


def test_at_most_so_many_regions_of_a_phrase_are_learnt_from() -> None:
    source = Planted()
    many = Dataset("one phrase", tuple(image_of(at, ("red", "dog")) for at in range(30)))
    both = Dataset("two phrases", (*many.images, image_of(30, ("blue", "bus"))))
    small(exemplars=10, detected=0).fit(both, source)
    assert len([name for name, _ in source.asked if name != "30.jpg"]) == 10


def test_several_boxes_of_a_phrase_are_learnt_as_the_one_around_them() -> None:
    source = Planted()
    plural = image_of(0, ("red", "dog"), ("blue", "bus"))
    apart = Chain("1", ("other",), np.array([[10.0, 0, 18, 8], [50.0, 40, 60, 70]]))
    changed = Image(plural.name, WIDTH, HEIGHT, "", plural.captions, {**plural.chains, "1": apart})
    small(detected=0).fit(Dataset("plural", (changed,)), source)
    assert [10, 0, 60, 70] in source.asked[0][1].tolist()


def test_mentions_without_a_box_are_neither_learnt_nor_predicted() -> None:
    """The caption has a chain without boxes, and a mention without a chain."""
    base = image_of(0, ("red", "dog"), ("blue", "bus"), ("red", "ball"))
    chains = {"1": base.chains["1"], "2": Chain("2", ("other",), np.empty((0, 4)), nobndbox=True)}
    image = Image(base.name, WIDTH, HEIGHT, "", base.captions, chains)
    assert [mention.tokens for mention in queried(image)] == [("a", "red", "dog")]
    with pytest.raises(InputError, match="poor has 1 phrases with a box; two are the least"):
        small().fit(Dataset("poor", (image,)), Planted())


def test_the_detector_knows_common_nouns_and_background(model: PhraseLocalizer) -> None:
    assert {*model.detector_.classes_} == {*NOUNS, BACKGROUND}
    assert {*model.colour_.classes_} == {*COLOURS}
    rare = small(least_detected=1000).fit(dataset(), Planted())
    assert rare.detector_.classes_ == ()


def scores(model: PhraseLocalizer, phrase: Phrase, *cues: str) -> list[float]:
    regions = model.regions(image_of(7, ("red", "dog")), Planted())
    found: list[float] = model.score([phrase], model.embed([phrase]), regions, cues=cues)[0].tolist()
    return found


def test_without_a_detector_for_its_noun_a_phrase_has_its_own_score(model: PhraseLocalizer) -> None:
    known, unknown = (Phrase(("red", noun), frozenset({"other"})) for noun in ("dog", "cat"))
    assert scores(model, known, DETECTOR) != scores(model, known)
    assert scores(model, unknown, DETECTOR) == scores(model, unknown)


def test_people_and_phrases_of_two_colours_have_no_colour_cue(model: PhraseLocalizer) -> None:
    thing = Phrase(("red", "dog"), frozenset({"other"}))
    person = Phrase(("red", "dog"), frozenset({"people"}))
    both = Phrase(("red", "blue", "dog"), frozenset({"other"}))
    assert scores(model, thing, COLOUR) != scores(model, thing)
    assert scores(model, person, COLOUR) == scores(model, person)
    assert scores(model, both, COLOUR) == scores(model, both)


def test_scenes_vehicles_and_instruments_have_the_larger_weight_of_size(model: PhraseLocalizer) -> None:
    plain, *large = (
        scores(model, Phrase(("red", "dog"), frozenset({kind})), SIZE)[0]
        for kind in ("other", "scene", "vehicles", "instruments")
    )
    own = scores(model, Phrase(("red", "dog"), frozenset({"other"})))[0]
    share = 64 / (WIDTH * HEIGHT)
    assert plain == pytest.approx(1 - (0.9 * (1 - own) + 0.1 * (1 - share)))
    assert large == pytest.approx([1 - (0.8 * (1 - own) + 0.2 * (1 - share))] * 3)


def test_a_model_is_the_same_after_it_was_written_and_read(model: PhraseLocalizer, tmp_path: Path) -> None:
    model.save(tmp_path / "model.npz")
    again = PhraseLocalizer.load(tmp_path / "model.npz")
    phrase = Phrase(("red", "dog"), frozenset({"other"}))
    cues = (DETECTOR, SIZE, COLOUR)
    assert scores(again, phrase, *cues) == pytest.approx(scores(model, phrase, *cues), abs=1e-5)
    with pytest.raises(InputError, match="trained with features of a file: give --features"):
        again.kept_looks()


def older(path: Path, drop: tuple[str, ...], **parameters: object) -> None:
    """Rewrite a model file as one of before scalings and weights were chosen."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file}
    about = json.loads(str(arrays["about"]))
    for name in drop:
        del about["parameters"][name]
    about["parameters"] |= parameters
    np.savez(path, **{**arrays, "about": np.array(json.dumps(about))})


LATER = ("eigenvalue", "size_weights", "categories", "least_colour_phrases", "own_scores")


def test_an_older_model_file_keeps_its_power_and_its_weights(tmp_path: Path) -> None:
    model = small(
        eigenvalue="rho", power=1.0, size_weight=0.15, size_weights=dict.fromkeys(SIZE_WEIGHTS, 0.3)
    )
    model.fit(dataset(), Planted()).save(tmp_path / "older.npz")
    older(tmp_path / "older.npz", LATER, large_size_weight=0.3)
    again = PhraseLocalizer.load(tmp_path / "older.npz")
    assert (again.eigenvalue, again.power, again.weights) == ("rho", 1.0, model.weights)
    phrase = Phrase(("red", "dog"), frozenset({"scene"}))
    assert scores(again, phrase, SIZE, COLOUR) == pytest.approx(scores(model, phrase, SIZE, COLOUR), abs=1e-5)


def test_a_model_file_with_parameters_of_the_future_is_named(tmp_path: Path) -> None:
    small().fit(dataset(), Planted()).save(tmp_path / "newer.npz")
    older(tmp_path / "newer.npz", (), wavelets=3)
    with pytest.raises(
        InputError, match=r"newer\.npz: about: has parameters that PhraseLocalizer does not take"
    ):
        PhraseLocalizer.load(tmp_path / "newer.npz")


def test_rare_colours_are_not_learnt() -> None:
    """Red things are mentioned 12 times, and blue ones nine times: one colour is nothing to tell apart."""
    images = [image_of(at, ("red", "dog")) for at in range(12)] + [image_of(12, ("blue", "bus"))]
    images += [image_of(20 + at, ("blue", "ball")) for at in range(8)]
    assert small().fit(Dataset("rare", tuple(images)), Planted()).colour_.classes_ == ()
    every = small(least_colour_phrases=9).fit(Dataset("rare", tuple(images)), Planted())
    assert every.colour_.classes_ == ("blue", "red")
