from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project
from tests.factories import make_project

pytestmark = pytest.mark.django_db


def contact(*arguments: str, project: str = "flowers") -> str:
    out = StringIO()
    call_command("contact", *arguments, project=project, stdout=out)
    return out.getvalue().strip()


def test_a_contact_is_set_shown_and_taken_away(settings: Any) -> None:
    settings.GROUNDCREW_CONTACT = ""
    make_project("flowers")
    assert contact().startswith("none:")
    assert contact("ada@example.org") == contact() == "ada@example.org"
    settings.GROUNDCREW_CONTACT = "https://lab.example.org/"
    assert contact() == "ada@example.org"
    assert contact("") == "https://lab.example.org/"
    assert Project.objects.get().contact == ""


def test_what_is_no_address_is_refused() -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match=r"contact: must be an e-mail address"):
        contact("call me")
    assert Project.objects.get().contact == ""


def test_an_unknown_project_is_named() -> None:
    with pytest.raises(CommandError, match="'weeds'"):
        contact("ada@example.org", project="weeds")
