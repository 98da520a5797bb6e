"""A researcher who logs in, in a browser."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import Page

from tests.e2e.axe import check_accessible

NAME, PASSWORD = "rita", "only for this test"


def log_in(page: Page, address: str) -> None:
    """Log in as a new superuser, and wait until the page that `address` sends to has loaded.

    A key that is pressed before that would go to the page that is being left.
    """
    User.objects.create_superuser(NAME, password=PASSWORD)
    page.goto(address)
    check_accessible(page)
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda url: "/login/" not in url)
