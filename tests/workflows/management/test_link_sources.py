from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.factories import make_batch, make_image, make_project
from tests.workflows.pipeline.linked_images import SCENE, settle_links
from workflows.batches.lifecycle import move_batch
from workflows.management.commands import link_sources

pytestmark = pytest.mark.django_db

TABLE = """\
how links were decided             pairs    share
asked                                  8    26.7%
inferred by transitivity               4    13.3%
ruled out by type                     12    40.0%
ruled out by caption                   6    20.0%
all                                   30   100.0%

Images whose links are settled: 2 of 3
"""


@pytest.fixture
def project() -> Project:
    """Make two images whose links are settled, one that is being asked about, and one of another project."""
    project = make_project("flowers")
    for other in (project, make_project("weeds")):
        make_image(other, SCENE)
        settle_links(make_batch(other))
    make_image(project, SCENE)
    settle_links(make_batch(project, name="second"))
    make_image(project, SCENE)
    make_batch(project, name="third")
    return project


def printed(project: str = "flowers") -> str:
    out = StringIO()
    call_command("link_sources", project=project, stdout=out)
    return out.getvalue()


def test_the_links_of_a_project_are_counted_with_their_shares(project: Project) -> None:
    assert printed() == TABLE


def test_chunks_add_up(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_sources, "IMAGES_AT_ONCE", 1)
    assert printed() == TABLE


def test_work_of_a_cancelled_batch_does_not_count(project: Project) -> None:
    move_batch(batch=project.batches.get(name="second"), action="cancel")
    told = printed()
    assert "all                                   15   100.0%" in told
    assert "settled: 1 of 2" in told


def test_a_project_without_settled_links_has_no_shares() -> None:
    make_project("bare")
    told = printed("bare")
    assert "asked                                  0     0.0%" in told
    assert "settled: 0 of 0" in told


def test_an_unknown_project_is_named() -> None:
    with pytest.raises(CommandError, match="there is no project 'nettles'"):
        printed("nettles")
