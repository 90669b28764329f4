from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0015_lapsed_calls")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="breaks",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="event",
            name="breaks_seq",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
    ]
