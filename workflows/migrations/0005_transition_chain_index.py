"""An index that the history of a chain reads: without it, it is a pass over all changes of state."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("workflows", "0004_audit_action"),)

    operations = (
        migrations.AddIndex(
            model_name="transition",
            index=models.Index(
                condition=models.Q(("chain__isnull", False)), fields=["chain", "id"], name="transition_chain"
            ),
        ),
    )
