"""How the pages are served: policy, no cookies, files fetched once, and how large a first page is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Response

from annotation.domain.answers import JointStage, Stage
from tests.e2e.site import Site
from tests.selection import and_nightly

BUDGET_BYTES = 61_250
"""The bytes of gzipped scripts and style sheets until the first question can be answered. In any language."""
JOINT_BYTES = 18_000
"""The further bytes on a page of a joint stage, whose views and words are loaded when they are wanted."""
INSTRUCTIONS_BYTES = 9_100
"""The further bytes if a new worker is first shown the instructions."""
PATHS = [
    "",
    "me/",
    "join/",
    "crowd/link/0a1b/",
    *(f"{stage}/" for stage in (*Stage, *JointStage)),
    *(f"preview/{stage}/" for stage in (*Stage, *JointStage)),
]
# Bytes by address. They are 0 for files from the browser's cache.
FETCHED = """Object.fromEntries(performance.getEntriesByType("resource")
  .filter(({ name }) => name.includes("/static/"))
  .map(({ name, transferSize }) => [name, transferSize]))"""
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|\sstyle=|javascript:", re.IGNORECASE)


@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_a_policy_and_sets_no_cookie(site: Site, path: str) -> None:
    reply = httpx.get(f"{site.url}/work/{path}")
    assert reply.status_code == 200
    policy = _directives(reply.headers["content-security-policy"])
    assert policy["default-src"] == ["'self'"]
    assert "frame-ancestors" in policy
    sources = {source for values in policy.values() for source in values}
    assert not sources & {"'unsafe-inline'", "'unsafe-eval'", "data:", "*"}
    assert not INLINE.search(reply.text)
    assert "set-cookie" not in reply.headers
    # A new release is seen at once, since only files with a hash in their name are cached.
    assert "no-cache" in reply.headers["cache-control"] or "max-age=0" in reply.headers["cache-control"]


def test_walking_through_the_site_sets_no_cookie(site: Site, page: Page) -> None:
    site.open(items=1)
    for link in (site.worker_link(), *(site.worker_link(stage) for stage in Stage)):
        page.goto(link)
        page.wait_for_load_state("networkidle")
    page.goto(f"{site.url}/work/me/")
    page.wait_for_load_state("networkidle")
    assert page.context.cookies() == []


def test_hashed_files_are_fetched_once(site: Site, page: Page) -> None:
    site.open("link")
    first = _load(page, site.worker_link("link"))
    files = [reply for reply in first if "/static/" in reply.url]
    assert files
    for reply in files:
        caching = reply.headers["cache-control"]
        age = re.search(r"max-age=(\d+)", caching)
        assert "immutable" in caching and age and int(age[1]) >= 365 * 24 * 3600, f"{reply.url}: {caching}"
    _load(page, f"{site.url}/work/link/")
    # Other files may have been fetched ahead by now, for the first time.
    known = {reply.url for reply in files}
    fetched = {url: size for url, size in page.evaluate(FETCHED).items() if url in known}
    assert fetched and not any(fetched.values()), fetched


@pytest.mark.parametrize(
    ("language", "stages"),
    and_nightly(
        # A stage that enlarges small boxes may load the most, and German and French words are the longest.
        [
            ("en", (Stage.LINK, Stage.DRAWING, JointStage.CHECK)),
            ("de", (Stage.QUALITY, JointStage.BOXES)),
            ("fr", (Stage.QUALITY,)),
        ],
        [
            ("de", (Stage.DRAWING,)),
            ("es", (Stage.DRAWING,)),
            ("pt", (Stage.DRAWING,)),
            ("zh", (Stage.DRAWING,)),
            ("en", (Stage.VERIFICATION, Stage.REQUIREMENT, Stage.QUALITY, Stage.COVERAGE)),
        ],
        "all other stages come with the same files",
    ),
)
def test_the_first_page_of_a_stage_is_light(
    site: Site,
    new_context: Callable[..., BrowserContext],
    language: str,
    stages: Sequence[str],
    record_property: Callable[[str, object], None],
) -> None:
    for stage in stages:
        site.open(stage)
        page = new_context(locale=language).new_page()
        # Time stands still. So what is fetched ahead, some time after the first question, is never fetched.
        page.clock.install()
        page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
        first = _code(_load(page, site.worker_link(stage)))
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")
        # The second time, the instructions stay closed, and the browser's cache has the earlier files.
        again = set(_code(_load(page, site.worker_link(stage))))
        assert again, "nothing was asked for: the figure below would be 0"
        budget = BUDGET_BYTES + (JOINT_BYTES if stage in set(JointStage) else 0)
        weight = sum(size for url, size in first.items() if url in again)
        instructions = sum(first.values()) - weight
        record_property(
            "figure",
            f"first page of {stage + f' ({language}):':<20} {weight:6,} bytes of JS and CSS, gzipped "
            f"({weight / budget:.0%} of {budget:,}); for somebody new {instructions:,} more",
        )
        told = "\n".join(f"{size:8,} {url}" for url, size in first.items())
        assert 0 < weight <= budget, f"\n{told}"
        assert 0 < instructions <= INSTRUCTIONS_BYTES, f"\n{told}"
        page.context.close()


def _load(page: Page, url: str) -> list[Response]:
    """Go there, and wait until a picture is shown and nothing more is fetched. Return all replies."""
    replies: list[Response] = []

    def keep(reply: Response) -> None:
        replies.append(reply)

    page.on("response", keep)
    with page.expect_response(lambda reply: "/media/" in reply.url):
        page.goto("about:blank")  # two addresses that differ only after # are one page
        page.goto(url)
    page.wait_for_load_state("networkidle")
    page.remove_listener("response", keep)
    return replies


def _code(replies: list[Response]) -> dict[str, int]:
    """Return the bytes of scripts and style sheets over the network, by address."""
    code = [reply for reply in replies if reply.request.resource_type in ("script", "stylesheet")]
    assert {reply.request.resource_type for reply in code} == {"script", "stylesheet"}
    for reply in code:
        if not reply.from_service_worker and _transferred(reply):
            assert reply.headers.get("content-encoding") == "gzip" or len(reply.body()) < 500, reply.url
    return {reply.url: _transferred(reply) for reply in code}


def _transferred(reply: Response) -> int:
    """Return the bytes of the body as it came over the network."""
    return reply.request.sizes()["responseBodySize"]


def _directives(policy: str) -> dict[str, list[str]]:
    parts = (part.split() for part in policy.split(";") if part.strip())
    return {name: values for name, *values in parts}
