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
            model_name="image",
            index=models.Index(fields=["project", "id"], name="image_project_id"),
        ),
        migrations.AddIndex(
            model_name="mention",
            index=models.Index(
                Folded("text"), models.F("image"), models.F("superseded"), name="mention_phrase"
            ),
        ),
        migrations.AddIndex(
            model_name="mention",
            index=models.Index(fields=["head", "image", "superseded"], name="mention_head"),
        ),
        migrations.AddIndex(
            model_name="mention",
            index=models.Index(fields=["image", "types", "superseded"], name="mention_types"),
        ),
    )
