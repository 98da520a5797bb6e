"""An index that the preview of setting a worker's boxes aside reads: without it, it is a pass over all items."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("annotation", "0009_search_indexes"),)

    operations = (
        migrations.AddIndex(
            model_name="item",
            index=models.Index(
                condition=models.Q(("box__isnull", False)), fields=["box"], name="item_box"
            ),
        ),
    )
