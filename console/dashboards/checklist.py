"""What a project needs next, from its import to its release: seven steps, each with a state and a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from annotation.domain.protocols import Campaign
from annotation.models import Batch, Caption, Image, ImageWork, Project, Worker
from console.batches.form import PLATFORMS
from console.common.numbers import say_count
from console.inspector.search_query import BARE
from workflows.analysis.counts.selectors import Kept
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.people import invited_to
from workflows.batches.question_reach import reach_of
from workflows.jobs.domain.jobs import UNFINISHED
from workflows.jobs.models import Job, Snapshot
from workflows.pipeline.selectors import short_of_captions
from workflows.questions import supply
from workflows.questions.domain.supply import questions_needed
from workflows.questions.exposure import stock_of
from workflows.questions.images import free_images
from workflows.review.annotation_queue import queues_begun


class Link(NamedTuple):
    """Where a step is done: words, and an address by its name. `of` says what the address names.

    A `managing` link is for managers only. `after` ends the address.
    """

    words: str
    name: str
    of: str = "project"  # project, batch, draft, stuck, short or anew (batches), job, or nothing
    after: str = ""
    managing: bool = True


LINKS: Mapping[str, Link] = MappingProxyType(
    {
        "import": Link("Import images", "jobs:import"),
        "importing": Link("Watch the import", "jobs:job", "job", managing=False),
        "failed": Link("See why", "jobs:job", "job", managing=False),
        "problems": Link("Look at the problems", "jobs:job", "job", "#problems", managing=False),
        "pictures": Link("See which", "inspector:search", after=f"?state={BARE}", managing=False),
        "look": Link("Look at the images", "inspector:search", managing=False),
        "gold": Link("Make questions", "batches:questions"),
        "stuck": Link("See what helps", "dashboards:batch", "stuck", managing=False),
        "questions": Link(
            "Look at the questions", "questions:list", "", "?project={project}", managing=False
        ),
        "new-batch": Link("Make a batch", "batches:new"),
        "collect": Link("Have captions written", "batches:campaign"),
        "ground": Link("Ground the captions", "batches:new"),
        "write-anew": Link("Have them written anew", "dashboards:batch", "anew", "#captions"),
        "launch": Link("Launch it", "batches:move launch", "batch"),
        "draft": Link("Launch it", "batches:move launch", "draft"),
        "final-queue": Link("Go on annotating", "expert-queue", after="?purpose=final", managing=False),
        "gold-queue": Link("Go on annotating", "expert-queue", after="?purpose=gold", managing=False),
        "resume": Link("Resume it", "batches:move resume", "batch"),
        "batches": Link("Look at the batches", "batches:list", managing=False),
        "links": Link("Make links", "batches:links", "batch"),
        "invite": Link("Invite people", "invitations:new"),
        "short": Link("See what helps", "dashboards:batch", "short", managing=False),
        "crowd": Link("Look at the crowd", "crowd:batch", "batch", managing=False),
        "workers": Link("Look at the workers", "workers:list", "", "?project={project}", managing=False),
        "review": Link("Review", "review:queue", "", "?project={project}", managing=False),
        "export": Link("Export", "jobs:exports"),
        "exports": Link("Look at the versions", "jobs:exports", managing=False),
    }
)
"""Every link of the checklist, by the name that `checklist` gives it."""


class StepState(StrEnum):
    """How far a step is. `NOW` waits for a researcher, `LATER` for an earlier step or for workers."""

    DONE = "done"
    NOW = "now"
    LATER = "later"


STATE_WORDS: Mapping[StepState, str] = MappingProxyType(
    {StepState.DONE: "done", StepState.NOW: "to do", StepState.LATER: "later"}
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name, where it stands in a few words, and the names of its links, or ''."""

    name: str
    state: StepState
    says: str
    link: str = ""
    also: str = ""  # what can be done besides, and is never next


@dataclass(frozen=True, slots=True)
class Facts:
    """What the steps are told from. `None` and 0 are what is not there."""

    images: int = 0
    bare: int = 0  # without a picture
    captioned: bool = True  # whether any image has a caption
    undescribed: int = 0  # photographs without a caption that no batch collects captions for
    to_ground: bool = False  # whether the batch was a campaign, and a batch can ground captions now
    collected: bool = False  # whether it collected them
    short: int = 0  # photographs that have fewer captions than were collected for them
    importing: bool = False
    failed: bool = False  # the newest import
    problems: int = 0  # of the newest import
    missing: int = 0  # verification questions that the batch needs and that cannot be asked yet
    exact: bool = True  # whether so many are enough: at entrances, it may take more or fewer
    more_images: int = 0  # about which questions are needed, too, so that the batch probably ends
    cannot_end: bool = False  # without them
    for_questions: int = 0  # answers of running batches that wait for more of them
    for_somebody_new: int = 0  # answers of running batches that nobody who is there can give
    tested: bool = True  # whether the batch asks verification questions at all
    batch: str = ""  # the name of the batch that is looked at
    beside: tuple[str, ...] = ()  # the names of others that run
    draft: str = ""  # the newest draft, if another batch is looked at
    drawn: int = 0  # images of a queue that a researcher has begun to annotate
    drawn_done: int = 0  # of these
    drawn_for: str = ""  # final or gold
    batch_state: str = ""
    platform: str = ""  # where its workers come from; '' if they are invited
    workers: int = 0  # who come from there, or are invited and not blocked
    judgments: int = 0
    images_done: int = 0  # grounded: what a version contains
    captioned_images: int = 0  # which have their captions, and that no batch grounds
    judged_images: int = 0  # whose captions are judged
    cases: int = 0
    version: int = 0
    released_at: datetime | None = None


def checklist(facts: Facts) -> list[Step]:
    """Return the steps in their order."""
    return [
        _import(facts),
        _look(facts),
        _with_queue(_gold(facts), facts),
        _with_captions(_written_anew(_with_draft(_batch(facts), facts), facts), facts),
        _people(facts),
        _review(facts),
        _release(facts),
    ]


def next_step(steps: list[Step]) -> Step | None:
    """Return the first step that waits for a researcher, or None."""
    return next((step for step in steps if step.state == StepState.NOW), None)


def _import(facts: Facts) -> Step:
    if facts.importing:
        return Step("Import", StepState.LATER, "An import is running.", "importing")
    if facts.failed and not facts.images:
        return Step("Import", StepState.NOW, "The last import failed.", "failed")
    if not facts.images:
        return Step("Import", StepState.NOW, "Bring your images and their captions.", "import")
    return Step("Import", StepState.DONE, f"{say_count(facts.images, 'image')}.", "import")


def _look(facts: Facts) -> Step:
    if not facts.images:
        return Step("Look", StepState.LATER, "See whether everything came in right.")
    if facts.bare:
        # Whoever launched a batch without them agreed to that.
        state = StepState.NOW if facts.batch_state in ("", Batch.State.DRAFT) else StepState.DONE
        bare = say_count(facts.bare, "image has", "images have")
        return Step("Look", state, f"{bare} no picture.", "pictures")
    if facts.problems:
        said = f"The last import left out something: {say_count(facts.problems, 'problem')}."
        # What was left out may be meant so: nothing waits for it.
        return Step("Look", StepState.DONE, said, "problems")
    return Step("Look", StepState.DONE, "Every image has its picture.", "look")


def _gold(facts: Facts) -> Step:
    if not facts.tested:
        return Step(
            "Questions", StepState.DONE, "None are needed: all workers' judgments count.", "questions"
        )
    if not facts.images:
        return Step("Questions", StepState.LATER, "Questions with a known answer show who works well.")
    if not facts.captioned and not facts.batch:
        return Step("Questions", StepState.LATER, "People you know need none.")
    if facts.missing and not facts.batch:
        # Who annotates is chosen with the batch, and decides whether any are needed.
        says = "A paid crowd needs them. People you know need none."
        return Step("Questions", StepState.LATER, says, "gold")
    if facts.missing:
        more = say_count(facts.missing, "verification question")
        some = more if facts.exact else "There are verification questions"
        return Step("Questions", StepState.NOW, f"{some} missing for batch {facts.batch}.", "gold")
    if facts.for_questions:
        says = f"{say_count(facts.for_questions, 'answer waits', 'answers wait')} for more of them."
        return Step("Questions", StepState.NOW, says, "stuck")
    if facts.more_images:
        state = StepState.NOW if facts.cannot_end else StepState.DONE
        says = f"Enough to begin. To last, they need {say_count(facts.more_images, 'more image')}."
        return Step("Questions", state, says, "gold")
    if not facts.batch:
        says = "Enough for a batch with the default settings to begin."
        return Step("Questions", StepState.DONE, says, "questions")
    return Step("Questions", StepState.DONE, "There are enough verification questions.", "questions")


def _batch(facts: Facts) -> Step:
    if facts.to_ground:
        its = "the captions that were kept" if facts.short else "its captions"
        whose = its if facts.collected else "captions"
        says = f"{facts.batch} is {facts.batch_state}: {whose} can be grounded."
        return Step("Batch", StepState.NOW, says, "ground")
    match facts.batch_state:
        case "" | Batch.State.CANCELLED if facts.images and not facts.captioned:
            return Step("Batch", StepState.NOW, "No image has a caption yet.", "collect")
        case "":
            state = StepState.NOW if facts.images else StepState.LATER
            return Step("Batch", state, "Choose who annotates.", "new-batch" if facts.images else "")
        case Batch.State.DRAFT:
            waits = facts.tested and (facts.missing or facts.cannot_end)
            state = StepState.LATER if waits else StepState.NOW
            return Step("Batch", state, f"{facts.batch} is a draft.", "launch")
        case Batch.State.PAUSED:
            return Step("Batch", StepState.NOW, f"{facts.batch} is paused.", "resume")
        case Batch.State.RUNNING:
            names = [*facts.beside, facts.batch]
            running = f"{', '.join(names[:-1])} and {names[-1]} are" if facts.beside else f"{names[0]} is"
            return Step("Batch", StepState.DONE, f"{running} running.", "batches")
        case _:
            said = f"{facts.batch} is {facts.batch_state}."
            return Step("Batch", StepState.DONE, said, "new-batch")


def _with_draft(step: Step, facts: Facts) -> Step:
    """Return the step with a draft beside the batch that is looked at: it waits to be launched."""
    if not facts.draft or step.state != StepState.DONE:
        return step
    return Step(step.name, StepState.NOW, f"{step.says} {facts.draft} is a draft.", "draft")


def _with_queue(step: Step, facts: Facts) -> Step:
    """Return the step with the images that a researcher has begun to annotate, unless more waits in it."""
    if not facts.drawn or step.state == StepState.NOW:
        return step
    done = "1 is" if facts.drawn_done == 1 else f"{facts.drawn_done} are"
    drawn = say_count(facts.drawn, "image was", "images were")
    says = f"{drawn} drawn for you to annotate ({facts.drawn_for}): {done} done."
    return Step(step.name, StepState.NOW, says, f"{facts.drawn_for}-queue")


def _written_anew(step: Step, facts: Facts) -> Step:
    """Return the step with the photographs whose captions were not kept, so that others can be written."""
    if not facts.short:
        return step
    some = say_count(facts.short, "photograph is", "photographs are")
    says = f"{step.says} {some} short of captions: too many were refused or withdrawn."
    if step.state == StepState.NOW:
        return replace(step, says=says, also="write-anew")
    return replace(step, state=StepState.NOW, says=says, link="write-anew")


def _with_captions(step: Step, facts: Facts) -> Step:
    """Return the step with the photographs that can still be described, unless it is about them already."""
    if not facts.undescribed or not facts.captioned or step.also or step.link in ("", "collect"):
        return step
    some = say_count(facts.undescribed, "photograph has", "photographs have")
    return replace(step, says=f"{step.says} {some} no caption.", also="collect")


def _people(facts: Facts) -> Step:
    running = facts.batch_state == Batch.State.RUNNING
    if facts.for_somebody_new and (facts.workers or facts.judgments):
        says = f"{say_count(facts.for_somebody_new, 'answer waits', 'answers wait')} for a new worker."
        return Step("People", StepState.NOW, says, "short")
    if facts.platform and facts.batch_state:
        state = StepState.DONE if running or facts.workers else StepState.LATER
        came = f", {say_count(facts.workers, 'worker')} so far" if facts.workers else ""
        return Step("People", state, f"They come from {facts.platform}{came}.", "crowd")
    if facts.workers:
        people = say_count(facts.workers, "person is", "people are")
        return Step("People", StepState.DONE, f"{people} invited.", "workers")
    if running:
        return Step("People", StepState.NOW, "No worker is invited yet.", "links")
    return Step("People", StepState.LATER, "Invite them once a batch is running.", "invite")


def _review(facts: Facts) -> Step:
    if facts.cases:
        said = f"{say_count(facts.cases, 'case waits', 'cases wait')} for a researcher."
        return Step("Review", StepState.NOW, said, "review")
    if not facts.judgments:
        return Step("Review", StepState.LATER, "Nothing is judged yet.")
    return Step("Review", StepState.DONE, "Nothing waits for a researcher.", "review")


def _release(facts: Facts) -> Step:
    done = f"{say_count(facts.images_done, 'image is', 'images are')} done"
    if facts.released_at is not None:
        said = f"Version {facts.version} of {facts.released_at:%-d %b %Y}."
        return Step("Release", StepState.DONE, said, "exports")
    if not facts.images_done and facts.captioned_images:
        images = say_count(facts.captioned_images, "image")
        says = f"The captions of {images} are collected. No image is grounded yet."
        return Step("Release", StepState.LATER, says, "export")
    if not facts.images_done and facts.judged_images:
        says = f"The captions of {say_count(facts.judged_images, 'image')} are judged."
        return Step("Release", StepState.LATER, says, "batches")
    if not facts.images_done:
        return Step("Release", StepState.LATER, "No image is done yet.")
    under_way = facts.batch_state in Batch.UNDER_WAY
    state = StepState.LATER if under_way or facts.cases else StepState.NOW
    return Step("Release", state, f"{done}.", "export")


# What the steps are told from, in the database --------------------------------------------------------------


class Shown(NamedTuple):
    """A step as the page shows it. `address` is '' if it has no link, or none for this account."""

    step: Step
    state: str
    words: str
    address: str
    main: bool
    also: tuple[str, str] | None = None  # words and address of what can be done besides


@dataclass(frozen=True, slots=True)
class Checklist:
    """The steps of a project, and the one that is next, if any waits for a researcher."""

    steps: list[Shown]
    next: Shown | None

    @property
    def to_ground(self) -> bool:
        """Return whether captions wait until somebody has them grounded."""
        return any(one.step.link == "ground" for one in self.steps)

    @property
    def done(self) -> int:
        """Return how many steps are done."""
        return sum(one.step.state == StepState.DONE for one in self.steps)


def checklist_of(
    project: Project,
    figures: Kept,
    cases: int,
    *,
    manages: bool,
    stuck: Batch | None = None,
    for_questions: int = 0,
    short_of_people: Batch | None = None,
    for_somebody_new: int = 0,
    running: Sequence[str] = (),
) -> Checklist:
    """Return the checklist of the project, of which so many review cases are open now.

    `for_questions` counts the answers of the batch `stuck` and others that wait for more verification
    questions, and `for_somebody_new` those of `short_of_people` and others that wait for more people.
    `running` names the batches that run. The
    links are those that the account may follow. Fourteen queries, up to six more once captions were
    collected, and for a draft that asks questions up to eleven more.
    """
    batch = _batch_in_hand(project)
    job = _newest_import(project)
    drafts = project.batches.filter(state=Batch.State.DRAFT).order_by("-pk")
    draft = drafts.first() if batch and batch.state == Batch.State.RUNNING else None
    begun = [one for one in queues_begun(project) if one.following is not None]
    collects = figures.items is not None and figures.items.of(Campaign.CAPTIONS).states
    written = _short_by_batch(project) if collects else {}
    anew = max((one for one in written if one.state in Batch.OVER), key=attrgetter("pk"), default=None)
    facts = replace(
        _facts(project, figures, cases, batch, job, sum(written.values())),
        short=written[anew] if anew else 0,
        beside=tuple(one for one in running if batch is not None and one != batch.name),
        draft=draft.name if draft else "",
        drawn=len(begun[0].images) if begun else 0,
        drawn_done=len(begun[0].done) if begun else 0,
        drawn_for=begun[0].queue.purpose if begun else "",
        for_questions=for_questions,
        for_somebody_new=for_somebody_new,
    )
    named = {"batch": batch, "draft": draft, "stuck": stuck, "short": short_of_people, "anew": anew}
    steps = checklist(facts)
    following = next_step(steps)
    shown = []
    for step in steps:
        links = [LINKS.get(name) for name in (step.link, step.also)]
        own, also = (
            (link.words, _address(link, project, job, named))
            if link and (manages or not link.managing)
            else None
            for link in links
        )
        words, address = own or ("", "")
        shown.append(Shown(step, STATE_WORDS[step.state], words, address, step is following, also))
    return Checklist(shown, next((one for one in shown if one.main), None))


def _short_by_batch(project: Project) -> dict[Batch, int]:
    """Return how many photographs each batch has left short of captions, without those that are grounded."""
    grounded = ImageWork.objects.grounding().filter(image=OuterRef("image"), active=True)
    works = ImageWork.objects.filter(~Exists(grounded), image__project=project, image__withdrawn_at=None)
    found = short_of_captions(works)
    if not found:
        return {}
    counts = ImageWork.objects.filter(pk__in=found).order_by().values_list("batch").annotate(Count("pk"))
    batches = Batch.objects.in_bulk([batch for batch, _ in counts])
    return {batches[batch]: number for batch, number in counts}


def _facts(
    project: Project, figures: Kept, cases: int, batch: Batch | None, job: Job | None, refused: int
) -> Facts:
    """Return the facts. So many photographs lack captions that were `refused` or withdrawn."""
    images = _image_counts(project)
    settings = settings_of(batch) if batch else BatchSettings()
    tested = any(questions_needed(settings, str(stage)) for stage in settings.regime)
    # A batch that was launched had enough, and does not ask for more of them here.
    wanted = tested and images["all"] and (batch is None or batch.state == Batch.State.DRAFT)
    stock = stock_of(project.pk) if wanted else None
    short = supply.shortages(project, settings, stock) if stock else []
    draft = batch is not None and batch.state == Batch.State.DRAFT
    reach = reach_of(batch, stock) if batch and draft and stock and not short else None
    # A batch that is not cancelled has captions, or collects them: a query is made only without one.
    without_batch = batch is None or batch.state == Batch.State.CANCELLED
    captioned = not without_batch or Caption.objects.in_use().filter(image__project=project).exists()
    # An export of images that were chosen one by one is no release.
    whole = Q(job__options__images=[]) | Q(job__options__images__isnull=True)
    newest = Snapshot.objects.filter(whole, project=project).order_by("-version")
    version = newest.values_list("version", "created_at").first()
    judged = figures.judgments.stages.values() if figures.judgments else ()
    provider = settings.crowd.provider
    return Facts(
        images=images["all"],
        bare=images["bare"],
        captioned=captioned,
        undescribed=figures.corpus.undescribed if figures.corpus else 0,
        to_ground=batch is not None and can_ground(batch),
        collected=settings.campaign is Campaign.CAPTIONS,
        importing=job is not None and job.state in UNFINISHED,
        failed=job is not None and job.state == Job.State.FAILED,
        problems=job.problem_count if job else 0,
        missing=sum(needed - found for _, _, found, needed in short),
        exact=not (stock and stock.reserved) and Regime.TRUSTED not in settings.regime.values(),
        more_images=reach.more_images if reach else 0,
        cannot_end=reach is not None and reach.hopeless,
        tested=tested,
        batch=batch.name if batch else "",
        batch_state=batch.state if batch else "",
        platform="" if provider == DIRECT else PLATFORMS[provider],
        workers=_workers(project, provider).count(),
        judgments=sum(one.judgments for one in judged),
        images_done=images[Campaign.ENTITIES],
        captioned_images=images[Campaign.CAPTIONS] - refused,
        judged_images=images[Campaign.RELEVANCE],
        cases=cases,
        version=version[0] if version else 0,
        released_at=version[1] if version else None,
    )


def _workers(project: Project, provider: str) -> QuerySet[Worker]:
    """Return who came from the platform, or who is invited: the same people as on the page of a launch."""
    if provider == DIRECT:
        return invited_to(project.pk)
    return Worker.objects.filter(project=project, provider=provider)


def _image_counts(project: Project) -> dict[str, int]:
    """Count the images in use, those without a picture, and by campaign those that are done now. One query.

    Done is as in `count_photographs`, which counts later.
    """
    works = ImageWork.objects.filter(image=OuterRef("pk"), active=True)
    of = {campaign: works.filter(campaign=campaign) for campaign in Campaign}
    done = {campaign: Exists(of[campaign].filter(state=ImageWork.State.DONE)) for campaign in Campaign}
    grounded = Exists(of[Campaign.ENTITIES])
    unjudged = Exists(of[Campaign.RELEVANCE].exclude(state=ImageWork.State.DONE))
    return (
        Image.objects.in_use()
        .filter(project=project)
        .aggregate(
            all=Count("pk"),
            bare=Count("pk", filter=Q(file="")),
            entities=Count("pk", filter=Q(done[Campaign.ENTITIES])),
            captions=Count("pk", filter=Q(done[Campaign.CAPTIONS]) & Q(~grounded)),
            relevance=Count("pk", filter=Q(done[Campaign.RELEVANCE]) & Q(~unjudged)),
        )
    )


def can_ground(batch: Batch) -> bool:
    """Return whether the batch was a campaign that is over, and images with captions are in no grounding."""
    campaign = batch.state in Batch.OVER and settings_of(batch).campaign is not Campaign.ENTITIES
    return campaign and free_images(batch.project).exists()


_IN_HAND = (
    *Batch.UNDER_WAY,
    Batch.State.DRAFT,
    *Batch.OVER,
)


def _batch_in_hand(project: Project) -> Batch | None:
    """Return the newest batch that runs, or else the newest paused one, draft, finished or cancelled one.

    What a researcher annotated alone is a batch as well. It is looked at if it has taken the last image:
    until then the other images wait for a batch of workers.
    """
    newest: dict[str, Batch] = {}
    alone: Batch | None = None
    for batch in project.batches.order_by("pk"):
        if batch.by_hand:
            alone = batch
        else:
            newest[batch.state] = batch
    found = next((newest[state] for state in _IN_HAND if state in newest), None)
    return alone if found is None and alone and not free_images(project).exists() else found


def _newest_import(project: Project) -> Job | None:
    jobs = Job.objects.filter(project=project, kind=Job.Kind.IMPORT, dry_run=False)
    return jobs.defer("problems", "outcome", "options").order_by("-pk").first()


def _address(link: Link, project: Project, job: Job | None, batches: Mapping[str, Batch | None]) -> str:
    name, *rest = link.name.split(" ")
    named: Mapping[str, Project | Job | Batch | None] = {"project": project, "job": job, **batches}
    ids = {of: [one.pk] for of, one in named.items() if one}
    return reverse(name, args=[*ids.get(link.of, []), *rest]) + link.after.format(project=project.pk)
