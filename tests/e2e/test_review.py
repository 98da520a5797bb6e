"""A researcher at work in a browser: from the queue to a corrected box, and a question written by hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Box, Case, Chain, Decision, Item, Mention, Standing, VerificationQuestion
from tests.e2e.axe import COLOURS, check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.researcher import log_in
from tests.e2e.scenes import FIRST, SECOND
from tests.e2e.site import Site
from tests.factories import NOW
from workflows.cases.review_queue import flag_chain

NEAR = 3
"""The pixels of the photograph by which a hand may miss, at the size at which it is shown."""


def _flagged(site: Site) -> Chain:
    """Make a chain with one box, which waits for coverage and for a researcher."""
    site.open("coverage", items=1)
    chain = Chain.objects.filter(state="coverage").order_by("pk")[0]
    flag_chain(chain_id=chain.pk, by="ada", note="Is the box right?", now=NOW)
    return chain


def _drag(page: Page, box: tuple[int, int, int, int], size: tuple[int, int]) -> None:
    """Drag from corner to corner on the editor's photograph, which has `size` pixels."""
    photograph = page.locator(".editor img")
    expect(page.locator(".editor svg[data-phase=ready]")).to_be_visible()
    photograph.scroll_into_view_if_needed()
    shown = photograph.bounding_box()
    assert shown
    scale = shown["width"] / size[0]
    left, top, right, bottom = (edge * scale for edge in box)
    page.mouse.move(shown["x"] + left, shown["y"] + top)
    page.mouse.down()
    page.mouse.move(shown["x"] + right - 5, shown["y"] + bottom - 5, steps=4)
    page.mouse.move(shown["x"] + right, shown["y"] + bottom)
    page.mouse.up()


def _near(a: list[int], b: tuple[int, ...]) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= NEAR


@pytest.mark.journey
def test_a_box_is_corrected_and_the_chain_sent_back(site: Site, page: Page) -> None:
    chain = _flagged(site)
    image = chain.work.image
    log_in(page, f"{site.url}/admin/review/")
    check_accessible(page)
    page.get_by_role("link", name="Open").first.click()
    expect(page.get_by_text("Is the box right?").first).to_be_visible()
    page.get_by_role("button", name="+ Another box").click()
    target = SECOND if Box.objects.get(chain=chain, state="accepted").rectangle.edges == FIRST else FIRST
    _drag(page, target, (image.width or 1, image.height or 1))
    expect(page.get_by_role("button", name="Box 2")).to_be_visible()
    page.get_by_role("button", name="Box 1").click()
    page.get_by_role("button", name="Remove the box").click()
    page.get_by_label("What happens next").select_option("coverage")
    page.get_by_label("Why", exact=True).fill("It was round the wrong one")
    check_accessible(page)
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_text("Decided about")).to_be_visible()
    expect(page.get_by_text("It was round the wrong one")).to_be_visible()
    decision = Decision.objects.get(kind="chain")
    (box,) = Box.objects.filter(chain=chain, state="accepted")
    assert box.decision == decision
    assert _near(list(box.rectangle.edges), target)
    assert Item.objects.filter(chain=chain, stage="coverage", state="open").count() == 1
    assert Case.objects.get().decision == decision


def test_keys_of_the_page_do_not_move_the_box(site: Site, page: Page) -> None:
    _flagged(site)
    log_in(page, f"{site.url}/admin/review/")
    page.get_by_role("link", name="Open").first.click()
    expect(page.locator(".editor svg[data-phase=ready]")).to_be_visible()
    numbers = page.locator("#id_boxes")
    before = numbers.input_value()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    assert numbers.input_value() == before
    page.get_by_role("button", name="Box 1").press("ArrowRight")
    expect(numbers).not_to_have_value(before)


def test_a_drawing_question_is_written_by_hand(site: Site, page: Page) -> None:
    site.open("drawing", items=1)
    (image,) = (Item.objects.get(stage="drawing").work.image,)
    mention = Mention.objects.filter(image=image)[0]
    log_in(page, f"{site.url}/admin/review/")
    page.get_by_role("navigation", name="Review").get_by_text("Verification questions").click()
    page.get_by_role("link", name="Write one").click()
    page.get_by_label("Project").select_option(label=site.project.name)
    page.get_by_label("Image").fill(image.name)
    page.get_by_label("Stage").select_option("drawing")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("checkbox", name=mention.text).first.check()
    _drag(page, FIRST, (image.width or 1, image.height or 1))
    page.get_by_role("radio", name="one of these boxes").check()
    check_accessible(page)
    page.get_by_role("button", name="Save question").click()
    expect(page.get_by_text("The question is saved.")).to_be_visible()
    question = VerificationQuestion.objects.get()
    assert question.mentions == [mention.pk]
    (right,) = question.answer["boxes"]
    assert _near(right, FIRST)


def _with_long_words(chain: Chain) -> VerificationQuestion:
    """Give the chain's caption and mention a word that cannot be broken. Return a question with it, too."""
    long = "Donaudampfschifffahrt" * 5
    mention = Mention.objects.select_related("caption", "image__project").get(pk=chain.representative_id)
    caption = mention.caption
    caption.tokens = caption.text = f"{long} {caption.tokens.partition(' ')[2]}"
    caption.save()
    Mention.objects.filter(pk=mention.pk).update(text=long)
    return VerificationQuestion.objects.create(
        project=mention.image.project,
        image=mention.image,
        stage="requirement",
        source="written",
        kind="written",
        mentions=[mention.pk],
        answer={"requirement": "box"},
        content="x",
        explanation=long,
        created_at=NOW,
    )


def test_the_pages_fit_a_phone_and_are_accessible(site: Site, new_context: NewContext) -> None:
    chain = _flagged(site)
    page = new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).new_page()
    log_in(page, f"{site.url}/admin/review/")
    worker = Box.objects.filter(chain=chain)[0].judgment.worker_id  # type: ignore[union-attr]  # workers drew it
    Standing.objects.create(
        worker_id=worker,
        stage="drawing",
        asked=20,
        right=9,
        recent_asked=20,
        recent_right=9,
        state="lost",
        changed_at=NOW,
    )
    question = _with_long_words(chain)
    for path in (
        "",
        f"chain/{chain.pk}/",
        f"image/{chain.work_id}/",
        f"worker/{worker}/",
        "worker/",
        "questions/",
        f"questions/{question.pk}/",
        f"questions/write/?project={question.project_id}&image={question.image.name}&stage=drawing",
    ):
        page.goto(f"{site.url}/admin/review/{path}")
        page.wait_for_load_state("networkidle")
        check_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        page.emulate_media(color_scheme="dark")
        check_accessible(page, rules=COLOURS)
        page.emulate_media(color_scheme="light")
