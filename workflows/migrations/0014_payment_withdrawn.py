from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workflows", "0013_launched_for")]

    operations = [
        migrations.AlterField(
            model_name="payment",
            name="state",
            field=models.CharField(
                choices=[
                    ("due", "Due"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("waiting", "Waiting"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="due",
                max_length=9,
            ),
        ),
    ]
