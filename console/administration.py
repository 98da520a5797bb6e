"""The administration as an app of Django's, with a site of ours."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    default_site = "console.site.ConsoleSite"
