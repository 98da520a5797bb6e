"""Captions are written, checked, graded and matched: by mouse, by keys, and by touch on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from annotation.domain.answers import CampaignStage
from annotation.models import Caption, Image, Judgment, Mention, Project
from tests.campaigns import launched, make_captions
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext, StartSite
from tests.e2e.keeping import at_overview
from tests.e2e.scenes import picture
from tests.e2e.site import wait_for
from tests.e2e.working import begin, question
from tests.factories import make_image
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch
from workflows.batches.pairs import queue_pairs

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
TEXTS = ("A woman walks two dogs in a park .", "A man in a hat waves at a girl .")


def give_pictures(project: Project) -> None:
    for image in Image.objects.filter(project=project):
        Path(image.file.path).parent.mkdir(parents=True, exist_ok=True)
        Path(image.file.path).write_bytes(picture())


def captions_of(judgment: Judgment) -> list[int]:
    """Return the ids of the captions that a judgment's item showed."""
    assert judgment.item
    return list(judgment.item.captions)


def test_captions_are_written_by_keys_and_checked_by_touch(
    shared_site: StartSite, page: Page, new_context: NewContext
) -> None:
    site = shared_site(GROUNDCREW_SWEEP_SECONDS="1")
    make_captions(project=site.project, images=2, captions={"wanted": 1})
    give_pictures(site.project)
    page.goto(site.worker_link("writing"))
    begin(page)
    for number, text in enumerate(TEXTS, start=1):
        question(page, number, 2)
        field = page.get_by_label("Your sentence")
        expect(field).to_be_focused()
        page.keyboard.type("A dog")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="at least four words")).to_be_visible()
        check_accessible(page)
        field.fill(text)
        page.keyboard.press("Enter")
    at_overview(page)
    check_accessible(page)
    page.keyboard.press("Enter")
    wait_for(page, lambda: Judgment.objects.filter(item__stage=CampaignStage.WRITING).count() == 2)
    phone = new_context(**PHONE).new_page()
    phone.goto(site.worker_link("caption_check", "somebody-else"))
    begin(phone)
    for number in (1, 2):
        question(phone, number, 2)
        check_accessible(phone)
        phone.get_by_role("button", name="Describes it").tap()
    phone.get_by_role("button", name="Send this page").tap()
    found = wait_for(phone, lambda: sorted(Caption.objects.in_use().values_list("text", flat=True)))
    assert found == sorted(TEXTS)
    mentions = Mention.objects.filter(caption__text=TEXTS[0]).order_by("start")
    assert list(mentions.values_list("text", flat=True)) == ["A woman", "two dogs", "a park"]


def test_captions_are_graded_by_keys_and_matched_by_touch(
    shared_site: StartSite, page: Page, new_context: NewContext
) -> None:
    site = shared_site(GROUNDCREW_SWEEP_SECONDS="1")
    image, other = (make_image(site.project, [[word]]) for word in ("dog", "man"))
    give_pictures(site.project)
    own, wrong = (Caption.objects.get(image=one).pk for one in (image, other))
    for name, protocol, groups in (
        ("experts", "relevance-expert", [[own], [wrong]]),
        ("crowd", "relevance-crowd", [[own, wrong]]),
    ):
        settings = parse_settings({"protocol": protocol, "regime": "open", "relevance": {"judges": 1}})
        batch = create_batch(project=site.project, name=name, settings=settings, images=[image.pk])
        queue_pairs(batch, [(image.pk, group) for group in groups])
        launched(batch)
    page.goto(site.worker_link("grading"))
    begin(page)
    for number in (1, 2):
        shown = question(page, number, 2)
        check_accessible(page)
        page.keyboard.press("4" if shown.get_by_text("a dog").count() else "1")
    at_overview(page)
    page.keyboard.press("Enter")
    graded = wait_for(
        page, lambda: list(Judgment.objects.filter(item__stage="grading").select_related("item"))
    )
    assert {(*captions_of(one), one.answer["grade"]) for one in graded} == {(own, 4), (wrong, 1)}
    phone = new_context(**PHONE).new_page()
    phone.goto(site.worker_link("relevance", "somebody-else"))
    begin(phone)
    question(phone, 1, 1)
    check_accessible(phone)
    phone.get_by_role("checkbox", name="a dog").tap()
    phone.get_by_role("button", name="That is all: 1 caption").tap()
    phone.get_by_role("button", name="Send this page").tap()
    (matched,) = wait_for(
        phone, lambda: list(Judgment.objects.filter(item__stage="relevance").select_related("item"))
    )
    assert dict(zip(captions_of(matched), matched.answer["describes"], strict=True)) == {
        own: True,
        wrong: False,
    }


def test_captions_are_written_checked_graded_and_matched_by_mouse(shared_site: StartSite, page: Page) -> None:
    site = shared_site(GROUNDCREW_SWEEP_SECONDS="1")
    make_captions(project=site.project, images=1, captions={"wanted": 1})
    known = make_image(site.project, [["dog"]])
    give_pictures(site.project)
    own = Caption.objects.get(image=known).pk
    for protocol in ("relevance-expert", "relevance-crowd"):
        settings = parse_settings({"protocol": protocol, "regime": "open", "relevance": {"judges": 1}})
        batch = create_batch(project=site.project, name=protocol, settings=settings, images=[known.pk])
        queue_pairs(batch, [(known.pk, [own])])
        launched(batch)

    def send(stage: str, *, by: str, then: Callable[[Locator], object]) -> None:
        page.goto(site.worker_link(stage, by))
        begin(page)
        then(question(page, 1, 1))
        page.get_by_role("button", name="Send this page").click()
        wait_for(page, lambda: list(Judgment.objects.filter(item__stage=stage)))

    def write(shown: Locator) -> None:
        page.get_by_label("Your sentence").click()
        page.keyboard.insert_text(TEXTS[0])
        page.get_by_role("button", name="Done").click()

    send("writing", by="ann", then=write)
    send(
        "caption_check", by="bo", then=lambda shown: shown.get_by_role("button", name="Describes it").click()
    )
    send(
        "grading", by="cy", then=lambda shown: shown.get_by_role("button", name="Without any errors").click()
    )

    def tick(shown: Locator) -> None:
        shown.get_by_role("checkbox", name="a dog").click()
        shown.get_by_role("button", name="That is all: 1 caption").click()

    send("relevance", by="dee", then=tick)
    answers = dict(Judgment.objects.values_list("item__stage", "answer"))
    assert answers == {
        "writing": {"caption": TEXTS[0]},
        "caption_check": {"caption": "right"},
        "grading": {"grade": 4},
        "relevance": {"describes": [True]},
    }
