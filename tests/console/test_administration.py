from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.admin import sites
from django.core import checks

from annotation.models import Batch


class MisspeltList(admin.ModelAdmin):  # type: ignore[type-arg]  # has no arguments when it runs
    list_display = ("nmae",)


def test_lists_are_checked_although_nothing_has_loaded_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process that has loaded no addresses, Django's own check would look at nothing."""
    loaded: set[admin.AdminSite] = set()

    def load() -> None:
        admin.AdminSite("made up").register(Batch, MisspeltList)

    monkeypatch.setattr(sites, "all_sites", loaded)
    monkeypatch.setattr(admin, "autodiscover", load)
    assert [found.id for found in checks.run_checks(tags=[checks.Tags.admin])] == ["admin.E108"]
