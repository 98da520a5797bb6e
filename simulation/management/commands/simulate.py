from __future__ import annotations

import logging
import random
import re
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.answers import CampaignStage
from annotation.domain.records import ImageRecord
from annotation.formats.datasets.flickr30k_entities import read
from annotation.models import Batch, ImageWork, Project
from simulation.caption_answers import meant
from simulation.characters import CARELESS, CARELESS_JUDGES, CARELESS_WRITERS, Character, Kind, mixed_crowd
from simulation.client import ApiError, Client, UnreachableError
from simulation.crowd import STALLED_AFTER, Crowd, CrowdStalledError, Progress
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.world import Account
from simulation.emulators.panel.handle import Handle as PanelHandle
from simulation.emulators.prolific.handle import Handle as Emulator
from simulation.model_judge import SimulatedJudge, judging
from simulation.panelists import Panelists
from simulation.partial_annotation import work_but_leave
from simulation.participants import Participants, participant_id
from simulation.profiles import PROFILES, STAGES, ErrorProfile
from simulation.selectors import (
    load_made_up_truth,
    load_truth,
    progress,
    stages_asked,
    stages_running,
    truth_of_records,
    waiting,
    why_stalled,
)
from simulation.truth import Truth
from simulation.turkers import Turkers
from simulation.visitors import Visitors
from simulation.workers import Manners, SimulatedWorker, Tally
from workflows.api.authentication import make_token
from workflows.api.model_views import make_model_token
from workflows.assignments.domain import AGAIN_AFTER
from workflows.batch_settings.domain.crowd_settings import LINK, MTURK, PROLIFIC
from workflows.batch_settings.domain.settings import PAGE_VISIT
from workflows.batch_settings.selectors import settings_of
from workflows.core.models import SWEEP, Beat
from workflows.crowd.link.addresses import address_of
from workflows.crowd.link.domain.place_lists import ListError
from workflows.crowd.link.lists import take_list
from workflows.crowd.rounds.step import step
from workflows.judges.versions import find_model
from workflows.management.subject import project_named
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.platforms.registry import provider
from workflows.review.written_captions import rule_on_caption
from workflows.tasks import hint_advance
from workflows.workers.enrolment import enrol_worker


class Command(BaseCommand):
    help = (
        "Let simulated workers annotate a project's running batches over HTTP until there is no work left. "
        "They answer from its gold chains (import_corpus --as-gold), or from another truth (--truth). A "
        "simulated researcher decides about captions that the rules flag."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--server", required=True, help="the address of the server, such as http://127.0.0.1:8000"
        )
        parser.add_argument(
            "--workers", type=int, default=8, help="how many work at the same time (default: 8)"
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--truth",
            default=GOLD,
            metavar="gold|made-up|FOLDER",
            help="what workers answer from: the project's gold chains (default); the same, and a made-up "
            "truth for images without any, which has nothing to do with the photographs but is enough to try "
            "settings and costs; or a folder in the format flickr30k-entities about images of these names",
        )
        parser.add_argument("--profile", choices=sorted(PROFILES), default="paper", help="error rates")
        parser.add_argument(
            "--careless",
            type=float,
            metavar="SHARE",
            help="instead of --profile: draw each worker's error rates around the paper's table 3, and make "
            "this share of them careless (random answers, always yes, hasty, loose boxes, careless after a "
            "good start; where captions are written: always the same one, in another language, misspelt, or "
            "about another photograph)",
        )
        parser.add_argument(
            "--careless-kind",
            choices=sorted(Kind),
            metavar="KIND",
            help="with --careless: all of them are of this kind, such as accepting (takes every suggestion)",
        )
        parser.add_argument(
            "--patience",
            type=int,
            metavar="N",
            help="a worker who gets no work N times in a row is replaced (default: nobody leaves)",
        )
        parser.add_argument(
            "--jitter", type=float, metavar="PX", help="jitter of boxes, instead of the profile's"
        )
        parser.add_argument(
            "--error",
            action="append",
            default=[],
            metavar="STAGE=RATE",
            help=f"an error rate instead of the profile's; stages: {', '.join(STAGES)}",
        )
        parser.add_argument("--dropout", type=float, default=0.0, help="share of pages that are abandoned")
        parser.add_argument("--give-back", type=float, default=0.0, help="share of pages that are returned")
        parser.add_argument(
            "--haste", type=float, default=1.0, help="share of the server's Retry-After to wait (default: 1)"
        )
        parser.add_argument(
            "--mturk", metavar="URL", help="the emulator of Mechanical Turk through which workers come"
        )
        parser.add_argument(
            "--prolific", metavar="URL", help="the emulator of Prolific through which workers come"
        )
        parser.add_argument(
            "--link", metavar="URL", help="the emulated panel that sends workers to the batch's address"
        )
        parser.add_argument(
            "--judge",
            metavar="NAME/VERSION",
            help="also let this model of the project judge boxes, where a batch asks it",
        )
        parser.add_argument(
            "--judge-accuracy",
            type=float,
            default=0.88,
            metavar="SHARE",
            help="how often it is right about each box, and about what is missing (default: 0.88)",
        )
        parser.add_argument(
            "--leave", type=int, metavar="N", help="stop when N items wait in every stage except the first"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        logging.getLogger("httpx").setLevel(logging.WARNING)  # otherwise it logs each request
        project = project_named(options["project"])
        if options["workers"] < 3:
            raise CommandError("--workers must be at least 3, because some items need three opinions")
        if options["leave"] is not None and options["leave"] < 1:
            raise CommandError("--leave must be at least 1")
        _check_server(options["server"])
        manners = _manners(options)
        spare = 10 if options["dropout"] else 3 if manners.patience else 1
        names = range(options["workers"] * spare)
        running = stages_running(project.name)
        kinds: Sequence[Kind] = CARELESS_WRITERS if CampaignStage.WRITING in running else CARELESS
        kinds = CARELESS_JUDGES if CampaignStage.RELEVANCE in running else kinds
        kinds = [Kind(options["careless_kind"])] if options["careless_kind"] else kinds
        characters = _characters(options, len(names), kinds)
        truth = _truth(project, options["truth"], options["seed"])
        ids = [
            external_id(options["seed"], number, character)
            for number, character in zip(names, characters, strict=True)
        ]
        try:
            with _judging(project, options, truth):
                if options["mturk"] is not None:
                    tally = _run_turkers(options, ids, truth, characters, manners)
                elif options["prolific"] is not None:
                    tally = self._run_participants(options, ids, truth, characters, manners)
                elif options["link"] is not None:
                    tally = _run_panel(options, ids, truth, characters, manners)
                elif options["leave"] is None:
                    tally = _run_all(options, _tokens(project, ids), truth, characters, manners)
                else:
                    tally = _run_some(options, _tokens(project, ids), truth, characters)
        except UnreachableError as error:
            raise CommandError(
                f"{options['server']} cannot be reached: is `make serve` running? ({error})"
            ) from error
        except (ApiError, CrowdStalledError) as error:
            raise CommandError(str(error)) from error
        stages = ", ".join(f"{tally.answers[stage]} {stage}" for stage in stages_asked(project.name))
        self.stdout.write(f"{tally.judgments} judgments on {tally.pages} pages: {stages}")
        for name, text in _SAID.items():
            if count := getattr(tally, name):
                self.stdout.write(f"{text}: {count}")

    def participants(self, *arguments: Any, emulator: Emulator) -> Participants:
        """Return the crowd that comes through Prolific; `arguments` are the arguments of a crowd."""
        return Participants(*arguments, emulator=emulator)

    def _run_participants(
        self,
        options: dict[str, Any],
        ids: list[str],
        truth: Truth,
        characters: list[Character],
        manners: Manners,
    ) -> Tally:
        names = [participant_id(name) for name in ids]
        with Emulator(options["prolific"]) as emulator:
            crowd = self.participants(*_crowd(options, names, truth, characters, manners), emulator=emulator)
            return _run_visitors(crowd, PROLIFIC, options["project"], truth)


@contextmanager
def _judging(project: Project, options: dict[str, Any], truth: Truth) -> Iterator[None]:
    """Let the named model judge meanwhile, if there is one. Raises CommandError if the project has none."""
    if options["judge"] is None:
        yield
        return
    model = find_model(project_id=project.pk, named=options["judge"])
    if model is None:
        raise CommandError(f"--judge: project {project.name} has no model {options['judge']}")
    rng = random.Random(f"{options['seed']}/judge")
    with Client(options["server"], make_model_token(model)) as client:
        try:
            judge = SimulatedJudge(client, truth, options["judge_accuracy"], rng)
        except ValueError as error:
            raise CommandError(f"--judge-accuracy: {error}") from error
        with judging(judge):
            yield


GOLD, MADE_UP = "gold", "made-up"


def _truth(project: Project, chosen: str, seed: int) -> Truth:
    """Return the truth that workers answer from. Raises CommandError if there is none."""
    if chosen == MADE_UP:
        truth = load_made_up_truth(project.name, seed)
        missing = "no images: import a corpus"
    elif chosen == GOLD:
        truth = load_truth(project.name)
        missing = (
            "no gold chains to answer from: import it with --as-gold, or give --truth made-up, or a folder "
            "with the truth"
        )
    else:
        records = list(read(Path(chosen)))
        for problem in records:
            if not isinstance(problem, ImageRecord):
                raise CommandError(f"--truth: {problem}")
        found = truth_of_records(project.name, [one for one in records if isinstance(one, ImageRecord)])
        gold = load_truth(project.name)  # of images that the folder says nothing about
        truth = replace(
            found, images={**gold.images, **found.images}, captions={**gold.captions, **found.captions}
        )
        missing = f"no image with mentions as in {chosen}: give a folder about images of these names"
    about_captions = bool(set(CampaignStage) & set(stages_running(project.name)))
    if not (truth.images or (truth.captions and about_captions)):
        raise CommandError(f"project {project.name} has {missing}")
    return truth


_SAID = {
    "acknowledged": "answers that came too late to be needed",
    "given_back": "pages returned",
    "abandoned": "pages abandoned",
    "lost": "pages that the server no longer knew",
    "tested": "answers in qualification tests",
    "idle": "workers who left because they got no work",
}


def external_id(seed: int, number: int, character: Character) -> str:
    """Return the name of a simulated worker. A careless worker's name says how they are careless."""
    return f"simulated-{seed}-{number}" + (f"-{character.kind}" if character.careless else "")


def _tokens(project: Project, ids: list[str]) -> list[str]:
    return [make_token(enrol_worker(project=project, external_id=name)) for name in ids]


def _characters(options: dict[str, Any], count: int, kinds: Sequence[Kind]) -> list[Character]:
    """Return the characters of `count` workers. Each group of `--workers` has the same mixture."""
    profile = _profile(options)
    if options["careless"] is None:
        return [Character(profile=profile)] * count
    if profile != PROFILES["paper"]:
        raise CommandError(
            "--careless draws each worker's error rates: leave out --profile, --error and --jitter"
        )
    workers, seed = options["workers"], options["seed"]
    try:
        groups = [mixed_crowd(workers, options["careless"], seed + n, kinds) for n in range(count // workers)]
    except ValueError as error:
        raise CommandError(f"--{error}") from error
    return [character for group in groups for character in group]


def _profile(options: dict[str, Any]) -> ErrorProfile:
    rates = {}
    for text in options["error"]:
        stage, _, rate = text.partition("=")
        try:
            rates[stage] = float(rate)
        except ValueError as error:
            raise CommandError(f"--error {text}: write STAGE=RATE, such as link=0.1") from error
    try:
        return PROFILES[options["profile"]].changed(rates, options["jitter"])
    except ValueError as error:
        raise CommandError(str(error)) from error


def _manners(options: dict[str, Any]) -> Manners:
    try:
        return Manners(options["give_back"], options["dropout"], options["haste"], options["patience"])
    except ValueError as error:
        raise CommandError(f"--{error}") from error


def _check_server(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port)
    except ValueError:  # an invalid port
        good = False
    if not good:
        raise CommandError(f"--server: write an address such as http://127.0.0.1:8000, not {url!r}")


def _crowd(
    options: dict[str, Any], names: list[str], truth: Truth, characters: list[Character], manners: Manners
) -> tuple[str, list[str], int, Truth, list[Character], int, Manners]:
    """Return the arguments that every crowd begins with."""
    return options["server"], names, options["workers"], truth, characters, options["seed"], manners


def _run_all(
    options: dict[str, Any], tokens: list[str], truth: Truth, characters: list[Character], manners: Manners
) -> Tally:
    crowd = Crowd(*_crowd(options, tokens, truth, characters, manners))
    crowd.explain = partial(why_stalled, options["project"])
    crowd.stalled_after = stalled_after(options["project"])
    return crowd.run(partial(_progress_by_decisions, options["project"], truth))


def _progress_by_decisions(project: str, truth: Truth) -> Progress:
    """Decide about captions that wait for a researcher, and return the progress.

    All is finished once the accepted captions are published.
    """
    if decide_captions(project, truth, timezone.now()):
        hint_advance()
    now = progress(project)
    sweeps = Beat.objects.filter(pk=SWEEP).values_list("totals__runs", flat=True).first()
    return replace(now, finished=now.finished and is_published(project), sweeps=sweeps or 0)


def _run_turkers(
    options: dict[str, Any], ids: list[str], truth: Truth, characters: list[Character], manners: Manners
) -> Tally:
    names = ["A" + re.sub("[^A-Z0-9]", "", name.upper()) for name in ids]
    with Handle(options["mturk"], "", Account("", "")) as turk:
        crowd = Turkers(*_crowd(options, names, truth, characters, manners), turk=turk)
        return _run_visitors(crowd, MTURK, options["project"], truth)


def _run_panel(
    options: dict[str, Any], ids: list[str], truth: Truth, characters: list[Character], manners: Manners
) -> Tally:
    with PanelHandle(options["link"]) as panel:
        for batch in _of_links(options["project"]):
            panel.set_study(
                address=f"{address_of(batch)}?participantId={{participant}}&assignmentId={{assignment}}"
            )
        crowd = Panelists(*_crowd(options, ids, truth, characters, manners), panel=panel)
        crowd.explain = partial(why_stalled, options["project"])
        crowd.stalled_after = stalled_after(options["project"])
        carrier = _Carrier(options["project"], panel)
        return crowd.run(partial(_progress_by_lists, carrier, truth))


def _of_links(project: str) -> list[Batch]:
    running = Batch.objects.filter(project__name=project, state=Batch.State.RUNNING)
    return [batch for batch in running if settings_of(batch).crowd.provider == LINK]


@dataclass
class _Carrier:
    """A researcher who carries the panel's list here whenever it has changed."""

    project: str
    panel: PanelHandle
    _carried: bytes = b""

    def carry(self) -> None:
        data = self.panel.participants()
        if data == self._carried:
            return
        for batch in _of_links(self.project):
            with suppress(ListError):  # nobody is on the list yet
                take_list(batch=batch, data=data, now=timezone.now())
        self._carried = data


def _progress_by_lists(carrier: _Carrier, truth: Truth) -> Progress:
    """Carry the panel's list here, make a round, and return the progress."""
    carrier.carry()
    return _progress_by_steps(carrier.project, truth, LINK)


def _run_visitors(crowd: Visitors, platform: str, project: str, truth: Truth) -> Tally:
    crowd.explain = partial(why_stalled, project)
    crowd.stalled_after = stalled_after(project)
    return crowd.run(partial(_progress_by_steps, project, truth, platform))


def stalled_after(project: str) -> float:
    """Return the seconds without an answer after which nobody can go on in the project.

    With visits, those who have seen a photograph get what still waits about it only after AGAIN_AFTER.
    """
    running = Batch.objects.filter(project__name=project, state=Batch.State.RUNNING)
    visits = any(settings_of(batch).page == PAGE_VISIT for batch in running)
    return STALLED_AFTER + (AGAIN_AFTER.total_seconds() if visits else 0)


def _progress_by_steps(project: str, truth: Truth, platform: str) -> Progress:
    """Make a round with the platform and return the progress: the demo does not wait for the schedule."""
    if step(provider=provider(platform), now=timezone.now()).submissions:
        hint_advance()
    return _progress_by_decisions(project, truth)


def _run_some(options: dict[str, Any], tokens: list[str], truth: Truth, characters: list[Character]) -> Tally:
    with ExitStack() as stack:
        workers = [
            SimulatedWorker(
                stack.enter_context(Client(options["server"], token)),
                truth,
                character,
                random.Random(f"{options['seed']}/{number}"),
            )
            for number, (token, character) in enumerate(zip(tokens, characters, strict=True))
        ]
        project = options["project"]
        return work_but_leave(
            workers, options["leave"], partial(waiting, project), time.sleep, stages_asked(project)
        )


NAME = "simulated-researcher"
_State = WrittenCaption.State


def is_published(project: str) -> bool:
    """Return whether all accepted captions of done images are captions of the project by now."""
    accepted = WrittenCaption.objects.filter(work__batch__project__name=project, state=_State.ACCEPTED)
    return not accepted.filter(caption=None, work__state=ImageWork.State.DONE).exists()


def decide_captions(project: str, truth: Truth, now: datetime) -> int:
    """Decide about every caption that waits in the project, and return how many these were.

    What describes the photograph is accepted, without its mistakes, unless another worker wrote the same.
    """
    waiting = WrittenCaption.objects.filter(
        work__batch__project__name=project, work__active=True, state=_State.FLAGGED
    )
    decided = 0
    for row in waiting.select_related("work").order_by("judgment_id"):
        others = WrittenCaption.objects.filter(work=row.work_id, state__in=(_State.ACCEPTED, _State.PROPOSED))
        right = meant(row.text, truth.captions.get(row.work.image_id, ()))
        accept = right is not None and right not in set(others.values_list("text", flat=True))
        text = right if accept and right != row.text else None
        try:
            rule_on_caption(judgment_id=row.judgment_id, accept=accept, text=text, by=NAME, note="", now=now)
        except DecisionError:  # its worker's answers were set aside meanwhile
            continue
        decided += 1
    return decided
