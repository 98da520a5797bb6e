"""The model of `research.protocols`: what one image takes by each protocol, and how good it is then.

Workers err as `Errors` says and take as long as `Times` says. All rules are those of the product. Boxes are
simulated on the true chains, so that they do not depend on the links.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import ceil

from annotation.domain.answers import (
    Answer,
    BoxesAnswer,
    BoxJudgment,
    CheckAnswer,
    CoverageAnswer,
    DrawingAnswer,
    JointStage,
    NoBoxes,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    Stage,
    VerificationAnswer,
)
from annotation.domain.chain_states import REVIEW
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention, admissible, representative
from research.strategies import Crowd, Sketch
from workflows.batch_settings.domain.paper import BOXES, ITEMS_PER_PAGE, SECONDS, TRUSTED_SCORE, WITHOUT_BOX
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.domain.knowledge import PHOTOGRAPH
from workflows.pipeline.domain.box_prior import BoxPrior
from workflows.pipeline.domain.joint_verdicts import asks_need_first
from workflows.pipeline.domain.link_strategies import ImageLinks, Link, Pair, Strategy
from workflows.pipeline.domain.moves import PROTOCOLS, Progress, Protocol, split
from workflows.pipeline.domain.verdicts import Evidence, ModelWeights

SETTINGS = BatchSettings()
FLICKR30K = PROTOCOLS["flickr30k-entities"]


@dataclass(frozen=True)
class World:
    """What is true of the images, beyond what `research.strategies` draws."""

    # The share of a noun's chains that need a box is drawn from Beta(share x told, (1 - share) x told), where
    # `share` is the type's: the smaller, the more a noun tells. 0: the type alone tells something.
    told: float = 0.0
    finished: int = 50  # chains of each noun that are finished before, if nouns tell anything


@dataclass(frozen=True)
class Errors:
    """How often workers err, from 0 to 1. Those of table 3 are 1 minus the score of trusted workers."""

    # Of an image of mean hardness. Like links, chains of a harder image are judged worse.
    verification: float = 1 - TRUSTED_SCORE[Stage.VERIFICATION]
    requirement: float = 1 - TRUSTED_SCORE[Stage.REQUIREMENT]
    bad: float = 1 - TRUSTED_SCORE[Stage.DRAWING]  # a drawn box is not good
    quality: float = 1 - TRUSTED_SCORE[Stage.QUALITY]
    coverage: float = 1 - TRUSTED_SCORE[Stage.COVERAGE]
    # The rest is not in the paper.
    overlooked: float = 0.05  # an entity is not drawn although it is missing; as in the forecast
    added: float = 0.10  # a box is drawn although none is missing; as in the forecast
    joint: float = 0.0  # by how much a joint check errs more than the two stages it stands for
    # Of the boxes that are not good. A loose or cut one is still around its entity.
    loose: float = 0.45
    cut: float = 0.25
    wrong: float = 0.15
    double: float = 0.15


@dataclass(frozen=True)
class Times:
    """Seconds of work. The times of the paper's stages are those of table 3."""

    reading: float = 7.0  # of each of table 3's times: to look at the photograph, and to read and understand
    photograph: float = PHOTOGRAPH  # of `reading`: the photograph alone, at which a visit looks once
    extreme: float = 7.0  # to draw a box by four extreme points (Papadopoulos et al. 2017)
    joint_seconds: float = 0.0  # what a joint screen takes more
    # Whether it takes longer for each new box: as long as judging the box alone does, after reading.
    joint_by_box: bool = True
    # Whether looking for what is missing takes time of its own where boxes are drawn. In table 3, drawing
    # includes it. Where nothing is drawn, it always does.
    looking_apart: bool = True

    @property
    def drag(self) -> float:
        """Return the seconds to draw a box from corner to corner, after reading."""
        return SECONDS[Stage.DRAWING] - self.reading

    @property
    def judging(self) -> float:
        """Return the seconds that each new box adds to the joint screen."""
        return SECONDS[Stage.QUALITY] - self.reading if self.joint_by_box else 0.0

    @property
    def looking(self) -> float:
        """Return the seconds to see whether something is missing, after reading."""
        return SECONDS[Stage.COVERAGE] - self.reading


@dataclass(frozen=True)
class Drawn:
    """A simulated box: the entity it is around (None: nothing that is missing), and what is true of it."""

    entity: int | None
    truth: BoxJudgment


@dataclass
class Course:
    """What one chain took, and how its boxes are at the end."""

    stages: list[str] = field(default_factory=list)  # of each judgment, in order
    drawn: int = 0  # boxes in answers of `boxes`
    undrawn: int = 0  # answers of `boxes` without a box
    judged: int = 0  # boxes in answers of `check`
    entities: int = 0
    boxes: int = 0  # accepted
    wrong: int = 0  # of these
    missing: int = 0  # entities without a box
    review: bool = False

    @property
    def imperfect(self) -> bool:
        """Whether anything is wrong with the chain. One in review is a researcher's."""
        return not self.review and bool(self.wrong or self.missing)


class Worker:
    """Whoever answers about one chain that has so many entities to box."""

    def __init__(self, entities: int, scene: bool, errors: Errors, rng: random.Random) -> None:
        self.entities, self.scene, self.errors, self.rng = entities, scene, errors, rng
        self.accepted: list[Drawn] = []
        self.proposed: list[Drawn] = []
        self.known: dict[Box, Drawn] = {}

    def answer(self, stage: str) -> Answer:
        """Return one more worker's answer."""
        match stage:
            case Stage.REQUIREMENT:
                boxed = bool(self.entities) != self._errs(self.errors.requirement)
                none = Requirement.SCENE if self.scene else Requirement.NOBOX
                return RequirementAnswer(Requirement.BOX if boxed else none)
            case Stage.DRAWING:
                return DrawingAnswer(next(self._draw(self._missing()[:1]), None))
            case JointStage.BOXES:
                boxes = tuple(self._draw(self._missing()))
                return BoxesAnswer(boxes) if boxes else BoxesAnswer(none=self._reason())
            case Stage.QUALITY:
                (new,) = self.proposed
                return QualityAnswer((new.truth is BoxJudgment.GOOD) != self._errs(self.errors.quality))
            case JointStage.CHECK:
                said = tuple(map(self._say, self.proposed))
                missing = bool(self._missing(self.proposed))
                return CheckAnswer(said, missing != self._errs(self.errors.coverage + self.errors.joint))
        assert stage == Stage.COVERAGE
        return CoverageAnswer((not self._missing()) != self._errs(self.errors.coverage))

    def evidence(self, stage: str) -> list[ModelWeights]:
        """Return what a model adds to an item of this stage before anybody is asked: nothing here."""
        return []

    def _errs(self, rate: float) -> bool:
        return self.rng.random() < rate

    def _missing(self, new: Sequence[Drawn] = ()) -> list[int]:
        """Return the entities that no accepted or new box is around, in any order."""
        there = {box.entity for box in (*self.accepted, *new)}
        found = [entity for entity in range(self.entities) if entity not in there]
        self.rng.shuffle(found)
        return found

    def _draw(self, missing: Sequence[int]) -> Iterator[Box]:
        for entity in missing:
            if not self._errs(self.errors.overlooked):
                truth = self._flaw() if self._errs(self.errors.bad) else BoxJudgment.GOOD
                around = truth not in (BoxJudgment.WRONG, BoxJudgment.DOUBLE)
                yield self._box(Drawn(entity if around else None, truth))
        if not missing and self._errs(self.errors.added):
            yield self._box(Drawn(None, BoxJudgment.DOUBLE if self.entities else BoxJudgment.WRONG))

    def _box(self, drawn: Drawn) -> Box:
        box = Box(len(self.known), 0, len(self.known) + 1, 1)
        self.known[box] = drawn
        return box

    def _flaw(self) -> BoxJudgment:
        flaws = BoxJudgment.LOOSE, BoxJudgment.CUT, BoxJudgment.WRONG, BoxJudgment.DOUBLE
        return self.rng.choices(flaws, [getattr(self.errors, flaw) for flaw in flaws])[0]

    def _say(self, new: Drawn) -> BoxJudgment:
        if not self._errs(self.errors.quality + self.errors.joint):
            return new.truth
        return self._flaw() if new.truth is BoxJudgment.GOOD else BoxJudgment.GOOD

    def _reason(self) -> NoBoxes:
        if self.entities:
            return NoBoxes.DONE
        return NoBoxes.SCENE if self.scene else NoBoxes.NOBOX


def play(protocol: Protocol, mentions: Sequence[Mention], worker: Worker) -> Course:
    """Play a verified chain through the box stages of a protocol."""
    course = Course(entities=worker.entities)
    progress = Progress(protocol.opening(mentions, SETTINGS, verified=True))
    counted: tuple[Evidence, ...] = ()
    while progress.state in protocol.decide:
        stage = progress.state
        answers: list[Evidence] = [*counted, *worker.evidence(stage)]
        while (verdict := protocol.verdict(stage, answers, mentions, SETTINGS)) is None:
            answers.append(worker.answer(stage))
            course.stages.append(str(stage))
            course.judged += len(worker.proposed) * (stage == JointStage.CHECK)
        progress, rule = protocol.step(progress, verdict, mentions, SETTINGS)
        if rule in protocol.box_states:
            states = [protocol.state_of_box(rule, verdict, place) for place in range(len(worker.proposed))]
            judged = zip(worker.proposed, states, strict=True)
            worker.accepted += [box for box, state in judged if state == "accepted"]
        worker.proposed = [worker.known[box] for box in verdict.boxes]
        course.drawn += len(verdict.boxes) * (stage == JointStage.BOXES)
        course.undrawn += stage == JointStage.BOXES and not verdict.boxes
        counted = tuple(answers[-1:]) if rule in protocol.counts_next else ()
    there = {box.entity for box in worker.accepted}
    course.boxes = len(worker.accepted)
    course.wrong = sum(box.truth is not BoxJudgment.GOOD for box in worker.accepted)
    course.missing = sum(entity not in there for entity in range(worker.entities))
    course.review = progress.state == REVIEW
    return course


def need_of(kind: str, world: World, rng: random.Random) -> float:
    """Draw the share of the chains of a noun of this type that need a box."""
    share = 1 - WITHOUT_BOX[kind]
    return rng.betavariate(share * world.told, (1 - share) * world.told) if world.told else share


def entities_of(kind: str, need: float, rng: random.Random) -> int:
    """Draw how many boxes a chain truly needs, so that shares and means are those of table 4."""
    if rng.random() >= need:
        return 0
    more = BOXES[kind] / (1 - WITHOUT_BOX[kind]) - 1
    number = 1
    while rng.random() < more / (1 + more):
        number += 1
    return number


def with_prior(protocol: Protocol, prior: BoxPrior) -> Protocol:
    """Return the protocol with this prior, if it is one with a prior."""

    def opening(mentions: Sequence[Mention], settings: BatchSettings, *, verified: bool) -> str:
        return str(Stage.REQUIREMENT if asks_need_first(prior.of(mentions)) else JointStage.BOXES)

    if not protocol.priors:
        return protocol
    return replace(protocol, opening=opening, priors={Stage.REQUIREMENT: lambda m, _: prior.of(m)})


def box_courses(
    protocol: Protocol, images: Sequence[Sketch], errors: Errors, world: World
) -> list[list[Course]]:
    """Return the courses of the chains of each image. The chains need the same boxes in every call."""
    found = []
    for place, image in enumerate(images):
        chains: dict[int, list[Mention]] = defaultdict(list)
        for mention in image.mentions:
            chains[image.truth[mention.id]].append(mention)
        of_image = []
        for entity, mentions in chains.items():
            kind = mentions[0].types[0]
            truth = random.Random(f"entities/{place}/{entity}")
            need = need_of(kind, world, truth)
            worker = Worker(
                entities_of(kind, need, truth),
                kind == "scene",
                errors,
                random.Random(f"{protocol.name}/{place}/{entity}"),
            )
            known = (round(need * world.finished), world.finished)
            prior = BoxPrior(heads={representative(mentions).head: known} if world.told else {})
            of_image.append(play(with_prior(protocol, prior), mentions, worker))
        found.append(of_image)
    return found


def visits_of(chains: Sequence[Course]) -> Counter[str]:
    """Return how many visits an image takes by stage, if all its chains go forward in step.

    A visit has at most the items of a page. So it cannot be fewer, but if chains wait for others, it is more.
    """
    open_: Counter[tuple[int, str]] = Counter()
    for chain in chains:
        open_.update(enumerate(chain.stages))
    visits: Counter[str] = Counter()
    for (_, stage), items in open_.items():
        visits[stage] += ceil(items / ITEMS_PER_PAGE.get(stage, ITEMS_PER_PAGE[Stage.DRAWING]))
    return visits


def box_seconds(
    chains: Sequence[Course], times: Times, *, extreme: bool = False, visits: bool = False
) -> dict[str, float]:
    """Return the seconds that an image takes in the box stages, by stage."""
    items = Counter(stage for chain in chains for stage in chain.stages)
    seconds = {stage: SECONDS[stage] * number for stage, number in items.items() if stage in SECONDS}
    drawn, judged = sum(chain.drawn for chain in chains), sum(chain.judged for chain in chains)
    if JointStage.BOXES in items:
        a_box = times.extreme if extreme else times.drag
        looks = items[JointStage.BOXES] if times.looking_apart else sum(chain.undrawn for chain in chains)
        check = times.reading + times.looking + times.joint_seconds
        seconds[JointStage.BOXES] = (
            times.reading * items[JointStage.BOXES] + times.looking * looks + a_box * drawn
        )
        seconds[JointStage.CHECK] = check * items[JointStage.CHECK] + times.judging * judged
    if visits:
        for stage, number in visits_of(chains).items():
            seconds[stage] -= times.photograph * (items[stage] - number)
    return {str(stage): value for stage, value in seconds.items()}


@dataclass(frozen=True)
class LinkRow:
    """How the chains of one row are made."""

    strategy: Strategy
    verified: bool


@dataclass
class Linked:
    """What the chains of one image took, and how good they are."""

    questions: int
    visits: int  # pages, if each has all questions about the image that are open at a time
    verifications: int
    chains: int
    matched: int
    same: int  # admissible pairs that are the same
    apart: int  # of these, in two chains
    different: int
    joined: int


def link_image(image: Sketch, row: LinkRow, errors: Errors, seed: str) -> Linked:
    """Let the crowd answer what the strategy asks, and verify the chains if the row does."""
    crowd, rng = Crowd(image, seed), random.Random(f"verification/{seed}")
    answers: dict[Pair, Link] = {}
    visits = 0
    while True:
        step = row.strategy(ImageLinks(image.mentions, answers, seed))
        if not step.asks:
            break
        visits += ceil(len(step.ask + step.again + step.settle) / ITEMS_PER_PAGE[Stage.LINK])
        answers |= {pair: crowd.judge_again(pair, answers[pair]) for pair in step.again}
        answers |= {pair: crowd.judge(pair, settling=False) for pair in step.ask}
        answers |= {pair: crowd.judge(pair, settling=True) for pair in step.settle}
    chains, verifications = [], 0
    for chain in step.chains:
        parts: Sequence[Sequence[Mention]] = [chain]
        if row.verified and len(chain) > 1:
            verifications += 1
            true = len({image.truth[mention.id] for mention in chain}) == 1
            errs = rng.random() < min(image.hardness * errors.verification, 0.5)
            answer = VerificationAnswer(true != errs)
            verdict = FLICKR30K.verdict(Stage.VERIFICATION, [answer], chain, SETTINGS)
            assert verdict is not None
            parts = [chain] if verdict.name == "true" else split(chain)
        chains += [frozenset(mention.id for mention in part) for part in parts]
    chain_of = {mention: number for number, chain in enumerate(chains) for mention in chain}
    gold: dict[int, set[int]] = defaultdict(set)
    for number, entity in image.truth.items():
        gold[entity].add(number)
    found = Linked(crowd.judgments, visits, verifications, len(gold), 0, 0, 0, 0, 0)
    found.matched = len({*map(frozenset, gold.values())} & set(chains))
    for a, b in combinations(image.mentions, 2):
        if admissible(a, b):
            same, joined = image.truth[a.id] == image.truth[b.id], chain_of[a.id] == chain_of[b.id]
            found.same += same
            found.different += not same
            found.apart += same and not joined
            found.joined += joined and not same
    return found


def link_seconds(one: Linked, times: Times, *, visits: bool = False) -> float:
    """Return the seconds that an image takes until its chains are made."""
    seconds = SECONDS[Stage.LINK] * one.questions + SECONDS[Stage.VERIFICATION] * one.verifications
    if visits:
        pages = one.visits + ceil(one.verifications / ITEMS_PER_PAGE[Stage.VERIFICATION])
        seconds -= times.photograph * (one.questions + one.verifications - pages)
    return seconds
