"""The researchers' console in Firefox and WebKit."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from annotation.models import Image
from tests.e2e.conftest import StartSite
from tests.e2e.engines.engine import Engine, in_each_engine
from tests.e2e.engines.firefox import Firefox
from tests.e2e.engines.hands import FIELD, Pointer, until
from tests.e2e.researcher import NAME, PASSWORD
from tests.e2e.site import Site
from tests.e2e.test_dropped_files import DROP, SHEET
from tests.workflows.jobs.jobs_made import picture

pytestmark = pytest.mark.nightly("one stage of each kind says that the engine works")

# A page that is left before it has loaded would report that parts of it are missing.
SIGNED_IN = "() => !location.pathname.includes('/login/') && document.readyState === 'complete'"
HEAD = "() => document.querySelector('h1')?.textContent.trim()"
LOOK = "() => [getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.body).color]"
LOOKS = "(theme) => getComputedStyle(document.documentElement).colorScheme === theme"
LISTED = "() => [...document.querySelectorAll('[data-drop-list] li')].map((one) => one.textContent.trim())"
DROP_ON = f"(selector, files) => ({DROP})(document.querySelector(selector), files)"


def log_in(hands: Pointer, address: str) -> None:
    """Log in as a new superuser, and wait for the page that `address` sends to."""
    User.objects.create_superuser(NAME, password=PASSWORD)
    hands.engine.open(address)
    for label, text in (("Username", NAME), ("Password", PASSWORD)):
        hands.press(label, "", kind=FIELD)
        hands.type(*text)
    hands.press("Log in", "Enter")
    until(lambda: hands.engine.run(SIGNED_IN), "the page after the login")


@in_each_engine
def test_pages_of_the_console_by_day_and_by_night(engine: Engine, site: Site) -> None:
    batch = site.open("coverage", items=1)["coverage"]
    image = Image.objects.get(works__batch=batch)
    hands = Pointer(engine, "mouse")
    log_in(hands, f"{site.url}/admin/")
    looks = []
    for theme in ("Light", "Dark"):
        engine.open(f"{site.url}/admin/")
        hands.press(theme, "")
        hands.says(LOOKS, theme.lower())
        for path, head in (
            ("", ""),
            (f"batches/{batch.pk}/", batch.name),
            (f"images/{image.pk}/", image.name),
        ):
            engine.open(f"{site.url}/admin/{path}")
            assert head in until(lambda: engine.run(HEAD), f"a heading of {path}")
            assert engine.run(LOOK)[0] == theme.lower()
        looks.append(engine.run(LOOK)[1])
        until(
            lambda: engine.run("() => document.querySelectorAll('[data-photograph] g.box').length"), "boxes"
        )
    assert looks[0] != looks[1]


@in_each_engine
def test_files_that_are_dropped_or_chosen_are_imported(
    engine: Engine, shared_site: StartSite, tmp_path: Path
) -> None:
    site = shared_site(GROUNDCREW_SWEEP_SECONDS="1")
    hands = Pointer(engine, "mouse")
    log_in(hands, f"{site.url}/admin/projects/{site.project.pk}/import/")
    hands.count("[data-drop]:not([hidden])", 1)
    files = {"a.jpg": picture(), "b.jpg": picture(), "captions.csv": SHEET.encode()}
    if isinstance(engine, Firefox):  # WebKit does not let the page read files that a script has dropped
        content = {name: base64.b64encode(one).decode() for name, one in files.items()}
        engine.run(DROP_ON, "[data-drop]", content)
        until(lambda: engine.run(LISTED) == ["2 photographs", "captions.csv"], "what was dropped")
        hands.press("Take all files out", "")
        until(lambda: engine.run(LISTED) == [], "no files")
    paths = [tmp_path / name for name in files]
    for path in paths:
        path.write_bytes(files[path.name])
    engine.put_files("[name=pictures]", paths[:2])
    engine.put_files("[name=corpus]", paths[2:])
    until(lambda: engine.run(LISTED) == ["2 photographs", "captions.csv"], "what was chosen")
    hands.press("Import now", "")
    hands.heading("What happened")
    names = Image.objects.filter(project=site.project).exclude(file="").values_list("name", flat=True)
    assert set(names) == {"a.jpg", "b.jpg"}
