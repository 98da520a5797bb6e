"""The list of a project's chains with their pictures."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import Batch, Chain, Project
from console.boxes import chains as listing
from console.boxes.chains import chains
from console.inspector.search_query import Wanted
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import NOW, make_image, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def made() -> Project:
    project = make_project()
    batch = Batch.objects.create(project=project, name="main")
    for name in "ab":
        image = make_image(project, [["man", "dog"], ["woman"]], name=f"{name}.jpg")
        annotate(image, [Made((0, 2), [(1, 2, 30, 40)]), Made((1,), state="review")], batch=batch)
    make_image(project, [["man"]], name="c.jpg")
    return project


def _listed(project: Project, **conditions: str) -> list[str]:
    found = chains(project, Wanted.read(conditions), after=int(conditions.get("after", 0)))
    return [f"{row.picture.name[0]}{row.letter}" for row in found.rows]


def test_chains_of_one_project_are_listed_by_image_and_letter(made: Project) -> None:
    assert _listed(made) == ["aA", "aB", "bA", "bB"]
    assert _listed(make_project()) == []


def test_a_chain_is_listed_if_it_meets_the_conditions_itself(made: Project) -> None:
    assert _listed(made, phrase="a woman") == ["aA", "bA"]
    assert _listed(made, type="animals") == ["aB", "bB"]
    assert _listed(made, state="chain-review") == ["aB", "bB"]
    Chain.objects.filter(work__image__name="b.jpg", types="animals").update(boxes_rejected=2)
    assert _listed(made, disagreement="boxes") == ["bB"]
    Chain.objects.filter(work__image__name="b.jpg", types="animals").update(state="split")
    assert _listed(made) == ["aA", "aB", "bA"]


def test_the_list_goes_on_by_image(made: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "IMAGES", 1)
    first = made.images.earliest("pk")
    found = chains(made, Wanted(type="animals"), after=0)
    assert found.after == f"?type=animals&after={first.pk}"
    assert _listed(made, type="animals", after=str(first.pk)) == ["bB"]
    assert chains(made, Wanted(), after=first.pk).after == ""


def test_each_has_its_boxes_on_its_photograph(
    made: Project, viewer: Client, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        said = viewer.get(f"/admin/projects/{made.pk}/chains/").content.decode()
    image = made.images.earliest("pk")
    assert f'href="/admin/images/{image.pk}/#chain-B"' in said
    assert said.count('class="shape accepted"') == 2


def test_the_sidebar_leads_to_the_chains_of_the_newest_project(made: Project, viewer: Client) -> None:
    newest = make_project()
    assert viewer.get("/admin/chains/")["Location"] == f"/admin/projects/{newest.pk}/chains/"
    Project.objects.filter(pk=newest.pk).update(archived_at=NOW)
    assert viewer.get("/admin/chains/")["Location"] == f"/admin/projects/{made.pk}/chains/"
    Project.objects.update(archived_at=NOW)
    assert viewer.get("/admin/chains/")["Location"] == "/admin/"
    assert 'href="/admin/chains/"' in viewer.get("/admin/").content.decode()
