from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0010_rounds_wait")]

    operations = [
        migrations.AddField(
            model_name="flight",
            name="shares",
            field=models.JSONField(default=dict),
        ),
    ]
