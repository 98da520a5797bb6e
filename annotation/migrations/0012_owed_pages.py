"""Pages that we pay ourselves. Nobody knows which of those submitted before there was a ledger were paid.

They are marked by NULL, and owed once a researcher says so: `manage.py earnings adopt`.
"""

from django.db import migrations, models

BEFORE = """
UPDATE annotation_assignment SET owed = NULL
WHERE state = 'submitted' AND reward > 0
    AND worker_id IN (SELECT id FROM annotation_worker WHERE provider NOT IN ('mturk', 'prolific'))
"""


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0011_unconfirmed_pages'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='owed',
            field=models.BooleanField(default=False, help_text='submitted by somebody we pay, and not in the ledger yet; null: before there was one', null=True),
        ),
        migrations.RunSQL(BEFORE, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('owed', True)), fields=['batch', 'id'], name='assignment_owed'),
        ),
    ]
