from __future__ import annotations

import pytest

from annotation.models import Batch, Box, Chain, ImageWork, Mention, Project
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import NOW, make_image, make_project
from workflows.review.domain.spot_checks import BOX, CHAIN, MENTION, SpotCheckError, Unit
from workflows.review.models import SpotCheckVerdict
from workflows.review.spot_checks import (
    draw_spot_check,
    finished_units,
    give_verdict,
    newest_rates,
    progress_of,
    units_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

BOXES = [(0, 0, 100, 200), (200, 0, 300, 100)]
ALL = {MENTION: 10, CHAIN: 10, BOX: 10}


@pytest.fixture
def project() -> Project:
    """Return a project with two finished images, of three chains and four boxes, and images that are not."""
    project = make_project()
    batch = Batch.objects.create(project=project, name="main", state="running", settings={})
    annotate(
        make_image(project, [["man", "dog"], ["man"]]),
        [Made([0, 2], BOXES), Made([1], BOXES[:1])],
        batch=batch,
    )
    review = Made([1], BOXES, "review")
    split = Made([0, 1], (), "split")
    annotate(
        make_image(project, [["man", "dog"]]),
        [split, Made([0], BOXES[:1], generation=1), review],
        batch=batch,
    )
    annotate(make_image(project, [["man"]]), [Made([0], BOXES)], batch=batch, state="boxing")
    released = annotate(make_image(project, [["man"]]), [Made([0], BOXES)], batch=batch)
    ImageWork.objects.filter(pk=released.pk).update(active=False)
    withdrawn = make_image(project, [["man"]])
    annotate(withdrawn, [Made([0], BOXES)], batch=batch)
    withdrawn.withdrawn_at = NOW
    withdrawn.save()
    make_image(project, [["dog"]])
    return project


def test_what_is_finished_can_be_drawn(project: Project) -> None:
    Box.objects.filter(chain__work__image__project=project).order_by("pk")[:1].get()
    units = finished_units(project)
    chains = {unit.id for unit in units[CHAIN]}
    assert chains == set(
        Chain.objects.filter(work__in=_done(project), state="done").values_list("pk", flat=True)
    )
    assert len(chains) == 3
    members = [pk for chain in Chain.objects.filter(pk__in=chains) for pk in chain.members]
    assert sorted(unit.id for unit in units[MENTION]) == sorted(members) and len(members) == 4
    assert {unit.id for unit in units[BOX]} == set(
        Box.objects.filter(chain__in=chains).values_list("pk", flat=True)
    )
    for unit in units[MENTION]:
        assert Mention.objects.get(pk=unit.id).image_id == unit.image
    rejected = Box.objects.filter(chain__in=chains).order_by("pk")[0]
    rejected.state = "rejected"
    rejected.save()
    assert len(finished_units(project)[BOX]) == len(units[BOX]) - 1


def _done(project: Project) -> list[int]:
    works = ImageWork.objects.filter(batch__project=project, active=True, state="done")
    return list(works.filter(image__withdrawn_at=None).values_list("pk", flat=True))


def test_a_spot_check_keeps_what_was_drawn_and_from_how_much(project: Project) -> None:
    check = draw_spot_check(project=project, sizes=ALL, seed=7, by="ada", now=NOW)
    again = draw_spot_check(project=project, sizes=ALL, seed=7, by="ada", now=NOW)
    assert check.units == again.units and check.seed == 7
    assert check.totals == {"mention": 4, "chain": 3, "box": 4, "image": 2}
    check.refresh_from_db()
    everything = finished_units(project)
    assert set(units_of(check)) == {unit for kind in everything.values() for unit in kind}
    with pytest.raises(SpotCheckError, match="no image of the project is finished"):
        draw_spot_check(project=make_project(), sizes=ALL, seed=7, by="ada", now=NOW)


def test_the_last_verdict_about_a_unit_counts(project: Project) -> None:
    check = draw_spot_check(project=project, sizes={MENTION: 2, CHAIN: 2, BOX: 0}, seed=1, by="ada", now=NOW)
    assert newest_rates(project) is None
    assert progress_of(check).following == 0
    kinds = [unit.kind for unit in units_of(check)]
    place = kinds.index(CHAIN)

    def say(place: int, reason: str = "", note: str = "") -> SpotCheckVerdict:
        return give_verdict(
            spot_check=check, place=place, right=not reason, reason=reason, note=note, by="ada", now=NOW
        )

    say(place, "missing", " see caption 2 ")
    say(kinds.index(MENTION))
    progress = newest_rates(project)
    assert progress is not None and progress.spot_check == check
    assert (progress.rates[CHAIN].wrong, progress.rates[CHAIN].judged) == (1, 1)
    assert (progress.rates[MENTION].wrong, progress.rates[MENTION].judged) == (0, 1)
    assert progress.rates[BOX].judged == 0
    assert progress.reasons == {(CHAIN, "missing"): 1}
    assert progress.verdicts[place].note == "see caption 2"
    say(place)
    assert progress_of(check).rates[CHAIN].wrong == 0
    assert SpotCheckVerdict.objects.filter(spot_check=check, place=place).count() == 2
    left = {0, 1, 2, 3} - {place, kinds.index(MENTION)}
    assert progress_of(check).following == min(left)
    assert progress_of(check).after(max(left)) == min(left)
    for wrong in (-1, 4):
        with pytest.raises(SpotCheckError, match="place"):
            say(wrong)
    with pytest.raises(SpotCheckError, match="reason"):
        say(place, "loose")


def test_a_newer_spot_check_without_a_verdict_hides_no_rates(project: Project) -> None:
    first = draw_spot_check(project=project, sizes=ALL, seed=1, by="ada", now=NOW)
    give_verdict(spot_check=first, place=0, right=True, reason="", note="", by="ada", now=NOW)
    draw_spot_check(project=project, sizes=ALL, seed=2, by="ada", now=NOW)
    found = newest_rates(project)
    assert found is not None and found.spot_check == first
    assert Unit(*first.units[0]) == found.units[0]
