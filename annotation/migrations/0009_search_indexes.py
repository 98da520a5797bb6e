"""Indexes of the search for images."""

from django.db import migrations, models

from annotation.models.corpus import Folded


class Migration(migrations.Migration):
    dependencies = (("annotation", "0008_question_decisions"),)

    operations = (
        migrations.AddIndex(
            model_name="chain",
            index=models.Index(fields=["work", "state"], name="chain_work_state"),
        ),
        migrations.AddIndex(
            model_name="chain",
            index=models.Index(
                condition=models.Q(("boxes_rejected__gt", 0)), fields=["work"], name="chain_rejected"
            ),
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(condition=models.Q(("settling", True)), fields=["work"], name="item_settling"),
        ),
        migrations.AddIndex(
            model_name="mention",
            index=models.Index(
                Folded("text"),
                models.F("image"),
                condition=models.Q(("superseded", False)),
                name="mention_phrase",
            ),
        ),
        migrations.AddIndex(
            model_name="mention",
            index=models.Index(
                condition=models.Q(("superseded", False)), fields=["head", "image"], name="mention_head"
            ),
        ),
        migrations.AddIndex(
            model_name="mention",
            index=models.Index(
                condition=models.Q(("superseded", False)), fields=["image", "types"], name="mention_types"
            ),
        ),
    )
