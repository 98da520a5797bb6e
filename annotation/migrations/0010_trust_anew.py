
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_pair_scores'),
    ]

    operations = [
        migrations.AlterField(
            model_name='standing',
            name='counted_from',
            field=models.PositiveBigIntegerField(default=0, help_text='judgments up to this id are of a time before the worker began anew'),
        ),
    ]
