from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Worker
from tests.factories import make_project
from tests.workflows.http import Api

pytestmark = pytest.mark.django_db


def token(worker: str, project: str = "flowers") -> str:
    out = StringIO()
    call_command("worker_token", project=project, worker=worker, stdout=out)
    return out.getvalue().strip()


def test_a_worker_is_enrolled_once_and_gets_a_token_that_works() -> None:
    make_project("flowers")
    tokens = [token("ada"), token("ada")]
    assert Worker.objects.count() == 1
    for one in tokens:
        assert Api(None, one).get("stages").status_code == 200


def test_an_unknown_project_is_named() -> None:
    with pytest.raises(CommandError, match="'weeds'"):
        token("ada", project="weeds")


@pytest.mark.parametrize("worker", ["", "x" * 129])
def test_a_name_that_is_none_is_refused(worker: str) -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match="1 to 128 characters"):
        token(worker)
    assert not Worker.objects.exists()


@pytest.mark.parametrize("worker", ["ada\n", "a\x00b", "\udcff", "\u202eada", "  "])
def test_a_name_that_cannot_be_shown_is_refused(worker: str) -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match="printable characters"):
        token(worker)
    assert not Worker.objects.exists()


def test_a_name_may_be_in_any_language() -> None:
    make_project("flowers")
    token("Jürgen 李")
    assert Worker.objects.get().external_id == "Jürgen 李"


def test_a_link_opens_the_pages_with_the_token() -> None:
    make_project("flowers")
    out = StringIO()
    arguments = ["--project", "flowers", "--worker", "ada", "--link", "https://annotate.example.org/"]
    call_command("worker_token", *arguments, stdout=out)
    page, _, given = out.getvalue().strip().partition("#token=")
    assert page == "https://annotate.example.org/work/"
    assert Api(None, given).get("stages").status_code == 200


def test_the_site_of_a_link_need_not_be_named_again(settings: Any) -> None:
    make_project("flowers")
    arguments = ["--project", "flowers", "--worker", "ada", "--link"]
    with pytest.raises(CommandError, match="since GROUNDCREW_SITE is not set"):
        call_command("worker_token", *arguments)
    assert not Worker.objects.exists()
    out = StringIO()
    settings.SITE = "https://annotate.example.org"
    call_command("worker_token", *arguments, stdout=out)
    assert out.getvalue().startswith("https://annotate.example.org/work/#token=")


@pytest.mark.parametrize(
    "site",
    [
        *("annotate.example.org", "ftp://a.org", "https://", "https://a.org/work/", "https://a.org?x=1"),
        *("https://a.org#x", "https://u:p@a.org", "https://a.org:port", "https://[a.org", "https://a.org\n"),
    ],
)
def test_what_is_no_site_is_refused(site: str) -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match="is not a site"):
        call_command("worker_token", "--project", "flowers", "--worker", "ada", "--link", site)
    assert not Worker.objects.exists()
