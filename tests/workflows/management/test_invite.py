from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password
from django.core.management import CommandError, call_command

from tests.factories import make_project
from workflows.core.models import AuditEntry
from workflows.crowd.invitations.domain import digest
from workflows.crowd.invitations.models import Invitation

pytestmark = pytest.mark.django_db
SITE = "https://annotate.example.org"


def run(project: str, *more: str) -> list[str]:
    out = StringIO()
    call_command("invite", "--project", project, "--site", SITE, *more, stdout=out)
    return out.getvalue().splitlines()


def test_links_are_printed_a_line_each() -> None:
    lines = run(make_project().name, "--number", "2", "--label", "lab", "--days", "0")
    assert [line.split("\t")[0] for line in lines] == ["lab-1", "lab-2"]
    codes = [line.partition(f"{SITE}/work/join/#")[2] for line in lines]
    assert {digest(code) for code in codes} == set(Invitation.objects.values_list("digest", flat=True))
    assert {(one.uses, one.expires_at) for one in Invitation.objects.all()} == {(1, None)}
    assert AuditEntry.objects.get().by == "manage.py invite"


def test_the_site_need_not_be_named_again(settings: Any) -> None:
    out = StringIO()
    project = make_project().name
    with pytest.raises(CommandError, match="--site is needed, since GROUNDCREW_SITE is not set"):
        call_command("invite", "--project", project, stdout=out)
    settings.SITE = SITE
    call_command("invite", "--project", project, stdout=out)
    assert f"\t{SITE}/work/join/#" in out.getvalue()


def test_a_passcode_comes_by_stdin_and_sign_up_can_be_open(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    monkeypatch.setattr("sys.stdin", StringIO("open sesame\n"))
    run(make_project().name, "--uses", "open", "--passcode")
    one = Invitation.objects.get()
    assert one.uses is None
    assert check_password("open sesame", one.passcode)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--uses", "many"), "--uses"),
        (("--uses", "0"), "--uses"),
        (("--number", "501"), "--number"),
        (("--days", "-1"), "--days"),
        (("--passcode",), "--passcode"),
    ],
)
def test_what_cannot_be_made_names_the_option(
    monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], says: str
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(""))
    with pytest.raises(CommandError, match=says):
        run(make_project().name, *more)
    assert not Invitation.objects.exists()


def test_an_unknown_project_is_named() -> None:
    with pytest.raises(CommandError, match="nowhere"):
        run("nowhere")
