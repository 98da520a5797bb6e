"""Let batches that were launched before keep the rules by which their images were asked."""

from __future__ import annotations

from typing import Any

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

DRAFT = "draft"
NO_LIMIT = 1000


def keep_rules(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """Write the earlier rules into the settings of each launched batch, where the rules have changed."""
    batches = apps.get_model("annotation", "Batch").objects.exclude(state=DRAFT)
    for batch in batches.iterator():
        batch.settings = with_earlier_rules(batch.settings)
        batch.save(update_fields=["settings"])


def with_earlier_rules(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings, with the earlier rule for each that they do not name."""
    return {
        "settle": "triangles",
        "requirement_adds_up": False,
        **settings,
        "limits": {"boxes": NO_LIMIT, **settings.get("limits", {})},
        "captions": {"rules": 1, **settings.get("captions", {})},
    }


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]
    operations = [migrations.RunPython(keep_rules, migrations.RunPython.noop)]
