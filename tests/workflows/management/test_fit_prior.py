from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.factories import make_project
from tests.suggesting_models import make_scored_set
from tests.workflows.priors.stored_captions import make_worded
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db


def test_the_command_fits_and_says_how_it_does() -> None:
    project = make_worded(12, gold=True)
    said = []
    for _ in range(2):
        out = StringIO()
        call_command("fit_prior", project.name, by="ada", stdout=out)
        said.append(out.getvalue())
    assert "prior 1" in said[0] and "fitted on 12 images" in said[0] and "AUC on" in said[0]
    assert "the same as before" in said[1]
    assert AuditEntry.objects.get(action="prior.fit").by == "ada"


def test_what_cannot_be_fitted_is_an_error() -> None:
    with pytest.raises(CommandError, match="no project 'nowhere'"):
        call_command("fit_prior", "nowhere")
    project = make_project()
    with pytest.raises(CommandError, match="at least 20 of each"):
        call_command("fit_prior", project.name)


def test_a_set_of_scores_is_named_and_what_it_adds_is_said() -> None:
    project = make_worded(12, gold=True)
    make_scored_set(project, lambda a, b: float(a.text == b.text))
    out = StringIO()
    call_command("fit_prior", project.name, scores=1, stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0].startswith("prior 1 of project")
    assert re.fullmatch(
        r"a score of set 1 adds -?[\d.]+ \+ [\d.]+ x score to the log odds, "
        r"fitted on \d+ known pairs of 12 images",
        lines[1],
    )
    assert lines[2] == "a batch with this prior needs --set human_yes=true" and "AUC on" in lines[3]
    with pytest.raises(CommandError, match="no complete set 2 with scores of pairs"):
        call_command("fit_prior", project.name, "--scores", "2")
