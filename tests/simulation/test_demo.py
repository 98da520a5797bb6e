"""`make demo`, in its own process as make starts it."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from annotation.domain.answers import Stage
from annotation.models import Project
from simulation.demo import TRIED_OUT, free_name, short_pages
from tests.shared import ROOT

pytestmark = pytest.mark.slow("the demo, in processes of its own")

# `make serve` invites one worker, so there has to be work for them in every stage.
CLAIM_EVERYWHERE = """
import django
django.setup()
from django.utils import timezone
from annotation.domain.answers import Stage
from annotation.models import Project
from workflows.assignments.claim import NotAdmittedError, claim
from workflows.workers.enrolment import enrol_worker

worker = enrol_worker(project=Project.objects.get(name="demo-1-open"), external_id="ada")
for stage in Stage:
    try:
        found = claim(worker_id=worker.pk, stage=stage, key="", now=timezone.now())
    except NotAdmittedError as error:
        print(stage, error.standing)
    else:
        print(stage, len(found.assignment.items) if found else 0)
"""


def run(var: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the demo's settings and its embedded database in `var`."""
    kept = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    env = {**kept, "DJANGO_SETTINGS_MODULE": "config.settings", "GROUNDCREW_VAR": str(var), **more}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def demo(var: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the demo on an embedded database in `var`."""
    return run(var, "-m", "simulation.demo", *arguments, **more)


def test_it_goes_the_whole_way_and_ends_by_itself(tmp_path: Path) -> None:
    done = demo(tmp_path, "--scenes", "2", "--workers", "5")
    assert done.returncode == 0, done.stderr + done.stdout
    for expected in (
        "2 images replayed: no difference",
        "Images whose links are settled: 2 of 2",
        "agreement with the truth",
        "removed by merging",
        "demo-1/export",
        "link it prints for demo-1-open",
        "questions made of 18 more scenes",
        "Answers to verification questions: ",
    ):
        assert expected in done.stdout
    assert re.search(r"^coverage +[1-9]", done.stdout, re.MULTILINE)
    assert re.search(r"^simulated-2015-\d+-random .*(failed|lost)", done.stdout, re.MULTILINE)
    assert re.search(r"^simulated-2015-\d+ .*trusted", done.stdout, re.MULTILINE)
    assert re.search(r"^inferred by transitivity +[1-9]", done.stdout, re.MULTILINE)
    exported = list((tmp_path / "demo" / "demo-1" / "export" / "Sentences").iterdir())
    assert 0 < len(exported) <= 2
    server = re.search(r"Serving at (\S+),", done.stdout)
    assert server
    with pytest.raises(urllib.error.URLError):  # nothing serves there any more
        urllib.request.urlopen(server[1], timeout=5)  # noqa: S310  (our own http://)
    claimed = run(tmp_path, "-c", CLAIM_EVERYWHERE)
    assert claimed.returncode == 0, claimed.stderr
    waiting = dict(line.split() for line in claimed.stdout.splitlines())
    assert list(waiting) == list(Stage)
    assert waiting.pop(TRIED_OUT["paper"]) == "test"
    assert waiting == {stage: str(short_pages("paper")[stage]) for stage in waiting}  # a full page of each


def test_a_failure_is_said_and_gives_an_exit_code(tmp_path: Path) -> None:
    failed = demo(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/nowhere/at-all.sqlite3")
    assert failed.returncode == 1
    assert "The demo failed: unable to open database file" in failed.stderr


@pytest.mark.django_db
def test_every_run_has_a_project_of_its_own(tmp_path: Path) -> None:
    assert free_name(tmp_path) == "demo-1"
    Project.objects.create(name="demo-1")
    assert free_name(tmp_path) == "demo-2"
    (tmp_path / "demo-2").mkdir()  # from a run that broke off before its project was made
    assert free_name(tmp_path) == "demo-3"


def test_the_second_protocol_goes_the_whole_way(tmp_path: Path) -> None:
    done = demo(tmp_path, "--scenes", "2", "--workers", "5", "--protocol", "fast")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "2 images replayed: no difference" in done.stdout
    assert "agreement with the truth" in done.stdout
    for stage in ("link", "boxes", "check"):
        assert re.search(rf"^{stage} +[1-9]", done.stdout, re.MULTILINE), stage
    assert not re.search(r"^(drawing|quality|coverage) +[1-9]", done.stdout, re.MULTILINE)


def test_captions_are_collected_and_grounded(tmp_path: Path) -> None:
    """From photographs without captions to an exported data set, and who wrote bad captions is found."""
    done = demo(tmp_path, "--campaign", "captions", "--scenes", "4", "--workers", "8")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "8 images replayed: no difference" in done.stdout, "each photograph is in two batches"
    published = re.search(r"^(\d+) captions of 4 photographs were accepted", done.stdout, re.MULTILINE)
    assert published and 10 < int(published[1]) <= 20
    assert f"captions: {published[1]}" in done.stdout, "the export has them"
    for kind in ("copier", "foreign"):
        # Who writes little before others have written everything may not have lost trust yet.
        found = re.findall(
            rf"^simulated-2015-\d+-{kind} .* (\d+) +\d+ +\d+ +(\S+)$", done.stdout, re.MULTILINE
        )
        assert found and all(standing == "lost" or int(kept) <= 1 for kept, standing in found), done.stdout
    assert re.search(r"^simulated-2015-\d+ .* trusted$", done.stdout, re.MULTILINE)
    assert re.search(r"^coverage +[1-9]", done.stdout, re.MULTILINE)
    f1 = re.search(r"^links: F1 +([\d.]+)%", done.stdout, re.MULTILINE)
    assert f1 and float(f1[1]) > 60


@pytest.mark.parametrize("provider", ["direct", "mturk"])
def test_pairs_are_judged_by_experts_and_by_a_crowd(tmp_path: Path, provider: str) -> None:
    """Over HTTP, with controls: planted relevance is found again, and careless workers gain no trust."""
    arguments = ("--campaign", "relevance", "--scenes", "10", "--workers", "8", "--provider", provider)
    done = demo(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "20 images replayed: no difference" in done.stdout, "each scene is in two batches"
    judged = dict(re.findall(r"^(\w+): of \d+ pairs, ([\d.]+)% are judged as they are", done.stdout, re.M))
    assert float(judged["experts"]) > 90 and float(judged["crowd"]) > 90, done.stdout
    best = re.search(r"The best κ is ([\d.]+)", done.stdout)
    assert best and float(best[1]) > 0.7
    careless = re.findall(r"^\S+(one-tick|ONETICK|always-yes|ALWAYSYES) +(.*)$", done.stdout, re.M)
    assert careless
    for kind, line in careless:
        test, _, counted, _, standing = line.split()
        if kind in {"one-tick", "ONETICK"}:
            # Guesses may pass so short a test, and the pairs may be judged before trust is lost.
            assert test == "failed" or standing != "trusted", done.stdout
        else:
            assert (test, counted) == ("failed", "0"), done.stdout
    if provider == "mturk":
        assert "They agree." in done.stdout, "our ledger and the platform's"
