"""The model of `research.models`: workers who see a detector's boxes, and a model that judges.

It goes on from `research.protocols_model`: the same chains, errors and rules. Images are annotated one after
the other, and what a model weighs comes from the answers that were sealed until then, by the product's rules.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from annotation.domain.answers import Answer, BoxesAnswer, BoxJudgment, CheckAnswer, JointStage
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from research.models_crowd import Crowd, Detector, Person, suggested
from research.protocols_model import (
    Course,
    Drawn,
    Errors,
    Times,
    Worker,
    World,
    box_seconds,
    entities_of,
    need_of,
    play,
    with_prior,
)
from research.strategies import Sketch
from workflows.judges.domain.accuracy import Rated, SealedAnswer, rated
from workflows.judges.domain.gate import (
    NOTHING_KNOWN,
    Record,
    log_odds,
    renew,
    spoiling,
    stays_sealed,
    weights,
    worse_since,
)
from workflows.judges.domain.kinds import ABOUT_MISSING, PEOPLE
from workflows.pipeline.domain.box_prior import BoxPrior
from workflows.pipeline.domain.moves import ENTITIES_FAST
from workflows.pipeline.domain.verdicts import SEALED, ModelWeights
from workflows.priors.domain.prior import probability

DETECTOR = "detector"
"""The family of the detector, and of the model that judges: ρ says how alike their errors are."""
RENEWED_EVERY = 25
"""Images between two records of a judge."""


@dataclass(frozen=True)
class Judge:
    """How often a model is right, of boxes and of whether something is missing."""

    accuracy: float
    later: float | None = None  # from the middle of the images on
    echo: float = 0.0  # ρ: of its right answers about bad boxes of its family, the share turned wrong

    def right(self, half: int) -> float:
        """Return the accuracy in the first (0) or second half (1) of the images."""
        return self.accuracy if self.later is None or not half else self.later


@dataclass(frozen=True)
class Help:
    """What helps, and how people take it."""

    detector: Detector | None = None
    judge: Judge | None = None
    waved: float = 0.15  # of the bad suggestions that are shown, the share that is accepted
    refused: float = 0.03  # of the good ones, the share that is not
    without: float = 0.10  # of the images, the share without suggestions
    shared: float = 0.0  # of bad boxes, the share that looks good to people and to the model alike
    known: int = 60  # known images whose questions the model answers at the beginning
    careless: float = 0.0  # of the people, the share that accepts every suggestion; 0: people are all alike
    takes_back: bool = True  # whether answers of a model are set aside that counted since it became worse
    limits: bool = True  # whether those are found and shown no more
    need: float = 0.0  # how often a model is right about whether a chain needs a box; 0: it is not asked
    accept: float = 2.0  # seconds to accept a suggestion
    refuse: float = 3.0  # seconds to refuse one


@dataclass
class Extra:
    """What an image took beyond the courses of its chains."""

    taken: int = 0  # suggestions accepted
    refused: int = 0
    checks: int = 0
    alone: int = 0  # checks that the model settled without anybody


@dataclass
class Judging:
    """A model that judges while the images are annotated, and what is known of it."""

    judge: Judge
    rng: random.Random
    record: Record = NOTHING_KNOWN
    rows: list[Rated] = field(default_factory=list)
    half: int = 0
    turned: int = 0  # rows at the beginning of the second half
    opened: int | None = None  # images until a gate was open for boxes
    closed: int | None = None  # images until it was seen that the model had become worse
    until_closed: int | None = None  # sealed answers about boxes from the turn until then
    off: int | None = None  # images until suggestions were switched off
    asked_again: int = 0  # of these: those that people have answered
    again: list[int] = field(default_factory=list)  # images whose answers were set aside when a gate closed

    def renew(self, image: int) -> None:
        """Read what was answered about the first so many images."""
        before, self.record = self.record, renew(self.record, self.rows, np.random.default_rng(image))
        if self.opened is None and self.record.open - ABOUT_MISSING:
            self.opened = image
        if self.off is None and DETECTOR in spoiling(self.record.rates):
            self.off = image
        if self.record.since > before.since:
            since = worse_since(before, self.rows[before.since :])
            self.again += range(max(0, self.rows[before.since + since].image), image)
        if self.closed is None and self.record.since > before.since:
            self.closed = image
            after = self.rows[self.turned :] if self.half else []
            self.until_closed = sum(row.kind not in ABOUT_MISSING for row in after) if self.half else None

    def answer(self, worker: Assisted) -> CheckAnswer:
        """Return what the model says of the new boxes of a chain."""
        right = self.judge.right(self.half)
        said = []
        for new in worker.proposed:
            looks_good = worker.looks_good(new)
            is_right = self.rng.random() < right
            if is_right and not looks_good and worker.kind_of(new) != PEOPLE:
                is_right = self.rng.random() >= self.judge.echo
            said.append(BoxJudgment.GOOD if is_right == looks_good else BoxJudgment.WRONG)
        missing = worker.truth_of_check().missing
        return CheckAnswer(tuple(said), missing == (self.rng.random() < right))


PEOPLE_AT_WORK = 30
ASKED = 0.2
"""Of a person's answers, the share that is about known images: as under `verification`."""


class Assisted(Worker):
    """Whoever answers about one chain, sees suggestions, and is helped by a model that judges."""

    def __init__(
        self,
        entities: int,
        scene: bool,
        errors: Errors,
        rng: random.Random,
        *,
        place: tuple[int, int],
        help_: Help,
        shown: Sequence[Drawn],
        judging: Judging | None,
        crowd: Crowd | None = None,
    ) -> None:
        super().__init__(entities, scene, errors, rng)
        self.place, self.help, self.shown, self.judging = place, help_, shown, judging
        self.crowd = crowd
        # Boxes are told apart by identity: two may be equal.
        self.of_model: set[int] = set()
        self.flaws: dict[int, bool] = {}
        self.taken = self.refused = 0
        self.judges: list[int] = []  # people asked, by check
        self.sealed: SealedAnswer | None = None  # what the model said of the item that people decide

    def looks_good(self, new: Drawn) -> bool:
        """Return whether a box looks good. It may look so to everybody, though it is not."""
        if new.truth is BoxJudgment.GOOD:
            return True
        if id(new) not in self.flaws:
            drawn = random.Random(f"looks/{self.place}/{len(self.flaws)}").random()
            self.flaws[id(new)] = drawn < self.help.shared
        return self.flaws[id(new)]

    def kind_of(self, new: Drawn) -> str:
        """Return who proposed a box."""
        return DETECTOR if id(new) in self.of_model else PEOPLE

    def truth_of_check(self) -> CheckAnswer:
        """Return the right answer about the new boxes."""
        there = {box.entity for box in (*self.accepted, *self.proposed)}
        missing = not there.issuperset(range(self.entities))
        return CheckAnswer(tuple(new.truth for new in self.proposed), missing)

    def answer(self, stage: str) -> Answer:
        if stage == JointStage.BOXES and self.shown and not self.accepted:
            person = self.crowd.next() if self.crowd else None
            if self.crowd is None:
                return self._boxes_with_suggestions(self.help.waved, self.help.refused)
            if person:
                refused = 0.0 if person.careless else self.help.refused
                return self._boxes_with_suggestions(self.crowd.share(person), refused)
        given = super().answer(stage)
        if isinstance(given, CheckAnswer):
            self.judges[-1] += 1
            if self.sealed:
                self.sealed = replace(self.sealed, people=(*self.sealed.people, given))
        return given

    def evidence(self, stage: str) -> list[ModelWeights]:
        self.finish()
        if stage != JointStage.CHECK:
            return []
        self.judges.append(0)
        if self.judging is None:
            return []
        answer, kinds = self.judging.answer(self), tuple(map(self.kind_of, self.proposed))
        weight = weights(self.judging.record, answer, kinds)
        image, entity = self.place
        if weight == SEALED or stays_sealed("models", image, (entity,), len(self.judges)):
            self.sealed = SealedAnswer(image, answer, kinds)
            return [SEALED]
        return [weight]

    def finish(self) -> None:
        """Let the sealed answer to the item before be read: people have decided it."""
        if self.sealed and self.judging:
            self.judging.rows += rated([self.sealed])
        self.sealed = None

    def _boxes_with_suggestions(self, waved: float, refused: float) -> BoxesAnswer:
        boxes: list[Box] = []
        missing = self._missing()
        needed = bool(missing)
        for one in self.shown:
            good = one.truth is BoxJudgment.GOOD
            if self._errs(1 - refused if good else waved):
                self.taken += 1
                drawn = Drawn(one.entity, one.truth)
                self.of_model.add(id(drawn))
                boxes.append(self._box(drawn))
                missing = [entity for entity in missing if entity != one.entity]
            else:
                self.refused += 1
        if missing or not needed:
            boxes += self._draw(missing)
        return BoxesAnswer(tuple(boxes)) if boxes else BoxesAnswer(none=self._reason())

    def _say(self, new: Drawn) -> BoxJudgment:
        if new.truth is not BoxJudgment.GOOD and self.looks_good(new):
            new = Drawn(new.entity, BoxJudgment.GOOD)
        return super()._say(new)


@dataclass
class Run:
    """What the images of one row took, and what became of the judge."""

    images: list[list[Course]]
    extra: list[Extra]  # of each image
    judging: Judging | None
    crowd: Crowd | None = None


def run(images: Sequence[Sketch], errors: Errors, help_: Help) -> Run:
    """Annotate the boxes of the images in order, with the help of models."""
    judging = Judging(help_.judge, random.Random("judge")) if help_.judge else None
    if judging:
        judging.rows += _known(images[: help_.known], errors, help_, judging)
    crowd = _crowd(help_)
    found = Run([], [], judging, crowd)
    for place, image in enumerate(images):
        if judging and place and place % RENEWED_EVERY == 0:
            judging.renew(place)
            _ask_again(found, images, errors, help_)
        if judging and not judging.half and 2 * place >= len(images):
            judging.half, judging.turned = 1, len(judging.rows)
        chains, extra = [], Extra()
        for worker, mentions, prior in _workers("", place, image, errors, help_, judging, crowd):
            chains.append(play(with_prior(ENTITIES_FAST, prior), mentions, worker))
            worker.finish()
            extra.taken += worker.taken
            extra.refused += worker.refused
            extra.checks += len(worker.judges)
            extra.alone += worker.judges.count(0)
        found.images.append(chains)
        found.extra.append(extra)
    return found


def _crowd(help_: Help) -> Crowd | None:
    """Return the people, if they are not all alike. A known image has one entity [ours]."""
    if not help_.careless:
        return None
    number = round(help_.careless * PEOPLE_AT_WORK)
    people = [Person(careless=place < number) for place in range(PEOPLE_AT_WORK)]
    rng = random.Random("known suggestions")
    return Crowd(
        people, lambda: [*suggested(1, help_.detector, rng)], help_.waved, ASKED, limits=help_.limits
    )


def _ask_again(found: Run, images: Sequence[Sketch], errors: Errors, help_: Help) -> None:
    """Let people alone answer about the images for which a model's answers were set aside."""
    assert found.judging is not None
    while help_.takes_back and found.judging.again:
        place = found.judging.again.pop()
        workers = _workers("", place, images[place], errors, help_, None)
        found.images[place] = [
            play(with_prior(ENTITIES_FAST, prior), mentions, worker) for worker, mentions, prior in workers
        ]
        found.judging.asked_again += 1


@dataclass(frozen=True)
class Need(BoxPrior):
    """How likely a chain needs a box, if a model has an opinion of this weight about it."""

    weight: float = 0.0

    def of(self, mentions: Sequence[Mention]) -> float:
        return probability(log_odds(super().of(mentions)) + self.weight)


def _workers(
    seed: str,
    place: int,
    image: Sketch,
    errors: Errors,
    help_: Help,
    judging: Judging | None,
    crowd: Crowd | None = None,
) -> Iterator[tuple[Assisted, list[Mention], BoxPrior]]:
    """Yield whoever answers about each chain of an image, its mentions, and how likely it needs a box."""
    chains: dict[int, list[Mention]] = defaultdict(list)
    for mention in image.mentions:
        chains[image.truth[mention.id]].append(mention)
    off = judging is not None and judging.off is not None
    bare = off or random.Random(f"without/{place}").random() < help_.without
    for entity, mentions in chains.items():
        kind, chain = mentions[0].types[0], f"{place}/{entity}"
        truth = random.Random(f"{seed}entities/{chain}")
        entities = entities_of(kind, need_of(kind, World(), truth), truth)
        shown = [*suggested(entities, help_.detector, random.Random(f"{seed}detector/{chain}"))]
        rng = random.Random(f"{seed}{ENTITIES_FAST.name}/{chain}")
        weight = 0.0
        if help_.need:
            right = random.Random(f"{seed}need/{chain}").random() < help_.need
            weight = log_odds(help_.need) * (1 if right == bool(entities) else -1)
        yield (
            Assisted(
                entities,
                kind == "scene",
                errors,
                rng,
                place=(place, entity),
                help_=help_,
                shown=() if bare else shown,
                judging=judging,
                crowd=crowd,
            ),
            mentions,
            Need(weight=weight),
        )


def _known(images: Sequence[Sketch], errors: Errors, help_: Help, judging: Judging) -> list[Rated]:
    """Return the answers of a judge to one question about each chain of known images.

    Their new boxes are drawn or accepted as those of the others are, so that flaws are as natural.
    """
    rows: list[SealedAnswer] = []
    for place, image in enumerate(images):
        for worker, _, _ in _workers("known/", place, image, errors, help_, None):
            boxes = worker.answer(JointStage.BOXES)
            if isinstance(boxes, BoxesAnswer) and boxes.boxes:
                worker.proposed = [worker.known[box] for box in boxes.boxes]
                kinds = tuple(map(worker.kind_of, worker.proposed))
                answer, truth = judging.answer(worker), worker.truth_of_check()
                rows.append(SealedAnswer(-1 - place, answer, kinds, (), truth))
    return rated(rows)


def seconds_of(found: Run, help_: Help, times: Times) -> list[float]:
    """Return the seconds that each image takes in the box stages, by extreme points and in visits."""
    return [
        sum(box_seconds(chains, times, extreme=True, visits=True).values())
        + extra.taken * (help_.accept - times.extreme)
        + extra.refused * help_.refuse
        for chains, extra in zip(found.images, found.extra, strict=True)
    ]
