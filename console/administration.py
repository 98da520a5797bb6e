"""The admin app of Django, with the console's own site."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "console.site.ConsoleSite"
