from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Image, Item, Project
from tests.factories import make_image, make_project
from workflows.batch_settings.selectors import settings_of
from workflows.batches.image_selection import drawn_images
from workflows.core.models import AuditEntry

pytestmark = pytest.mark.django_db

LINK = [["man"], ["man"]]


@pytest.fixture
def project() -> Project:
    project = make_project("flowers")
    for _ in range(3):
        make_image(project, LINK)
    return project


def batch(action: str, **options: Any) -> str:
    out = StringIO()
    call_command("batch", action, project="flowers", stdout=out, **options)
    return out.getvalue()


def test_the_rest_of_a_batch_goes_on_with_other_settings(project: Project) -> None:
    batch("create", set=["regime=open", "seed=4"])
    batch("launch")
    said = batch("create", name="second", rest_of="main", set=['regime={"link": "trusted"}'])
    assert said == "batch second: 3 images, draft\n"
    settings = settings_of(Batch.objects.get(name="second"))
    assert (settings.seed, settings.regime["link"], settings.regime["drawing"]) == (4, "trusted", "open")
    assert AuditEntry.objects.latest("pk").detail == {"rest_of": "main"}
    with pytest.raises(CommandError, match="batch main has no image that no worker has begun"):
        batch("create", name="third", rest_of="main")


def test_a_batch_is_created_launched_paused_resumed_and_cancelled(project: Project) -> None:
    assert batch("create", set=["regime=open"]) == "batch main: 3 images, draft\n"
    assert batch("launch") == "batch main: running\n"
    assert Item.objects.count() == 3
    assert batch("pause") == "batch main: paused\n"
    assert batch("resume") == "batch main: running\n"
    assert batch("list") == "main\trunning\t3 images\n"
    assert batch("cancel") == "batch main: cancelled\n"
    with pytest.raises(CommandError, match="its judgments are kept"):
        batch("delete")


def test_the_audit_log_has_what_was_done_and_nothing_that_was_refused(project: Project) -> None:
    batch("create", set=["regime=open"], images=1, by="ann")
    batch("launch", by="ann")
    batch("pause")
    for refused in ("pause", "delete", "launch"):
        with pytest.raises(CommandError):
            batch(refused)
    batch("create", name="draft")
    batch("delete", name="draft")
    found = AuditEntry.objects.order_by("pk").values_list("by", "action", "object", "detail", "project__name")
    assert list(found) == [
        ("ann", "batch.create", "main", {}, "flowers"),
        ("ann", "batch.launch", "main", {"without_pictures": False}, "flowers"),
        ("command line", "batch.pause", "main", {}, "flowers"),
        ("command line", "batch.create", "draft", {}, "flowers"),
        ("command line", "batch.delete", "draft", {}, "flowers"),
    ]


def test_a_draft_is_deleted(project: Project) -> None:
    batch("create")
    assert batch("delete") == "batch main: deleted\n"
    assert not Batch.objects.exists()


def test_settings_are_given_as_json(project: Project) -> None:
    batch("create", set=['strategy="greedy"', 'items_a_page={"link": 20}', "target=2"])
    settings = settings_of(Batch.objects.get())
    assert (settings.strategy, settings.items_a_page["link"], settings.target) == ("greedy", 20, 2)


def test_a_bare_word_is_a_setting_too(project: Project) -> None:
    batch("create", set=["strategy=greedy", "seed=7"])
    stored = Batch.objects.get().settings
    assert (stored["strategy"], stored["seed"]) == ("greedy", 7)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("strategy={greedy", "is neither a word nor JSON"),
        ("strategy=best", "strategy"),
        ("strategy", "write NAME=JSON"),
        ('strategy="best"', "strategy"),
        ("target=0", "target"),
        ("colour=1", "colour"),
    ],
)
def test_a_bad_setting_is_named_and_nothing_is_made(project: Project, setting: str, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        batch("create", set=[setting])
    assert not Batch.objects.exists()


def test_a_batch_may_take_only_the_first_free_images(project: Project) -> None:
    assert batch("create", name="one", images=1) == "batch one: 1 image, draft\n"
    assert batch("create", name="rest") == "batch rest: 2 images, draft\n"
    with pytest.raises(CommandError, match="no image with captions in this project that has neither"):
        batch("create", name="none", images=1)


@pytest.mark.parametrize("images", [0, -1])
def test_a_number_of_images_that_is_none_is_refused(project: Project, images: int) -> None:
    with pytest.raises(CommandError, match="at least 1"):
        batch("create", images=images)


def test_moves_that_are_not_legal_are_refused(project: Project) -> None:
    batch("create")
    with pytest.raises(CommandError, match="is draft: it cannot pause now"):
        batch("pause")


def test_pictures_are_asked_for_before_a_launch(project: Project) -> None:
    make_image(project, LINK, picture=False)
    batch("create", set=["regime=open"])
    with pytest.raises(CommandError, match="import them with --images"):
        batch("launch")
    assert batch("launch", without_pictures=True) == "batch main: running\n"


def test_an_unknown_project_or_batch_is_named(project: Project) -> None:
    with pytest.raises(CommandError, match="'weeds'"):
        call_command("batch", "list", project="weeds")
    with pytest.raises(CommandError, match="no batch 'second'"):
        batch("launch", name="second")


def test_a_name_that_is_none_is_refused(project: Project) -> None:
    with pytest.raises(CommandError, match="is not a name for a batch"):
        batch("create", name="two words")


def test_a_batch_takes_the_images_that_a_page_would_draw(project: Project, tmp_path: Path) -> None:
    """They are drawn by the seed, of a split, or named, by the same rules as in the console."""
    names = sorted(Image.objects.values_list("name", flat=True))
    Image.objects.filter(name=names[0]).update(split="val")
    named = tmp_path / "names.txt"
    named.write_text(f"\n{names[1]}\r\n{names[1]}\n")
    drawn = drawn_images(project, 2, 7)
    batch("create", name="drawn", draw=2, set=["seed=7"])
    assert set(Batch.objects.get().works.values_list("image_id", flat=True)) == set(drawn)
    batch("delete", name="drawn")
    batch("create", name="val", split="val")
    batch("create", name="named", names=str(named))
    taken = Batch.objects.order_by("pk").values_list("name", "works__image__name")
    assert list(taken) == [("val", names[0]), ("named", names[1])]


@pytest.mark.parametrize("options", [{}, {"images": 9}, {"draw": 2}, {"split": "val"}])
def test_a_batch_may_leave_out_images_without_a_picture(project: Project, options: dict[str, Any]) -> None:
    Image.objects.update(split="val")
    make_image(project, LINK, name="0.jpg", picture=False)
    batch("create", pictured=True, **options)
    taken = Batch.objects.get().works.values_list("image__name", flat=True)
    assert len(taken) == options.get("draw", 3) and "0.jpg" not in taken


@pytest.mark.parametrize(
    "options",
    [{"images": 2}, {"draw": 2}, {"split": "val"}, {"pictured": True}, {"names": "names.txt"}],
    ids=lambda options: next(iter(options)),
)
def test_a_campaign_takes_its_own_free_images(
    project: Project, options: dict[str, Any], tmp_path: Path
) -> None:
    """Captions are written for images without any; images with captions are free for other batches alone."""
    bare = {make_image(project, []).name for _ in range(2)}
    Image.objects.update(split="val")
    if "names" in options:
        options = {"names": str(tmp_path / "names.txt")}
        Path(options["names"]).write_text("\n".join(sorted(bare)))
    batch("create", set=["protocol=captions"], **options)
    assert set(Batch.objects.get().works.values_list("image__name", flat=True)) == bare


def test_an_image_that_a_campaign_cannot_take_says_why(project: Project, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(project.images.first().name)  # type: ignore[union-attr]
    with pytest.raises(CommandError, match="is in a batch that collects captions, or has captions"):
        batch("create", set=["protocol=captions"], names=str(tmp_path / "names.txt"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"draw": 4}, "only 3 free images"),
        ({"draw": 0}, "at least 1"),
        ({"split": "test"}, "no free image is of split 'test'"),
        ({"names": "nowhere.txt"}, "--names nowhere.txt"),
        ({"names": __file__}, "is no image of this project"),
    ],
)
def test_images_that_cannot_be_had_are_said(project: Project, options: dict[str, Any], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        batch("create", **options)
    assert not Batch.objects.exists()


def test_images_are_chosen_in_one_way(project: Project) -> None:
    with pytest.raises(CommandError, match="not allowed with"):
        call_command("batch", "create", "--project", "flowers", "--draw", "1", "--split", "val")


def test_settings_are_shown_as_they_are_given(project: Project) -> None:
    batch("create", set=["crowd.provider=mturk", "crowd.cap=50000", "currency=EUR"])
    shown = batch("show").splitlines()
    assert "crowd.cap=50000  # 500.00 EUR" in shown and 'crowd.provider="mturk"' in shown
    assert "seed=0" in shown and "crowd.top_up=true" in shown


def test_a_platform_without_an_account_is_said_at_the_launch(project: Project) -> None:
    batch("create", set=["regime=open", "crowd.provider=mturk"])
    with pytest.raises(CommandError, match=r"GROUNDCREW_MTURK_SECRET.*no cap.*reward is 0"):
        batch("launch")
