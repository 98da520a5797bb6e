"""The admin app of Django, with the console's own site."""

from __future__ import annotations

from django.contrib.admin.apps import SimpleAdminConfig


class AdministrationConfig(SimpleAdminConfig):
    """Its lists are found with the addresses (config.urls), so processes without pages do not load them."""

    default_site = "console.site.ConsoleSite"
