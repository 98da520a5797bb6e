"""A launch without verification questions offers ways to them, and says how many images each takes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.answers import Stage
from annotation.models import Batch, Image, Project, VerificationQuestion
from tests.factories import (
    NOW,
    answer_page,
    make_batch,
    make_image,
    make_project,
    make_questions,
    make_worker,
)
from tests.workflows.gold import make_known
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError, move_batch
from workflows.batches.pilot import start_pilot
from workflows.core.models import AuditEntry
from workflows.pipeline.advance import advance_pending
from workflows.questions.domain.supply import images_needed

pytestmark = pytest.mark.django_db


def draft(images: int = 12) -> Batch:
    """Make a draft of all images of a project, with the paper's settings."""
    project = make_project()
    for _ in range(images):
        make_image(project, [["dog"], ["dog"], ["man"]])
    return make_batch(project, launch=False, regime="trusted")


def finished(project: Project) -> None:
    """Let a crowd finish an open batch of what is free."""
    for _ in range(4):
        make_image(project, [["dog"], ["dog"], ["man"]])
    batch = make_batch(project, name="earlier")
    for _ in range(400):
        if not batch.works.exclude(state="done").exists():
            return
        answer_page(make_worker(project))
        advance_pending(now=NOW)


def only(stage: str, regime: str) -> dict[str, str]:
    return dict.fromkeys(map(str, Stage), "open") | {str(stage): regime}


def launch(batch: Batch) -> str:
    return reverse("batches:move", args=[batch.pk, "launch"])


def test_the_launch_says_how_many_images_it_takes(
    manager: Client, django_assert_max_num_queries: Any
) -> None:
    batch = draft()
    with django_assert_max_num_queries(30):
        reply = manager.get(launch(batch))
    text = " ".join(reply.content.decode().split())
    assert reply.context["ways"].images == 30, "as docs/questions.md says"
    assert "It takes about 30 images" in text
    assert "Start a pilot of 11 images" in text and "30 would be needed" in text
    assert "No finished image is without questions; 30 needed." in text


def test_a_pilot_takes_its_images_out_of_the_draft(manager: Client) -> None:
    batch = draft()
    typed = {"images": 5, "batch": batch.pk}
    reply = manager.post(reverse("batches:pilot", args=[batch.project_id]), typed, follow=True)
    pilot = Batch.objects.get(name="pilot")
    assert reply.redirect_chain[0][0] == launch(pilot)
    assert (pilot.works.count(), batch.works.count()) == (5, 7)
    settings = settings_of(pilot)
    assert {settings.regime[stage] for stage in Stage} == {"open"}
    assert not settings.screening.test and settings.crowd.provider == "direct"
    assert not reply.context["ready"].shortages
    move_batch(batch=pilot, action="launch")


def test_the_button_pressed_twice_makes_one_pilot(manager: Client) -> None:
    batch = draft()
    for _ in range(2):
        manager.post(reverse("batches:pilot", args=[batch.project_id]), {"images": 5, "batch": batch.pk})
    assert Batch.objects.filter(name__startswith="pilot").count() == 1
    assert batch.works.count() == 7


def test_a_pilot_leaves_the_draft_an_image() -> None:
    batch = draft(3)
    assert start_pilot(project=batch.project, images=30, draft=batch).works.count() == 2
    assert batch.works.count() == 1


def test_a_pilot_without_images_says_so(manager: Client) -> None:
    project = make_project()
    reply = manager.post(reverse("batches:pilot", args=[project.pk]), {"images": 5}, follow=True)
    assert "No pilot was made: no image with a picture is free" in reply.content.decode()
    with pytest.raises(BatchError, match="1 to 500"):
        start_pilot(project=project, images=0)


def test_finished_images_become_proposals_in_the_gallery(manager: Client) -> None:
    project = make_project()
    finished(project)
    make_image(project, [["dog"]])
    batch = make_batch(project, launch=False, regime="trusted", name="main")
    assert manager.get(launch(batch)).context["ways"].finished == 4
    url = reverse("batches:use-finished", args=[project.pk])
    reply = manager.post(url, {"images": 30, "batch": batch.pk}, follow=True)
    assert reply.redirect_chain[0][0] == reverse("questions:gallery", args=[project.pk])
    assert set(VerificationQuestion.objects.values_list("state", flat=True)) == {"proposed"}
    assert {"gold", "test"} <= set(VerificationQuestion.objects.values_list("role", flat=True))
    ways = manager.get(launch(batch)).context["ways"]
    assert (ways.finished, ways.waiting) == (0, VerificationQuestion.objects.count())
    again = manager.post(url, {"images": 30}, follow=True).content.decode()
    assert "No question was proposed" in again


def test_before_there_is_a_batch_the_page_says_that_one_may_ask_fewer_questions(manager: Client) -> None:
    """Otherwise whoever has forty images gives most of them away as gold."""
    project = make_project()
    for _ in range(12):
        make_image(project, [["dog"], ["dog"], ["man"]])
    reply = manager.get(reverse("batches:questions", args=[project.pk]))
    assert (reply.context["ways"].images, reply.context["ways"].fewer) == (30, 7)
    page = " ".join(reply.content.decode().split())
    assert "Then it takes about 7 images, but more careless workers get in" in page
    assert f"{reverse('batches:new', args=[project.pk])}?preset=paid" in page
    assert "Ask fewer questions" not in page


def test_a_draft_may_ask_fewer_questions(manager: Client) -> None:
    batch = draft()
    page = " ".join(manager.get(launch(batch)).content.decode().split())
    assert "Then it takes about 7 images." in page
    url = reverse("batches:fewer-questions", args=[batch.pk])
    reply = manager.post(url, follow=True)
    assert reply.redirect_chain[0][0] == launch(batch)
    batch.refresh_from_db()
    settings = settings_of(batch)
    assert (settings.control.entrance, settings.screening.test) == (6, False)
    assert (reply.context["ways"].images, reply.context["ways"].fewer) == (7, None)
    assert "Ask fewer questions" not in reply.content.decode()
    assert AuditEntry.objects.filter(action="batch.settings").count() == 1
    manager.post(url)
    assert AuditEntry.objects.filter(action="batch.settings").count() == 1, "a second press changes nothing"


def test_a_launch_offers_a_cap_that_is_enough(manager: Client) -> None:
    project = make_project()
    make_image(project, [["dog"], ["dog"], ["man"]])
    reward = dict.fromkeys(map(str, Stage), 10)
    batch = make_batch(project, launch=False, reward=reward, crowd={"provider": "mturk"})
    offer = manager.get(launch(batch)).context["offer"]
    assert offer > 0 and offer % 100 == 0
    url = reverse("batches:cap", args=[batch.pk])
    page = manager.post(url, {"cap": offer}, follow=True)
    batch.refresh_from_db()
    assert settings_of(batch).crowd.cap == offer
    assert page.context["offer"] is None and "Set the cap to" not in page.content.decode()
    for wrong in ("0", "x", str(10**13)):
        assert "Nothing was changed" in manager.post(url, {"cap": wrong}, follow=True).content.decode()
    assert AuditEntry.objects.filter(action="batch.settings").count() == 1


def test_a_batch_that_runs_keeps_its_questions(manager: Client) -> None:
    project = make_project()
    make_image(project, [["dog"]])
    batch = make_batch(project)
    Batch.objects.filter(pk=batch.pk).update(settings={"regime": "trusted"})
    reply = manager.post(reverse("batches:fewer-questions", args=[batch.pk]), follow=True)
    assert "Nothing was changed" in reply.content.decode()
    batch.refresh_from_db()
    assert batch.settings == {"regime": "trusted"}


def test_a_reviewer_starts_nothing(reviewer: Client) -> None:
    project = make_project()
    for name in ("pilot", "use-finished", "missing"):
        assert reviewer.post(reverse(f"batches:{name}", args=[project.pk]), {"images": 5}).status_code == 403


@pytest.mark.parametrize(
    ("missing", "images"),
    [
        ({}, 0),
        ({("link", "gold"): 40, ("link", "test"): 30, ("link", "training"): 4}, 30),
        ({("link", "gold"): 40, ("drawing", "gold"): 10}, 16),
        ({("link", "gold"): 1}, 1),
    ],
)
def test_an_image_gives_questions_of_all_stages_but_of_one_role(
    missing: dict[tuple[str, str], int], images: int
) -> None:
    assert images_needed(missing) == images


def test_annotated_images_are_used_before_more_are_annotated(manager: Client) -> None:
    project = make_project()
    for _ in range(12):
        make_image(project, [["man"]])
    batch = make_batch(project, launch=False, regime="verification", screening={"test": False})
    address = reverse("batches:questions", args=[project.pk])
    assert mains(manager.get(address)) == ["Annotate 8 images yourself"]
    for _ in range(3):
        make_known(project)
    assert mains(manager.get(launch(batch))) == ["Make questions of 3 images", "Launch batch"]
    page = manager.get(address)
    assert mains(page) == ["Make questions of 3 images"]
    assert "Annotate 5 more yourself" in page.content.decode()
    made = manager.post(address, {"unused": 1, "source": "gold", "images": 3, "per_image": 4}, follow=True)
    assert VerificationQuestion.objects.values("image").distinct().count() == 3
    assert made.context["unused"] == 0 and "Make questions of" not in made.content.decode()
    assert mains(made)[0].startswith("Annotate"), "they were not enough"
    for stage in Stage:
        make_questions(project, stage, images=20)
    assert mains(manager.get(address)) == ["Back to the launch"]


def test_the_images_that_it_takes_are_one_number_wherever_it_stands(manager: Client) -> None:
    """The page said *about 23 more images*, and *30 would be needed* beside its buttons."""
    project = make_project()
    for _ in range(6):
        make_image(project, [["man"]])
    batch = make_batch(project, launch=False, regime="trusted")
    for _ in range(5):
        make_known(project)
    for address in (launch(batch), reverse("batches:questions", args=[project.pk])):
        reply = manager.get(address)
        page = " ".join(reply.content.decode().split())
        ways = reply.context["ways"]
        assert ways.plan.new and ways.plan.left and ways.needed != ways.images
        assert f"It takes about {ways.needed} more images" in page
        said = {*re.findall(r"(\d+) would be needed", page), *re.findall(r"; (\d+) needed", page)}
        assert said == {str(ways.needed)}


def test_few_images_are_one_number_too(manager: Client) -> None:
    """*It takes about 2 more images* stood over a button that annotates five."""
    project = make_project()
    for _ in range(9):
        make_image(project, [["man"]])
    settings: dict[str, Any] = {"control": {"set_questions": 20}, "screening": {"test": False}}
    batch = make_batch(project, launch=False, regime=only(Stage.LINK, "verification"), **settings)
    make_questions(project, Stage.LINK, images=12)
    make_known(project, name="known.jpg")
    reply = manager.get(launch(batch))
    ways, page = reply.context["ways"], words_of(reply)
    assert ways.plan.left and ways.plan.new and images_needed(ways.plan.left) < 5
    assert "It takes about 5 more images" in page
    numbers = re.findall(r"Annotate (\d+) |Start a pilot of (\d+) image|; (\d+) needed", page)
    assert [max(found) for found in numbers] == ["5"] * 3


def test_without_a_batch_the_questions_are_enough_for_the_default_settings_alone(manager: Client) -> None:
    project = make_project()
    for _ in range(40):
        make_known(project)
    for number in range(3):
        make_image(project, [["man"]], name=f"free-{number}.jpg")
    manager.post(reverse("batches:missing", args=[project.pk]))
    asked = words_of(manager.get(reverse("batches:questions", args=[project.pk])))
    assert "Enough for a batch with the default settings to begin." in asked
    assert "Enough to launch" not in asked
    home = words_of(manager.get(reverse("dashboards:project", args=[project.pk])))
    assert "Enough for a batch with the default settings to begin." in home


def test_what_can_be_made_at_once_needs_no_images(manager: Client) -> None:
    """Beside a button that makes all that is missing, the page asked for images."""
    project = make_project()
    make_image(project, [["dog"]])
    settings: dict[str, Any] = {"control": {"set_questions": 2}, "screening": {"test": False}}
    batch = make_batch(project, launch=False, regime=only(Stage.DRAWING, "verification"), **settings)
    for _ in range(3):
        make_known(project)
    page = manager.get(launch(batch)).content.decode()
    assert "Make these" in page and "needed." not in page.replace("questions are needed.", "")
    for way in ("Start a pilot", "yourself", "Use finished images as gold", "Import more images"):
        assert way not in page, "nothing more has to be annotated"
    start_pilot(project=project, images=1)
    assert "Go on with pilot" in manager.get(launch(batch)).content.decode()


def test_what_waits_for_approval_needs_no_pilot(manager: Client) -> None:
    """Beside proposals that cover all that is missing, the page offered a pilot."""
    project = make_project()
    finished(project)
    make_image(project, [["dog"]])
    settings: dict[str, Any] = {"control": {"set_questions": 2}, "screening": {"test": False}}
    batch = make_batch(
        project, launch=False, name="next", regime=only(Stage.LINK, "verification"), **settings
    )
    manager.post(reverse("batches:missing", args=[project.pk]), {"batch": batch.pk})
    reply = manager.get(launch(batch))
    assert reply.context["ways"].covers
    assert "Start a pilot" not in reply.content.decode()
    assert "of the proposed questions" in reply.content.decode()


def test_only_proposals_that_fill_what_is_missing_are_counted_and_offered(manager: Client) -> None:
    """A batch without a test was offered the approval of its questions, while others were missing."""
    project = make_project()
    finished(project)
    make_image(project, [["dog"]])
    main = make_batch(project, launch=False, regime="trusted", name="main")
    url = reverse("batches:use-finished", args=[project.pk])
    manager.post(url, {"images": 30, "batch": main.pk})
    make_image(project, [["dog"]])
    few: dict[str, Any] = {"control": {"set_questions": 400}, "screening": {"test": False}}
    batch = make_batch(project, launch=False, name="few", regime=only(Stage.LINK, "verification"), **few)
    proposed = VerificationQuestion.objects.filter(state="proposed")
    useful = proposed.filter(stage="link", role="gold")
    number = useful.count()
    assert 0 < number < proposed.count()
    for address in (launch(batch), f"{reverse('batches:questions', args=[project.pk])}?batch={batch.pk}"):
        reply = manager.get(address)
        assert reply.context["ways"].waiting == number
        assert mains(reply)[0].startswith(f"Approve {number} ")
        assert f"Approve {proposed.count()}" not in reply.content.decode()
    useful.update(state="retired")
    for address in (launch(batch), f"{reverse('batches:questions', args=[project.pk])}?batch={batch.pk}"):
        assert "Approve" not in manager.get(address).content.decode()


def test_questions_that_wait_already_are_not_said_to_be_made(manager: Client) -> None:
    """*Make 6 of them: 183 of them wait for your approval then*, of which 177 waited already."""
    project = make_project()
    finished(project)
    make_image(project, [["dog"]])
    few: dict[str, Any] = {"regime": only(Stage.LINK, "verification"), "screening": {"test": False}}
    one = make_batch(project, launch=False, name="one", control={"set_questions": 2}, **few)
    manager.post(reverse("batches:missing", args=[project.pk]), {"batch": one.pk})
    make_image(project, [["dog"]])
    more = make_batch(project, launch=False, name="more", control={"set_questions": 4}, **few)
    reply = manager.get(launch(more))
    ways, page = reply.context["ways"], words_of(reply)
    assert ways.waiting and ways.plan.new and ways.proposed == ways.plan.new
    assert f"Make {ways.plan.new} of them</button>" in page
    assert "They wait for your approval then." in page
    assert f"Approve {ways.waiting} proposed questions" in page
    assert "wait for you already." in page


def test_no_more_images_are_offered_than_there_are(manager: Client) -> None:
    project = make_project()
    for _ in range(6):
        make_image(project, [["man"]])
    make_batch(project, launch=False, regime="verification", screening={"test": False})
    address = reverse("batches:questions", args=[project.pk])
    page = manager.get(address)
    assert mains(page) == ["Import more images"], "what would empty the draft and not suffice is not offered"
    assert "takes 8 images, and 5 are there, those of this draft included, which " in page.content.decode()
    Image.objects.filter(project=project).update(file="")
    page = manager.get(address)
    assert mains(page) == ["Import more images"]
    assert "No image with a picture is free to annotate." in page.content.decode()


def mains(reply: Any) -> list[str]:
    """Return the words of the main buttons of the page."""
    buttons = re.findall(r'<(?:a|button)[^>]*class="button main"[^>]*>([^<]*)<', reply.content.decode())
    return [words.strip() for words in buttons]


def test_the_launch_says_how_far_the_questions_reach(
    manager: Client, django_assert_max_num_queries: Any
) -> None:
    project = make_project()
    for _ in range(30):
        make_image(project, [["man", "dog"], ["man", "dog"], ["man", "dog"], ["man", "dog"]])
    make_questions(project, Stage.LINK, images=10)
    regime = {**dict.fromkeys(map(str, Stage), "open"), "link": "verification"}
    control = {"set_questions": 10, "verification_share": 0.5}
    batch = make_batch(project, launch=False, regime=regime, control=control, screening={"test": False})
    with django_assert_max_num_queries(30):
        text = words_of(manager.get(launch(batch)))
    assert "The verification questions may not last until the end." in text
    assert re.search(
        r"each worker can do about 2 full pages of coreference link. The batch takes about \d+ full", text
    )
    assert re.search(r"Plan for about \d+ workers: about half fail an entrance", text)
    assert re.search(r"If 10 people go on to the end, work stops when about \d+ of 30 images are done", text)
    assert re.search(r"purpose=gold&amp;count=\d+", text) and "Invite more people" in text
    home = reverse("dashboards:project", args=[project.pk])
    with django_assert_max_num_queries(30):
        assert "Enough to begin. To last, they need" in words_of(manager.get(home))

    make_worker(project)
    with django_assert_max_num_queries(30):
        page = manager.get(launch(batch))
    assert "With the people who are there, the batch cannot end." in words_of(page)
    assert not page.context["ready"].ready
    refused = manager.post(launch(batch), {"stamp": page.context["stamp"]})
    assert "cannot end with the 1 person who is there" in words_of(refused)
    assert manager.get(home).context["checklist"].next.step.name == "Questions"
    asked = words_of(manager.get(reverse("batches:questions", args=[project.pk])))
    assert "too few to launch it: it could not end" in asked and "Enough to launch" not in asked

    make_questions(project, Stage.LINK, images=400)
    assert "There are enough verification questions." in words_of(manager.get(launch(batch)))


def words_of(reply: Any) -> str:
    return " ".join(reply.content.decode().split())


def test_three_missing_questions_take_three_approvals(manager: Client) -> None:
    """They took seven images and 131 approvals, and then five images more."""
    project = make_project()
    finished(project)
    make_image(project, [["dog"]])
    settings = {
        "regime": only(Stage.LINK, "trusted"),
        "screening": {"test": False},
        "control": {"entrance": 3},
    }
    batch = make_batch(project, launch=False, name="next", **settings)
    short = manager.get(launch(batch)).context["ready"].shortages
    missing = sum(one.needed - one.found for one in short)
    page = " ".join(manager.get(launch(batch)).content.decode().split())
    assert f"Missing: at least {missing} of coreference link (mixed into pages)." in page
    plan = manager.get(launch(batch)).context["ways"].plan
    assert 0 < plan.new <= missing
    reply = manager.post(reverse("batches:missing", args=[project.pk]), {"batch": batch.pk}, follow=True)
    made = VerificationQuestion.objects.all()
    assert set(made.values_list("stage", "role", "state")) == {("link", "gold", "proposed")}
    assert made.count() == plan.new
    assert len(reply.context["found"].cards) == plan.new
    again = manager.get(launch(batch)).context["ways"]
    assert again.plan.waiting.total() == plan.new
    manager.post(reverse("batches:missing", args=[project.pk]), {"batch": batch.pk})
    assert made.count() == plan.new + again.plan.new, "a second press makes nothing twice"


def test_what_is_known_needs_no_approval(manager: Client) -> None:
    project = make_project()
    make_image(project, [["dog"]])
    settings = {
        "regime": only(Stage.DRAWING, "verification"),
        "control": {"set_questions": 2},
        "screening": {"test": False},
    }
    batch = make_batch(project, launch=False, name="next", **settings)
    for _ in range(3):
        make_known(project)
    ways = manager.get(launch(batch)).context["ways"]
    assert (ways.main, ways.approvals, ways.plan.left) == ("missing", 0, {})
    reply = manager.post(reverse("batches:missing", args=[project.pk]), {"batch": batch.pk}, follow=True)
    assert reply.redirect_chain[0][0] == launch(batch)
    assert VerificationQuestion.objects.filter(state="active").count() == ways.plan.new
    assert reply.context["ready"].shortages == ()


def test_the_gallery_shows_no_more_than_are_missing(manager: Client) -> None:
    project = make_project()
    finished(project)
    make_image(project, [["dog"]])
    batch = make_batch(project, launch=False, regime="trusted", name="main")
    url = reverse("batches:use-finished", args=[project.pk])
    manager.post(url, {"images": 30, "batch": batch.pk})
    few = {"regime": only(Stage.LINK, "verification"), "control": {"set_questions": 2}}
    make_image(project, [["dog"]])
    other = make_batch(project, launch=False, name="other", screening={"test": False}, **few)
    gallery = reverse("questions:gallery", args=[project.pk])
    cards = manager.get(gallery, {"batch": other.pk}).context["found"].cards
    assert [(card.row.stage, card.row.role) for card in cards] == [("link", "gold")] * 2
    assert len(manager.get(gallery).context["found"].cards) > 2
