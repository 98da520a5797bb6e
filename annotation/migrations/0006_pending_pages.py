"""An index on the sets of pages that are not judged yet: the sweep and the end of a batch look for them."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_questions_short")]

    operations = [
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                fields=["batch", "worker", "stage"], condition=Q(verdict="pending"), name="assignment_pending"
            ),
        ),
    ]
