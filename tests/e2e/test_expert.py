"""A researcher annotates whole images alone: by key, by mouse, in a queue, and after the image changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Box, Caption, Chain, Decision, GoldChain, Image, ImageWork, Mention
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.researcher import log_in
from tests.e2e.scenes import FIRST, SECOND, SIZE, picture
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch

CAPTIONS = (
    "A man in a red shirt walks a dog in the park .",
    "A man and a woman are in a park .",
    "The woman looks at the man with a dog .",
    "Two people walk their dog .",
    "A young man holds a leash .",
)
PHRASES = (
    ((0, 2, "people"), (3, 6, "clothing"), (7, 9, "animals"), (10, 12, "scene")),
    ((0, 2, "people"), (3, 5, "people"), (7, 9, "scene")),
    ((0, 2, "people"), (4, 6, "people"), (7, 9, "animals")),
    ((0, 2, "people"), (3, 5, "animals")),
    ((0, 3, "people"),),
)
"""The phrases that the chunker left: *a leash* in the last caption is missing."""

MAX_KEYS = 60
MAX_CLICKS = 10
"""What somebody practised needs at most for these five captions. At five seconds each, that is six minutes;
keys take one or two."""

COUNT = """() => {
    if (window.counted) return;
    window.counted = {keys: 0, clicks: 0};
    addEventListener("keydown", (e) => {
        if (!["Shift", "Control", "Alt"].includes(e.key)) window.counted.keys += 1;
    }, true);
    addEventListener("pointerdown", () => { window.counted.clicks += 1; }, true);
}"""


def _image(site: Site, name: str) -> Image:
    """Make an image with a picture and five captions, which no batch has."""
    file = f"{site.project.name}/{name}"
    image = Image.objects.create(project=site.project, name=name, file=file, width=SIZE[0], height=SIZE[1])
    path = Path(image.file.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture(SIZE, (FIRST, SECOND)))
    for index, text in enumerate(CAPTIONS):
        caption = Caption.objects.create(image=image, index=index, text=text, tokens=text)
        words = text.split(" ")
        for start, end, types in PHRASES[index]:
            said = " ".join(words[start:end])
            Mention.objects.create(
                image=image,
                caption=caption,
                start=start,
                end=end,
                text=said,
                head=words[end - 1].lower(),
                types=types,
            )
    return image


def _ready(page: Page) -> Locator:
    """Wait until the screen is there and the first phrase has the focus."""
    expect(page.locator("[data-expert] svg[data-phase=ready]")).to_be_visible()
    first = page.locator("[data-at='0:0']")
    expect(first).to_be_focused()
    return first


def _drag(page: Page, box: tuple[int, int, int, int]) -> None:
    photograph = page.locator("[data-expert] img")
    photograph.scroll_into_view_if_needed()
    shown = photograph.bounding_box()
    assert shown
    scale = shown["width"] / SIZE[0]
    left, top, right, bottom = (edge * scale for edge in box)
    page.mouse.move(shown["x"] + left, shown["y"] + top)
    page.mouse.down()
    page.mouse.move(shown["x"] + right - 5, shown["y"] + bottom - 5, steps=4)
    page.mouse.move(shown["x"] + right, shown["y"] + bottom)
    page.mouse.up()


def _annotate(page: Page) -> None:
    """Annotate the image of five captions as somebody practised does."""
    keys = page.keyboard
    # Chains: each key also goes on to the next phrase without a chain.
    for letter in "abcdaedeacfca":
        keys.press(f"Shift+{letter.upper()}")
    # The phrase that the chunker missed: "a leash", with its type and a chain of its own.
    page.locator("[data-at='4:4']").click()
    keys.press(" ")
    keys.press("Shift+ArrowRight")
    keys.press("Shift+G")
    keys.press("Shift+A")
    page.locator("[data-at='0:0']").press("Enter")
    boxes = {"A": FIRST, "B": (190, 200, 290, 300), "C": SECOND, "E": (20, 100, 120, 400)}
    for letter in "ABCDEFG":
        if letter in boxes:
            _drag(page, boxes[letter])
        elif letter == "F":  # two people: a box for each of them
            _drag(page, FIRST)
            keys.press("b")
            _drag(page, (20, 100, 120, 400))
        else:
            keys.press("s" if letter == "D" else "x")
        keys.press("Enter")


@pytest.mark.journey
def test_a_queue_of_gold_images_is_annotated_by_key(
    site: Site, page: Page, record_property: Callable[[str, object], None]
) -> None:
    images = [_image(site, f"{n}.jpg") for n in "ab"]
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/expert/?purpose=gold&count=2")
    expect(page.get_by_label("How many images")).to_have_value("2")
    check_accessible(page)
    page.get_by_role("button", name="Draw and begin").click()
    _ready(page)
    expect(page.get_by_text("image 1 of 2")).to_be_visible()
    page.evaluate(COUNT)
    _annotate(page)
    check_accessible(page)
    counted = page.evaluate("window.counted")
    record_property("keys and clicks for an image of five captions", str(counted))
    assert counted["keys"] <= MAX_KEYS and counted["clicks"] <= MAX_CLICKS, counted
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("image 2 of 2")).to_be_visible()
    expect(page.get_by_text("1 done")).to_be_visible()
    _ready(page)
    _annotate(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("All images of the queue are annotated.")).to_be_visible()
    check_accessible(page)
    assert Decision.objects.filter(kind="annotate", content__purpose="gold").count() == 2
    for image in images:
        chains = {
            chain.representative.text: chain
            for chain in Chain.objects.filter(work__image=image).exclude(state="withdrawn")
        }
        assert {text: (chain.state, chain.flag) for text, chain in chains.items()} == {
            "A young man": ("done", ""),
            "a red shirt": ("done", ""),
            "their dog": ("done", ""),
            "the park": ("nonvisual", "scene"),
            "The woman": ("done", ""),
            "Two people": ("done", ""),
            "a leash": ("nonvisual", "nobndbox"),
        }
        man = Box.objects.get(chain=chains["A young man"], state="accepted")
        assert max(abs(a - b) for a, b in zip(man.rectangle.edges, FIRST, strict=True)) <= 3
        assert GoldChain.objects.filter(image=image, superseded=False).count() == 7


def test_nothing_is_lost_by_a_reload_or_by_somebody_else(site: Site, page: Page, watch: Watch) -> None:
    watch.allow("status of 409")
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    page.keyboard.press("Shift+A")
    page.keyboard.press("Shift+B")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+y")
    page.reload()
    expect(page.get_by_text("What you had not saved is here again.")).to_be_visible()
    expect(page.locator("[data-at='0:3']")).to_have_attribute("data-chain", "B")
    page.locator("[data-at='0:0']").press("Control+Enter")
    expect(page.get_by_text("Not saved yet:")).to_be_visible()
    check_accessible(page)
    page.get_by_role("button", name="Begin again from what is stored").click()
    for place in (
        "0:0",
        "0:3",
        "0:7",
        "0:10",
        *(f"{n}:{start}" for n in (1, 2, 3, 4) for start, *_ in PHRASES[n]),
    ):
        page.locator(f"[data-at='{place}']").press("Shift+A")
    page.locator("[data-at='0:0']").press("Enter")
    page.keyboard.press("n")
    Mention.objects.filter(text="a red shirt").update(types="other")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The image has changed since")).to_be_visible()
    check_accessible(page)
    assert not ImageWork.objects.exists()
    page.get_by_role("button", name="Save mine all the same").click()
    wait_for(page, lambda: ImageWork.objects.filter(state="done").first())
    assert Mention.objects.get(text="a red shirt", superseded=False).types == "clothing"
    assert Chain.objects.get().boxes.count() == 1


def test_a_type_that_the_project_added_has_a_button_and_a_key(site: Site, page: Page) -> None:
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/types/")
    page.get_by_label("Name in the data set").fill("things_for_dogs")
    page.get_by_label("Label (optional)").fill("For dogs")
    page.get_by_label("Nouns").fill("leash\nbowl")
    page.get_by_role("button", name="Save the types").click()
    expect(page.get_by_text("Version 1 is saved.")).to_be_visible()
    check_accessible(page)
    image = _image(site, "a.jpg")
    page.goto(f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    page.locator("[data-at='4:4']").click()
    page.keyboard.press(" ")
    page.keyboard.press("Shift+ArrowRight")
    own = page.get_by_role("button", name="For dogs")
    expect(own).to_have_attribute("aria-pressed", "true")  # "a leash" ends with a noun of the list
    page.locator("[data-at='0:0']").click()
    expect(own).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("9")
    expect(own).to_have_attribute("aria-pressed", "true")
    own.click()
    expect(own).to_have_attribute("aria-pressed", "false")
    check_accessible(page)


def test_phrases_are_marked_and_chained_by_mouse(site: Site, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1200})  # so that nothing scrolls under a drag
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    words = page.locator("[data-caption='4'] [data-word]")
    start, end = words.nth(4).bounding_box(), words.nth(5).bounding_box()
    assert start and end
    page.mouse.move(start["x"] + 1, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] - 1, end["y"] + end["height"] / 2, steps=5)
    page.mouse.up()
    leash = page.locator("[data-at='4:4']")
    expect(leash).to_have_attribute("draggable", "true")
    expect(leash).to_contain_text("a leash")
    page.locator("[data-at='1:0']").drag_to(page.locator("[data-at='0:0']"))
    expect(page.locator("[data-at='1:0']")).to_have_attribute("data-chain", "A")
    expect(page.locator("[data-at='0:0']")).to_have_attribute("data-chain", "A")
    page.locator("[data-at='4:0']").drag_to(page.locator("[data-letter='A']"))
    expect(page.locator("[data-at='4:0']")).to_have_attribute("data-chain", "A")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screen_fits_a_phone_and_is_accessible(site: Site, new_context: NewContext, theme: str) -> None:
    image = _image(site, "a.jpg")
    context = new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=theme
    )
    page = context.new_page()
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    page.locator("[data-at='0:0']").tap()
    page.get_by_role("button", name="A chain of its own").tap()
    page.get_by_role("button", name="New box").tap()
    expect(page.get_by_role("button", name="Box 1")).to_be_visible()
    check_accessible(page)
    # Whatever is said, and however long, nothing reaches over the edge.
    page.locator("[data-at='0:3']").focus()
    _chained(page)
    page.locator("[data-at='0:0']").focus()
    page.keyboard.press("Shift+C")
    expect(page.locator(".line [role=status]")).to_contain_text("c puts it here.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def _chained(page: Page) -> None:
    """Give each phrase its chain, by key."""
    for letter in "ABCDAEDEACFCA":
        page.keyboard.press(f"Shift+{letter}")


def test_a_letter_means_the_same_wherever_the_focus_is(site: Site, page: Page) -> None:
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    _chained(page)
    said = page.locator(".line [role=status]")
    chains = [
        phrase.get_attribute("data-chain") for phrase in page.locator("[data-at][draggable=true]").all()
    ]
    # A letter that names a chain takes it in hand, and a phrase that has a chain keeps it.
    page.locator("[data-at='0:0']").click()
    page.keyboard.press("Shift+C")
    expect(said).to_have_text(re.compile("^C “.*” is in hand. “A man” stays in A; c puts it here.$"))
    page.keyboard.press("v")
    expect(said).to_have_text("No chain in hand has a box.")
    page.keyboard.press("Shift+V")
    expect(said).to_have_text("There is no chain V.")
    page.keyboard.press("s")
    expect(said).to_have_text(re.compile("^C “.*” is a scene.$"))
    page.locator("[data-photograph]").focus()
    page.keyboard.press("Shift+A")
    page.keyboard.press("v")
    page.keyboard.press("c")
    expect(said).to_have_text("Go to a phrase first: this is about the phrase at the cursor.")
    shown = [phrase.get_attribute("data-chain") for phrase in page.locator("[data-at][draggable=true]").all()]
    assert shown == chains
    page.keyboard.press("Control+z")
    expect(said).to_have_text("Undone: a reason of C.")
    page.locator("[data-at='0:0']").focus()
    page.keyboard.press("Shift+C")
    page.keyboard.press("c")
    expect(page.locator("[data-at='0:0']")).to_have_attribute("data-chain", "C")
    expect(said).to_have_text("“A man” is in chain C, and no longer in A.")
    page.keyboard.press("Control+z")
    expect(page.locator("[data-at='0:0']")).to_have_attribute("data-chain", "A")
    expect(said).to_have_text("Undone: “A man” in chain C.")


def test_boxes_are_drawn_by_keys_and_taken_over(site: Site, page: Page) -> None:
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    _chained(page)
    page.locator("[data-at='0:0']").focus()
    page.keyboard.press("d")
    cells = page.locator("[data-cells]")
    expect(cells.get_by_text("Q", exact=True)).to_be_visible()
    check_accessible(page)
    page.keyboard.press("q")
    page.keyboard.press("c")
    page.keyboard.press("Backspace")
    page.keyboard.press("v")
    expect(page.locator("[data-made]")).to_have_attribute(
        "data-made", f"0 {round(SIZE[1] * 3 / 8)} {SIZE[0]} {SIZE[1]}"
    )
    page.keyboard.press("Enter")
    # The cells go on with the next chain. Esc gives them up, and letters are commands again.
    expect(page.locator(".line b")).to_have_text("a red shirt")
    expect(cells).to_be_visible()
    page.keyboard.press("Escape")
    expect(cells).to_have_count(0)
    page.keyboard.press("t")
    expect(page.get_by_role("button", name=re.compile("^Box 1 ")).first).to_have_attribute(
        "aria-pressed", "true"
    )
    page.keyboard.press("m")
    page.keyboard.press("Shift+A")
    expect(page.get_by_role("group", name="Box to draw").get_by_role("button", name="Box 1")).to_have_count(0)
    check_accessible(page)


def test_four_points_make_a_box_and_the_next_chain_follows(site: Site, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1000})
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    _chained(page)
    page.locator("[data-at='0:0']").press("Enter")
    page.keyboard.press("p")
    page.evaluate(COUNT)
    for box in (FIRST, SECOND, FIRST, SECOND):
        _points(page, box)
    # A key goes back to the chain that was drawn last, for another box.
    expect(page.locator(".line b")).to_have_text("The woman")
    page.keyboard.press("b")
    expect(page.locator(".line b")).to_have_text("the park")
    _points(page, FIRST)
    expect(page.locator(".line b")).to_have_text("The woman")
    counted = page.evaluate("window.counted")
    assert counted == {"keys": 1, "clicks": 20}
    expect(page.locator("[data-letter=D]")).to_contain_text("2 boxes")


def test_between_four_points_undo_takes_back_the_last_one(site: Site, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1000})
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    _chained(page)
    page.locator("[data-at='0:0']").press("Enter")
    page.keyboard.press("p")
    _points(page, FIRST, 3)
    said = page.locator(".line [role=status]")
    for left in (2, 1, 0):
        page.keyboard.press("Control+z")
        expect(said).to_have_text(f"Undone: a point. Points that are set: {left}.")
    # Nothing of the three is left: the box is that of the next four.
    _points(page, SECOND)
    expect(page.locator(".line b")).to_have_text("a red shirt")
    page.keyboard.press("Control+z")
    expect(said).to_have_text("Undone: a box of A.")


def test_enter_ends_a_box_by_keys_also_after_an_arrow(site: Site, page: Page) -> None:
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    _chained(page)
    page.locator("[data-at='0:0']").press("Enter")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("d")
    expect(page.locator("[data-cells]")).to_be_visible()
    for key in ("q", "v"):
        page.keyboard.press(key)
    expect(page.locator("[data-made]")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".line b")).to_have_text("a red shirt")
    expect(page.locator("[data-letter=A]")).to_contain_text("1 box")


def test_d_draws_for_the_chain_in_hand_wherever_the_cursor_is(site: Site, page: Page) -> None:
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    _chained(page)
    page.locator("[data-at='0:0']").press("Shift+B")
    page.keyboard.press("d")
    for key in ("q", "v", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("[data-letter=B]")).to_contain_text("1 box")
    expect(page.locator("[data-letter=A]")).not_to_contain_text("1 box")


def _points(page: Page, box: tuple[int, int, int, int], number: int = 4) -> None:
    """Click so many of the four extreme points of an object that fills the box."""
    shown = page.locator("[data-expert] img").bounding_box()
    assert shown
    scale = shown["width"] / SIZE[0]
    left, top, right, bottom = box
    across, down = (left + right) / 2, (top + bottom) / 2
    for x, y in ((across, top), (across, bottom), (left, down), (right, down))[:number]:
        page.mouse.click(shown["x"] + x * scale, shown["y"] + y * scale)


def test_another_image_is_chosen_and_what_is_not_saved_stays(site: Site, page: Page) -> None:
    first, *_ = (_image(site, f"{name}.jpg") for name in "abc")
    log_in(page, f"{site.url}/admin/images/{first.pk}/expert/")
    _ready(page)
    page.keyboard.press("Shift+A")
    page.keyboard.press(".")
    expect(page.get_by_role("heading", name="Annotate b.jpg")).to_be_visible()
    _ready(page)
    page.keyboard.press("i")
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.locator(f"[data-image='{first.pk}']")).to_contain_text("not saved")
    check_accessible(page)
    page.keyboard.type("c")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Annotate c.jpg")).to_be_visible()
    _ready(page)
    page.keyboard.press("?")
    expect(page.get_by_text("box in the middle")).to_be_visible()
    page.get_by_text("Images", exact=True).last.click()
    page.locator(f"[data-image='{first.pk}']").click()
    expect(page.get_by_text("What you had not saved is here again.")).to_be_visible()


@pytest.mark.parametrize(("wide", "least"), [(1440, 900), (1280, 780)])
def test_the_photograph_gets_the_room(site: Site, page: Page, wide: int, least: int) -> None:
    page.set_viewport_size({"width": wide, "height": 900})
    image = _image(site, "a.jpg")
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    shown = page.locator("[data-photograph] .stage").bounding_box()
    assert shown and shown["width"] >= least
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="Audit log")).to_be_visible()
    check_accessible(page)


@pytest.mark.parametrize("size", [(1280, 800), (1366, 768), (1280, 900)])
def test_save_is_in_view_without_scrolling(
    site: Site, new_context: NewContext, size: tuple[int, int]
) -> None:
    """It lay below the captions, the chains and the note."""
    image = _image(site, "many.jpg")
    page = new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    log_in(page, f"{site.url}/admin/images/{image.pk}/expert/")
    _ready(page)
    save = page.get_by_role("button", name=re.compile("^Save"))
    for _ in range(2):
        expect(save).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
        save.click(trial=True)  # nothing lies above it
        # With more chains than fit, too.
        for letter in "abcdaedeacfca":
            page.keyboard.press(f"Shift+{letter.upper()}")
        expect(page.locator("[data-at='4:0']")).to_be_focused()
        page.evaluate("scrollTo(0, 0)")
    # What has the focus is not behind it.
    note = page.get_by_label("Why (optional)")
    note.focus()
    field, row = note.bounding_box(), save.bounding_box()
    assert field and row and field["y"] + field["height"] <= row["y"]
