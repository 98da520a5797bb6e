"""People from a panel come by the batch's address: to the export with a code, and back by an address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch
from simulation.emulators.panel.server import Panel
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.journeying import (
    SLOW,
    check_exported,
    check_paid,
    do_page,
    go_through,
    launch,
    mouse,
    site_known_before,
)
from tests.e2e.site import Site, until
from tests.e2e.turking import ICON
from tests.e2e.watch import Watch
from workflows.batch_settings.domain.presets import LINKED
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.link.addresses import address_of
from workflows.crowd.link.lists import take_list
from workflows.crowd.models import Publication
from workflows.crowd.rounds.step import step
from workflows.platforms.registry import provider
from workflows.workers.models import Participation

PEOPLE = tuple(f"p{number}" for number in range(1, 7))
WIDE = {"width": 1280, "height": 1000}


@pytest.fixture
def panel() -> Iterator[Panel]:
    with Panel() as panel:
        yield panel


@pytest.fixture
def site(settings: Any, transactional_db: None, tmp_path: Path, watch: Watch) -> Iterator[Site]:
    watch.allow(ICON)
    watch.allow("422")  # the panel refuses a code that was typed wrongly
    watch.allow("400")  # and we an address that says nobody
    with site_known_before(settings, tmp_path / "logs") as site:
        yield site


def linked(site: Site, panel: Panel, of: str, **link: str) -> Batch:
    """Launch a batch with the settings of a platform, and give the panel its address."""
    batch = launch(site, "link", "USD")
    batch.settings = parse_settings(batch.settings | {"by_link": {**LINKED[of], **link}}).to_json()
    batch.save()
    names = zip(LINKED[of].values(), ("participant", "assignment"), strict=False)
    panel.world.address = address_of(batch) + "?" + "&".join(f"{name}={{{value}}}" for name, value in names)
    opened = Publication.objects.filter(batch=batch, state=Publication.State.OPEN)
    until(
        lambda: bool(step(provider=provider("link"), now=timezone.now(), patient=False)) and opened.exists()
    )
    return batch


def take_part(page: Page, panel: Panel, who: str) -> None:
    """Take part in the panel's study, as whoever is signed in there."""
    page.goto(panel.url)
    page.get_by_label("Your id").fill(who)
    page.get_by_role("button", name="Take part").click()
    page.wait_for_url("**/work/crowd/any/**")


def type_code(page: Page, panel: Panel, place: str, code: str) -> None:
    page.goto(f"{panel.url}/code?assignment={place}")
    page.get_by_label("Completion code").fill(code)
    page.get_by_role("button", name="Submit").click()


@pytest.mark.journey
def test_all_stages_go_by_one_address_to_the_export_and_its_lists(
    site: Site, panel: Panel, new_context: NewContext, tmp_path: Path, record_property: Any
) -> None:
    batch = linked(site, panel, "connect", code=panel.world.code)
    page = new_context(viewport=WIDE).new_page()

    def work(who: str) -> Stage | None:
        take_part(page, panel, who)
        place = re.search("assignmentId=([a-z0-9]+)", page.url)
        assert place
        key = place[1]
        away = page.get_by_role("heading", name="There is no work for you in this task")
        start = page.get_by_role("dialog").or_(page.get_by_label(re.compile("^Question 1 of")))
        expect(away.or_(start).first).to_be_visible(timeout=SLOW)
        if away.is_visible():
            panel.world.give_back(key)
            return None
        stage = Stage(Assignment.objects.get(key=key).stage)
        assert do_page(page, page, mouse(page), stage, key)
        shown = page.locator("code")
        expect(shown).to_have_text(panel.world.code, timeout=SLOW)
        if not Participation.objects.filter(state="submitted").exists():
            check_accessible(page)
            type_code(page, panel, key, "WRONG")
            expect(page.get_by_role("alert")).to_contain_text("Copy it again")
        type_code(page, panel, key, panel.world.code)
        expect(page.get_by_text("Your place is submitted")).to_be_visible()
        take_list(batch=batch, data=panel.world.participants().encode(), now=timezone.now())
        return stage

    pages = go_through(batch, "link", PEOPLE, work)
    check_paid(batch, pages, "link", panel.url)
    check_exported(batch, tmp_path / "export")
    record_property("figure", f"{pages} pages by one address; the panel paid {dict(panel.world.paid)}")


def test_a_second_device_goes_on_and_the_address_back_names_the_participant(
    site: Site, panel: Panel, new_context: NewContext
) -> None:
    back = f"{panel.url}/complete?assignment=a1&code={panel.world.code}&survey_code=%SURVEY_CODE%"
    batch = linked(site, panel, "sona", back=back, out_code="SORRY")
    computer, phone = new_context(viewport=WIDE).new_page(), new_context(viewport=WIDE).new_page()
    take_part(computer, panel, "1234")
    expect(computer.get_by_role("dialog")).to_be_visible(timeout=SLOW)
    phone.goto(computer.url)
    held = Assignment.objects.get()
    assert do_page(phone, phone, mouse(phone), Stage(held.stage), "1234")
    phone.wait_for_url("**/complete?**survey_code=1234", timeout=SLOW)
    assert Assignment.objects.count() == 1
    computer.reload()
    computer.wait_for_url("**/complete?**survey_code=1234", timeout=SLOW)

    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.PAUSED)
    late = new_context(viewport=WIDE).new_page()
    take_part(late, panel, "5678")
    expect(late.locator("code")).to_have_text("SORRY", timeout=SLOW)
    check_accessible(late)
    nobody = new_context(viewport=WIDE).new_page()
    nobody.goto(f"{address_of(batch)}?survey_code=%25SURVEY_CODE%25")
    expect(nobody.get_by_text("not at the address that the platform gives")).to_be_visible(timeout=SLOW)
