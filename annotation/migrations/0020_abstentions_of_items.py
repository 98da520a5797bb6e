from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0019_cannot_tell"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="abstention",
            index=models.Index(
                condition=models.Q(("item__isnull", False)), fields=["item"], name="abstention_of_item"
            ),
        ),
    ]
