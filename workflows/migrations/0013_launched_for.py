"""Where a batch was launched for, and how long each place may take: as what is out there already says."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def fill(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    publications = apps.get_model("workflows", "Publication").objects
    budgets = apps.get_model("workflows", "Budget").objects
    batches = apps.get_model("annotation", "Batch").objects
    ids = list(publications.order_by("batch").values_list("batch", flat=True).distinct())
    for batch in batches.filter(pk__in=ids):
        ours = publications.filter(batch=batch)
        budgets.filter(batch=batch).update(environment=ours.order_by("pk").values_list("environment")[:1])
        ours.update(work_seconds=max(3600, batch.settings.get("lease_seconds", 900)))


class Migration(migrations.Migration):
    dependencies = [
        ("workflows", "0012_earned_in"),
    ]

    operations = [
        migrations.AddField(
            model_name="budget",
            name="environment",
            field=models.CharField(
                blank=True,
                default="",
                help_text="of the platform that it was launched for; empty: none",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="publication",
            name="work_seconds",
            field=models.PositiveIntegerField(default=3600, help_text="from taking a place to submitting it"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
