"""Who wrote, promoted, retired or voided a verification question is kept as a decision."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0007_cases_of_before")]

    operations = [
        migrations.AlterField(
            model_name="decision",
            name="kind",
            field=models.CharField(
                choices=[
                    ("chain", "Chain"),
                    ("regroup", "Regroup"),
                    ("set-aside", "Set Aside"),
                    ("reinstate", "Reinstate"),
                    ("reject", "Reject"),
                    ("restore", "Restore"),
                    ("block", "Block"),
                    ("unblock", "Unblock"),
                    ("close", "Close"),
                    ("write", "Write"),
                    ("promote", "Promote"),
                    ("retire", "Retire"),
                    ("void", "Void"),
                ],
                max_length=16,
            ),
        ),
    ]
