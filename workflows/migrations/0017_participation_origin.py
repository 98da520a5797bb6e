from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("workflows", "0016_payment_tried")]

    operations = [
        migrations.AddField(
            model_name="participation",
            name="origin",
            field=models.CharField(
                blank=True,
                default="",
                help_text="keyed hash of where it was opened from, while nobody confirms it",
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="participation",
            index=models.Index(
                condition=~Q(origin=""), fields=["origin", "opened_at"], name="participation_origin"
            ),
        ),
    ]
