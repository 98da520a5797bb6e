"""manage.py simulate."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Case, GoldChain, Item, Judgment, Project, QualificationTry, Standing, Worker
from simulation.crowd import STALLED_AFTER, Progress
from simulation.management.commands.simulate import _progress_by_decisions, stalled_after
from simulation.profiles import STAGES
from simulation.selectors import load_truth, progress, waiting, why_stalled
from simulation.truth import KnownChain
from tests.factories import NOW, claim_page, make_chain_back, make_running, submit_page
from tests.simulation.pipeline import PROJECT, start
from workflows.tasks import sweep

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("eager_tasks"),
    pytest.mark.slow("whole crowds over HTTP"),
]


def simulate(**options: Any) -> None:
    call_command("simulate", **{"project": PROJECT, "server": "http://127.0.0.1:9", **options})


@pytest.fixture
def running(scenes: Path) -> None:
    start(scenes, scenes / "images")


@pytest.mark.nightly("make demo runs it to the end: tests/simulation/test_demo.py")
def test_it_finishes_the_batches_of_a_project(running: None, live_server: Any, capsys: Any) -> None:
    assert progress(PROJECT) == Progress(0.0, 8, False)
    simulate(server=live_server.url, workers=4, haste=0.02, profile="perfect")
    assert progress(PROJECT) == Progress(8.0, 8, True)
    told = capsys.readouterr().out
    assert f"{Judgment.objects.count()} judgments on " in told
    assert all(f" {stage}" in told for stage in STAGES)


def test_it_finishes_a_corpus_without_gold_from_a_made_up_truth(running: None, live_server: Any) -> None:
    GoldChain.objects.all().delete()
    with pytest.raises(CommandError, match=r"no gold chains to answer from.*--truth made-up"):
        simulate(server=live_server.url, workers=4)
    simulate(server=live_server.url, workers=4, haste=0.02, profile="perfect", truth="made-up")
    assert progress(PROJECT) == Progress(8.0, 8, True)


def test_a_folder_is_a_truth(running: None, live_server: Any, scenes: Path) -> None:
    GoldChain.objects.all().delete()
    simulate(server=live_server.url, workers=4, leave=1, profile="perfect", truth=str(scenes))
    with pytest.raises(CommandError, match=r"--truth: .*no folder Sentences"):
        simulate(server=live_server.url, truth=str(scenes / "images"))


def test_it_leaves_something_in_every_stage_but_the_first(running: None, live_server: Any) -> None:
    simulate(server=live_server.url, workers=4, leave=1, profile="perfect")
    counts = waiting(PROJECT)
    now = progress(PROJECT)
    assert not now.finished
    assert 0 < now.done < now.total
    assert all(counts[stage] >= 1 for stage in STAGES[1:])


def test_the_truth_is_that_of_the_gold_chains(running: None) -> None:
    truth = load_truth(PROJECT)
    project = Project.objects.get(name=PROJECT)
    for image in project.images.prefetch_related("captions", "gold_chains"):
        captions = {caption.index: caption.text for caption in image.captions.all()}
        known = truth.images[image.pk]
        assert len({chain.id for chain in known.values()}) == image.gold_chains.count()
        for (index, start_, end), chain in known.items():
            phrase = captions[index][start_:end]
            assert phrase == phrase.strip() != ""
            assert isinstance(chain, KnownChain)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"project": "nobody"}, "no project 'nobody'"),
        ({"workers": 2}, "at least 3"),
        ({"error": ["link"]}, "write STAGE=RATE"),
        ({"error": ["guess=0.1"]}, "no stage 'guess'"),
        ({"error": ["link=3"]}, "a share from 0 to 1"),
        ({"jitter": float("nan")}, "jitter is a number of pixels"),
        ({"dropout": 1.5}, "--dropout is a share from 0 to 1, not 1.5"),
        ({"give_back": -0.1}, "--give-back is a share from 0 to 1"),
        ({"give_back": float("nan")}, "--give-back is a share from 0 to 1"),
        ({"haste": 0.0}, "--haste is a number over 0"),
        ({"careless": 1.5}, "--careless is a share from 0 to 1, not 1.5"),
        ({"careless": 0.3, "profile": "perfect"}, "--careless draws each worker's error rates"),
        ({"careless": 0.3, "jitter": 9.0}, "leave out --profile, --error and --jitter"),
        ({"patience": 0}, "--patience is a number of at least 1, not 0"),
        ({"leave": 0}, "--leave must be at least 1"),
        ({"server": "127.0.0.1:8000"}, "--server: write an address such as http://127.0.0.1:8000"),
        ({"server": "ftp://127.0.0.1"}, "--server: write an address such as http://127.0.0.1:8000"),
        ({"server": "http://"}, "--server: write an address such as http://127.0.0.1:8000"),
        ({"server": "http://host:port"}, "--server: write an address such as http://127.0.0.1:8000"),
    ],
)
def test_it_says_what_is_wrong_with_an_option(running: None, options: dict[str, Any], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        simulate(**options)
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("leave", [None, 1])
def test_it_asks_for_the_server_when_there_is_none(
    running: None, leave: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simulation.client._FIRST_PAUSE", 0)
    with pytest.raises(CommandError, match="9 cannot be reached: is `make serve` running"):
        simulate(leave=leave)


def test_it_needs_known_chains() -> None:
    Project.objects.create(name=PROJECT)
    with pytest.raises(CommandError, match="--as-gold"):
        simulate()


@pytest.mark.nightly("the crowd of make demo is mixed, too: tests/simulation/test_demo.py")
def test_a_mixed_crowd_finishes_where_everybody_s_judgments_count(
    running: None, live_server: Any, capsys: Any
) -> None:
    simulate(server=live_server.url, workers=6, haste=0.02, careless=0.34, seed=3)
    assert progress(PROJECT).finished
    kinds = {name.split("-", 3)[3] for name in worker_names() if name.count("-") > 2}
    assert kinds == {"random", "always-yes"}


def worker_names() -> list[str]:
    return list(Worker.objects.filter(judgments__isnull=False).values_list("external_id", flat=True))


def test_it_says_when_nobody_can_do_what_is_left(running: None) -> None:
    assert why_stalled(PROJECT) == ""
    project = Project.objects.get(name=PROJECT)
    people = [project.workers.create(external_id=str(number)) for number in range(3)]
    for worker, stage in zip(people, ("link", "link", "coverage"), strict=True):
        Standing.objects.create(worker=worker, stage=stage, state=Standing.State.LOST, changed_at=NOW)
    assert why_stalled(PROJECT) == "", "the third worker can link"
    attempt = QualificationTry.objects.create(
        worker=people[2], stage="link", number=1, state="failed", pass_mark=0.8, started_at=NOW
    )
    items = waiting(PROJECT)["link"]
    said = (
        f"nobody can do what is left of link ({items} items wait; of 3 workers, 2 lost trust, "
        "1 failed the test, and 0 have had all of them)"
    )
    assert said in why_stalled(PROJECT)
    attempt.delete()
    page = claim_page(people[2], stage="link")
    submit_page(page)
    Item.objects.filter(stage="link").exclude(judgments__assignment=page).delete()
    items = Item.objects.filter(judgments__assignment=page).update(state=Item.State.OPEN, needed=2)
    said = f"link ({items} items wait; of 3 workers, 2 lost trust, 0 failed the test, and 1 have had"
    assert said in why_stalled(PROJECT)
    Case.objects.create(project=project, reason=Case.Reason.QUESTION, stage="link", opened_at=NOW)
    assert why_stalled(PROJECT).endswith(
        "Besides, workers have been asked all verification questions of link"
    )


@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "stalled"), [(None, True), (24, False)])
def test_it_says_when_all_have_voted_about_a_chain_that_came_back(hours: int | None, stalled: bool) -> None:
    batch, people = make_chain_back(drawer=True, author_after_hours=hours)
    said = why_stalled(batch.project.name)
    assert ("requirement (1 items wait; of 4 workers, 0 lost trust" in said) == stalled
    assert len(people) == 4


def test_the_progress_says_how_often_judgments_were_looked_for(running: None) -> None:
    looked = partial(_progress_by_decisions, PROJECT, load_truth(PROJECT))
    assert looked().sweeps == 0
    sweep()
    sweep()
    assert looked().sweeps == 2


def test_it_ends_when_a_worker_is_not_welcome(running: None, live_server: Any) -> None:
    project = Project.objects.get(name=PROJECT)
    project.workers.create(external_id="simulated-0-0", blocked=True)
    with pytest.raises(CommandError, match="403"):
        simulate(server=live_server.url, workers=3)


def test_a_crowd_waits_until_photographs_may_be_visited_again() -> None:
    """docs/pipeline.md, "Visits": two people would otherwise end while three minutes pass."""
    project = make_running([["man"]]).project.name
    assert stalled_after(project) == STALLED_AFTER
    visits = make_running([["man"]], page="visit").project.name
    assert stalled_after(visits) == STALLED_AFTER + 180
