"""The admin app of Django, with the console's own site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.contrib import admin
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.core import checks


class AdministrationConfig(SimpleAdminConfig):
    """Its lists are found with the addresses (config.urls), so processes without pages do not load them."""

    default_site = "console.site.ConsoleSite"

    def ready(self) -> None:
        """Register Django's checks of the administration, as Django does, but load the lists before."""
        checks.register(check_dependencies, checks.Tags.admin)
        checks.register(check_lists, checks.Tags.admin)


def check_lists(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Load the lists and check them: checks run in any order, so the addresses may not be loaded yet."""
    admin.autodiscover()
    return list(check_admin_app(app_configs, **kwargs))
