from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workflows", "0015_earned")]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="tried_at",
            field=models.DateTimeField(help_text="when it could not be made last", null=True),
        ),
    ]
