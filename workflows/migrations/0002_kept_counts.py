"""Call the counts that are kept for pages by one name: figures are also what a platform says about a worker."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial"), ("workflows", "0001_initial")]

    operations = [
        migrations.RemoveConstraint("Figures", "figures_project_kind"),
        migrations.RemoveConstraint("Figures", "figures_batch_kind"),
        migrations.RenameModel("Figures", "KeptCounts"),
        migrations.RenameModel("WorkerFigures", "WorkerCounts"),
        migrations.AlterModelOptions("KeptCounts", {"verbose_name_plural": "kept counts"}),
        migrations.AlterModelOptions("WorkerCounts", {"verbose_name_plural": "worker counts"}),
        *(
            migrations.RenameIndex("WorkerCounts", f"worker_counts_{what}", f"worker_figures_{what}")
            for what in ("judgments", "agreement", "speed", "last")
        ),
        migrations.AlterField(
            "KeptCounts",
            "batch",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="kept_counts",
                to="annotation.batch",
            ),
        ),
        migrations.AlterField(
            "KeptCounts",
            "project",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="kept_counts",
                to="annotation.project",
            ),
        ),
        migrations.AlterField(
            "WorkerCounts",
            "worker",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="counts", to="annotation.worker"
            ),
        ),
        migrations.AddConstraint(
            "KeptCounts",
            models.UniqueConstraint(
                condition=models.Q(("batch__isnull", True)),
                fields=("project", "kind"),
                name="kept_counts_project_kind",
            ),
        ),
        migrations.AddConstraint(
            "KeptCounts",
            models.UniqueConstraint(
                condition=models.Q(("batch__isnull", False)),
                fields=("batch", "kind"),
                name="kept_counts_batch_kind",
            ),
        ),
    ]
