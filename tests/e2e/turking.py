"""A site whose work is published on an emulated platform, and a worker's browser there."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from playwright.sync_api import Frame, Page

from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.question import QUESTION
from tests.e2e.site import Site, wait_for
from tests.workflows.crowd_made import make_publication
from workflows.crowd.models import Publication

ICON = "favicon.ico"
"""The emulator has no icon, and browsers ask for one."""


def mturk(turk: Handle) -> dict[str, str]:
    """Return the environment of a site that uses this emulator."""
    return {
        "GROUNDCREW_MTURK_ENDPOINT": turk.url,
        "GROUNDCREW_MTURK_KEY_ID": turk.account.key_id,
        "GROUNDCREW_MTURK_SECRET": turk.account.secret,
        "GROUNDCREW_MTURK_SITES": turk.url,
    }


def publish(
    site: Site, turk: Handle, stage: str, *, places: int = 1, pages: int = 1, **options: Any
) -> Publication:
    """Publish a HIT for a batch of the site in this stage, and return our publication."""
    batch = site.open(stage, items=4, **options)[stage]
    now = timezone.now()
    publication = make_publication(
        batch,
        stage,
        places=places,
        pages=pages,
        created_at=now,
        expires_at=now + timedelta(hours=1),
        external_id="",
    )
    url = f"{site.url}/work/crowd/{stage}/{publication.token}/"
    client = turk.client()
    kind = client.create_hit_type(
        AssignmentDurationInSeconds=3600,
        Reward="0.05",
        Title=f"A page of {stage}",
        Description="Look at photographs.",
    )["HITTypeId"]
    hit = client.create_hit_with_hit_type(
        HITTypeId=kind,
        MaxAssignments=places,
        LifetimeInSeconds=3600,
        Question=f'<ExternalQuestion xmlns="{QUESTION}"><ExternalURL>{url}</ExternalURL>'
        "<FrameHeight>760</FrameHeight></ExternalQuestion>",
    )
    publication.external_id = hit["HIT"]["HITId"]
    publication.save()
    return publication


def open_hit(page: Page, turk: Handle, publication: Publication, worker: str) -> Frame:
    """Return the frame of the HIT's preview."""
    query = urlencode({"workerId": worker, "hitId": publication.external_id})
    page.goto(f"{turk.url}/mturk/preview?{query}")
    return frame_of(page)


def accept(page: Page) -> Frame:
    """Take the HIT, and return the frame of its page. The preview's frame has the same name."""
    page.get_by_role("button", name="Accept").click()
    page.wait_for_url("**/mturk/work?*")
    return frame_of(page)


def frame_of(page: Page) -> Frame:
    frame = wait_for(page, lambda: page.frame("hit"))
    assert frame
    return frame


def statuses(turk: Handle, publication: Publication) -> list[str]:
    """Return the statuses of the HIT's assignments."""
    assignments = turk.state()["assignments"]
    return [one["status"] for one in assignments if one["hit"] == publication.external_id]


class InFrame:
    """A page whose work is in a frame.

    Elements are looked for in the frame; keys and mouse are the page's.
    """

    def __init__(self, page: Page, frame: Frame) -> None:
        self._page, self._frame = page, frame

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frame if hasattr(self._frame, name) else self._page, name)
