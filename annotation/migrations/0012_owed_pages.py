"""Pages that we pay ourselves: those submitted before there was a ledger are owed, too."""

from django.db import migrations, models

OWED = """
UPDATE annotation_assignment SET owed = %s
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
            field=models.BooleanField(default=False, help_text='submitted by somebody we pay ourselves, and not in the ledger yet'),
        ),
        migrations.RunSQL([(OWED, [True])], migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('owed', True)), fields=['batch', 'id'], name='assignment_owed'),
        ),
    ]
