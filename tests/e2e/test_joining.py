"""From an invitation's link to the first page that is sent: on a phone, with the form filled in by keys."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Request, expect

from annotation.models import Judgment, Worker
from tests.e2e.conftest import NewContext
from tests.e2e.devices import PHONE
from tests.e2e.hands import Fingers
from tests.e2e.looks import check_looks
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import begin, press_answers
from workflows.crowd.invitations.invite import invite

PASSCODE = "open sesame"
NAME = "grace@example.org"


def test_an_invitation_leads_to_a_page_that_is_answered(
    site: Site, new_context: NewContext, watch: Watch
) -> None:
    site.open("link", items=2)
    end = timezone.now() + timedelta(days=1)
    (made,) = invite(
        project=site.project,
        label="lab",
        by="mona",
        now=timezone.now(),
        passcode=PASSCODE,
        expires_at=end,
    )
    link = f"{site.url}/work/join/#{made.code}"
    context = new_context(reduced_motion="reduce", **PHONE)
    sent: list[str] = []

    def keep(request: Request) -> None:
        sent.append(request.url)

    context.on("request", keep)
    page = context.new_page()
    page.goto(link)
    name, passcode = page.get_by_label("Your name or e-mail"), page.get_by_label("Passcode")
    name.fill(NAME)
    passcode.fill("open says me")
    watch.allow("400 \\(Bad Request\\)")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").get_by_text("That is not the passcode")).to_be_visible()
    expect(passcode).to_be_focused()
    check_looks(page)
    assert not Worker.objects.filter(external_id=NAME).exists()

    passcode.fill(PASSCODE)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tasks")).to_be_visible()
    expect(page.get_by_text(f"You are {NAME} in {site.project.name}.")).to_be_visible()
    assert page.url == f"{site.url}/work/"
    worker = Worker.objects.get(external_id=NAME)

    page.goto(f"{site.url}/work/link/")
    begin(page)
    press_answers(page, page, ["y", "n"])
    Fingers(page).send()
    page.get_by_role("heading", name="Page done").wait_for()
    assert wait_for(page, lambda: Judgment.objects.filter(worker=worker).count() == 2)

    # On the same device, the same link leads to the same worker. On another device it is used up.
    page.goto(link)
    page.get_by_text("You have joined before").wait_for()
    page.get_by_label("Passcode").fill(PASSCODE)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text(f"You are {NAME}")).to_be_visible()
    watch.allow("409 \\(Conflict\\)")
    other = new_context(reduced_motion="reduce").new_page()
    other.goto(link)
    expect(other.get_by_role("alert")).to_contain_text("used already")
    check_looks(other)
    assert Worker.objects.filter(project=site.project, joining__isnull=False).count() == 1
    assert not [url for url in sent if made.code in url.partition("#")[0]]
