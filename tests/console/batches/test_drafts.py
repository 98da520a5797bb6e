"""New batches, copies and changed settings in the browser."""

from __future__ import annotations

from dataclasses import fields
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Image, Project
from console.batches.form import DEFAULTS, SettingsForm, leaves
from tests.console.batches.form_data import acts, filled, filled_again
from tests.console.crowd.crowd_rows import make_crowd_batch, with_account
from tests.factories import answer_page, make_batch, make_image, make_project, make_running, make_worker
from workflows.batch_settings.domain.settings import BY_STAGE, PINNED, SETTINGS, BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import move_batch
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db


def test_only_what_was_changed_is_named_and_by_its_name_on_the_form(manager: Client) -> None:
    """*Changed: screening* stood there after one of its settings was changed, and no field is called so."""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project, launch=False, regime="trusted")
    url = reverse("batches:settings", args=[batch.pk])
    typed = {"screening__training_items": "5", "control__box_iou": "0.6", "lease_seconds": "21"}
    reply = manager.post(url, filled(manager, url, **typed), follow=True)
    said = "Changed: time for a page, IoU of a right box, practice questions."
    assert said in reply.content.decode()
    changed = AuditEntry.objects.get(action="batch.settings").detail["changed"]
    assert changed == ["lease_seconds", "control.box_iou", "screening.training_items"]


@pytest.fixture
def project() -> Project:
    project = make_project("pets")
    for number in range(4):
        make_image(project, [["man"], ["man"]], name=f"{number}.jpg")
    return project


def _new(project: Project) -> str:
    return reverse("batches:new", args=[project.pk])


def test_every_setting_has_a_sentence_and_a_field() -> None:
    names = {
        name if name.partition(".")[0] not in BY_STAGE else name.partition(".")[0]
        for name, _ in leaves(DEFAULTS)
    }
    assert names == set(SETTINGS)
    assert {name.partition(".")[0] for name in SettingsForm().fields} == {
        one.name for one in fields(BatchSettings) if one.name not in PINNED
    }


def test_a_form_that_is_sent_as_it_comes_makes_a_batch_with_the_defaults(
    manager: Client, project: Project
) -> None:
    reply = manager.post(_new(project), filled(manager, _new(project), name="pilot"))
    batch = Batch.objects.get()
    assert reply.headers["Location"] == reverse("batches:move", args=[batch.pk, "launch"])
    assert (batch.name, batch.state, batch.works.count()) == ("pilot", "draft", 4)
    assert settings_of(batch) == BatchSettings()
    entry = acts().get()
    assert (entry.action, entry.by, entry.object) == ("batch.create", "mona", "pilot")


def test_what_is_typed_is_kept(manager: Client, project: Project) -> None:
    typed = {"reward__link": "0.25", "currency": "EUR", "control__box_iou": "0.5", "target": "3", "seed": "7"}
    types = {"skip_requirement": ["people"], "take": "number", "number": "2"}
    manager.post(_new(project), filled(manager, _new(project), name="a", **typed, **types))
    batch = Batch.objects.get()
    settings = settings_of(batch)
    assert (settings.reward["link"], settings.currency, settings.control.box_iou) == (25, "EUR", 0.5)
    assert (settings.target, settings.seed, settings.skip_requirement) == (3, 7, ("people",))
    assert batch.works.count() == 2


def test_every_error_of_the_parser_stands_at_its_field(manager: Client, project: Project) -> None:
    wrong = {
        "reward__link": "-1",
        "lease_seconds": "0.1",
        "control__entrance": "many",
        "items_a_page__quality": "101",
        "currency": "euro",
    }
    reply = manager.post(_new(project), filled(manager, _new(project), name="a", **wrong))
    assert reply.status_code == 422
    assert set(reply.context["form"].errors) == {name.replace("__", ".") for name in wrong}
    assert reply.context["form"].errors["control.entrance"] == ["Must be a whole number from 1 to 1000."]
    assert reply.context["form"].errors["lease_seconds"] == ["Must be minutes from 0.5 to 10080."]
    assert not Batch.objects.exists() and not acts().exists()


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        ({"name": "two words"}, "name", "no spaces"),
        ({"take": "number"}, "number", "Fill this in"),
        ({"take": "number", "number": "5"}, "number", "only 4 free"),
        ({"take": "split", "split": "test"}, "split", "No free image"),
        ({"take": "names", "names": "0.jpg\nx.jpg"}, "names", "x.jpg is no image"),
        ({"take": "names", "names": "0.jpg\n\0"}, "names", "characters"),
    ],
)
def test_images_that_cannot_be_had_are_said_at_their_field(
    manager: Client, project: Project, typed: dict[str, str], field: str, says: str
) -> None:
    reply = manager.post(_new(project), filled(manager, _new(project)) | {"name": "a"} | typed)
    assert reply.status_code == 422
    assert says in str(reply.context["which"].errors[field])
    assert not Batch.objects.exists()


def test_named_images_and_splits_are_taken(manager: Client, project: Project) -> None:
    Image.objects.filter(name="3.jpg").update(split="val")
    for name, typed in (
        ("a", {"take": "names", "names": "1.jpg\r\n\n0.jpg"}),
        ("b", {"take": "split", "split": "val"}),
    ):
        manager.post(_new(project), filled(manager, _new(project)) | {"name": name} | typed)
    taken = {
        batch.name: set(batch.works.values_list("image__name", flat=True)) for batch in Batch.objects.all()
    }
    assert taken == {"a": {"0.jpg", "1.jpg"}, "b": {"3.jpg"}}


def test_images_without_a_picture_are_left_out_where_others_have_one(
    manager: Client, project: Project
) -> None:
    make_image(project, [["man"], ["man"]], name="bare.jpg", picture=False)
    for name, typed in (
        ("all", {"take": "all"}),
        ("named", {"take": "names", "names": "bare.jpg"}),
    ):
        manager.post(_new(project), filled(manager, _new(project)) | {"name": name} | typed)
    taken = {one.name: set(one.works.values_list("image__name", flat=True)) for one in Batch.objects.all()}
    assert taken == {"all": {"0.jpg", "1.jpg", "2.jpg", "3.jpg"}, "named": {"bare.jpg"}}


def test_a_draw_or_split_of_images_with_a_picture_has_no_others(manager: Client, project: Project) -> None:
    Image.objects.exclude(name="0.jpg").update(file="")
    Image.objects.filter(name="1.jpg").update(split="val")
    for typed, field in (
        ({"take": "number", "number": "2"}, "number"),
        ({"take": "split", "split": "val"}, "split"),
    ):
        reply = manager.post(_new(project), filled(manager, _new(project)) | {"name": "a"} | typed)
        assert "with a picture" in str(reply.context["which"].errors[field])


def test_a_corpus_whose_pictures_come_later_is_taken_all_the_same(manager: Client, project: Project) -> None:
    Image.objects.update(file="")
    assert "pictured" not in filled(manager, _new(project))
    typed = filled(manager, _new(project), name="a", pictured="on")
    reply = manager.post(_new(project), typed)
    assert "import the pictures" in str(reply.context["which"].errors["pictured"])


def test_a_name_that_is_taken_is_said(manager: Client, project: Project) -> None:
    data = filled(manager, _new(project), name="a", take="number", number="1")
    manager.post(_new(project), data)
    reply = manager.post(_new(project), data)
    assert reply.status_code == 422 and "has a batch 'a' already" in reply.content.decode().replace(
        "&#x27;", "'"
    )
    assert Batch.objects.count() == acts().count() == 1


def test_a_copy_takes_the_settings_and_other_images(manager: Client, project: Project) -> None:
    manager.post(_new(project), filled(manager, _new(project), name="a", take="number", number="1", seed="9"))
    first = Batch.objects.get()
    url = reverse("batches:clone", args=[first.pk])
    manager.post(url, filled(manager, url))
    copy = Batch.objects.get(name="a-2")
    assert copy.settings == first.settings
    assert copy.works.count() == 3
    assert acts().get(action="batch.clone").detail == {"images": "all", "copied": "a"}


def test_a_copy_of_a_batch_under_way_may_take_its_rest(manager: Client) -> None:
    batch = make_running([["man"], ["man"]], images=3, items_a_page={"link": 1})
    answer_page(make_worker(batch.project))
    url = reverse("batches:clone", args=[batch.pk])
    assert "The 2 images of main that no worker has begun" in manager.get(url).content.decode()
    manager.post(url, filled(manager, url, take="rest", regime__link="trusted"))
    copy = Batch.objects.get(name="main-2")
    assert (copy.works.count(), batch.works.filter(active=True).count()) == (2, 1)
    assert copy.settings["regime"]["link"] == "trusted"
    assert acts().get(action="batch.clone").detail == {"images": "rest", "copied": "main"}


def test_the_rest_is_not_offered_where_there_is_none(manager: Client, project: Project) -> None:
    draft = make_batch(project, launch=False)
    url = reverse("batches:clone", args=[draft.pk])
    assert "no worker has begun" not in manager.get(url).content.decode()
    reply = manager.post(url, filled(manager, url, take="rest"))
    assert reply.status_code == 422 and Batch.objects.count() == 1


def test_a_drafts_settings_are_changed_once(manager: Client, project: Project) -> None:
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk])
    for _ in range(2):
        manager.post(url, filled(manager, url, strategy="greedy"))
    batch.refresh_from_db()
    assert settings_of(batch).strategy == "greedy"
    assert acts().get().detail == {"changed": ["strategy"]}


def test_whoever_comes_from_the_launch_for_a_setting_goes_back_there(
    manager: Client, project: Project
) -> None:
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk]) + "?then=launch"
    reply = manager.post(url, filled(manager, url, strategy="greedy"))
    assert reply["Location"] == reverse("batches:move", args=[batch.pk, "launch"])


def test_a_draft_that_is_saved_as_it_is_is_not_changed(manager: Client, project: Project) -> None:
    """The checkboxes of a list arrive in the page's order, which is not that of the paper."""
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk])
    data = filled(manager, url)
    data["skip_requirement"] = sorted(data["skip_requirement"])
    reply = manager.post(url, data, follow=True)
    assert "skip_requirement" not in "".join(map(str, reply.context["messages"]))
    assert not acts().exists()


@pytest.mark.parametrize("typed", ["١٢٠", "1_20"])
def test_numbers_are_written_in_ascii(manager: Client, project: Project, typed: str) -> None:
    url = reverse("batches:settings", args=[make_batch(project, launch=False).pk])
    reply = manager.post(url, filled(manager, url, lease_seconds=typed))
    assert reply.status_code == 422 and "lease_seconds" in reply.context["form"].errors


def test_of_a_running_batch_only_what_is_safe_is_changed(manager: Client, project: Project) -> None:
    """A field that is fixed does not change, whatever is sent."""
    batch = move_batch(batch=make_batch(project, launch=False), action="launch")
    url = reverse("batches:settings", args=[batch.pk])
    manager.post(url, filled(manager, url, strategy="greedy", reward__link="0.30"))
    batch.refresh_from_db()
    settings = settings_of(batch)
    assert (settings.strategy, settings.reward["link"]) == ("greedy_plus", 30)


def test_a_form_that_is_out_of_date_restores_no_old_values(manager: Client, project: Project) -> None:
    """Two managers have the form open. What the later one typed is kept, and so are the other's values."""
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk])
    earlier, later = filled(manager, url, strategy="greedy"), filled(manager, url, reward__link="0.30")
    earlier |= {"skip_requirement": ["people"], "target": "2"}
    earlier.pop("screening.test", None)
    assert manager.post(url, earlier).status_code == 302
    reply = manager.post(url, later)
    batch.refresh_from_db()
    assert reply.status_code == 409 and settings_of(batch).reward["link"] == 0
    shown = reply.content.decode()
    assert (
        "these settings were changed: qualification test, types without this stage, link strategy, stop after"
        in shown
    )
    again = filled_again(reply)
    assert manager.post(url, again).status_code == 302
    batch.refresh_from_db()
    found = settings_of(batch)
    assert (found.strategy, found.target, found.skip_requirement) == ("greedy", 2, ("people",))
    assert (found.screening.test, found.reward["link"]) == (False, 30)


@pytest.mark.parametrize("stamp", ["", "draft-x", "draft-" + "9" * 40, "running-0"])
def test_settings_without_the_stamp_of_their_page_are_not_kept(
    manager: Client, project: Project, stamp: str
) -> None:
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk])
    reply = manager.post(url, filled(manager, url, strategy="greedy") | {"stamp": stamp})
    assert reply.status_code == 409 and "something was done to the batch" in reply.content.decode()
    assert not acts().exists()


def test_a_form_with_an_error_is_as_old_as_it_was(manager: Client, project: Project) -> None:
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk])
    data = filled(manager, url, strategy="greedy")
    manager.post(url, data | {"target": "2"})
    reply = manager.post(url, data | {"target": "none"})
    assert reply.status_code == 422 and reply.context["stamp"] == data["stamp"]


def test_a_viewer_reads_settings_and_changes_none(viewer: Client, project: Project) -> None:
    batch = make_batch(project, launch=False)
    url = reverse("batches:settings", args=[batch.pk])
    assert "Save settings" not in viewer.get(url).content.decode()
    assert viewer.post(url, {"strategy": "greedy"}).status_code == 403
    assert viewer.get(_new(project)).status_code == 403


def test_what_a_launched_batch_may_still_change_of_its_crowd(manager: Client, project: Project) -> None:
    """The wage floor may change, but not the provider. Its field is fixed, whatever is sent."""
    batch = make_batch(project, launch=False)
    move_batch(batch=batch, action="launch", without_pictures=True)
    url = reverse("batches:settings", args=[batch.pk])
    manager.post(
        url, filled(manager, url, crowd__hourly_wage="9", crowd__provider="mturk", crowd__masters="on")
    )
    batch.refresh_from_db()
    crowd = settings_of(batch).crowd
    assert (crowd.hourly_wage, crowd.provider, crowd.masters) == (900, "direct", False)
    assert acts().get().detail == {"changed": ["crowd.hourly_wage"]}


def test_a_launched_platform_batch_that_would_lose_cap_or_pay_is_kept_as_it_is(manager: Client) -> None:
    with with_account():
        batch = make_crowd_batch()
    url = reverse("batches:settings", args=[batch.pk])
    before = batch.settings
    reply = manager.post(url, filled(manager, url, crowd__cap="", reward__drawing="0"))
    (said,) = reply.context["form"].non_field_errors()
    assert reply.status_code == 422 and "cannot go on with these settings: it has no cap" in said
    assert "drawing: the reward is 0" in said and said in unescape(reply.content.decode())
    batch.refresh_from_db()
    assert batch.settings == before and not acts().exists()


def test_amounts_are_in_units_of_the_currency_and_times_in_minutes(manager: Client, project: Project) -> None:
    batch = make_batch(project, launch=False, crowd={"cap": 250_000}, lease_seconds=90)
    form = manager.get(reverse("batches:settings", args=[batch.pk])).context["form"]
    assert (form["crowd.cap"].value(), form["reward.link"].value()) == ("2500.00", "0.00")
    assert (form["lease_seconds"].value(), form["crowd.approval_seconds"].value()) == ("1.5", "4320")


def test_what_a_unit_is_follows_from_the_currency(manager: Client, project: Project) -> None:
    url = _new(project)
    manager.post(url, filled(manager, url, name="a", currency="JPY", reward__link="40", crowd__cap="9000"))
    settings = settings_of(Batch.objects.get())
    assert (settings.reward["link"], settings.crowd.cap) == (40, 9000)


@pytest.mark.parametrize(
    ("field", "typed", "says"),
    [
        ("reward__link", "0.255", "Must be an amount in USD from 0.00 to 10000.00."),
        ("crowd__cap", "1,5", "Must be an amount in USD from 0.01 to 10000000000.00."),
        ("crowd__cap", "9" * 60, "Must be an amount in USD from 0.01 to 10000000000.00."),
        ("lease_seconds", "soon", "Must be minutes from 0.5 to 10080."),
    ],
)
def test_amounts_and_times_that_are_none_are_said_at_their_field(
    manager: Client, project: Project, field: str, typed: str, says: str
) -> None:
    reply = manager.post(_new(project), filled(manager, _new(project), name="a", **{field: typed}))
    assert reply.context["form"].errors == {field.replace("__", "."): [says]}
