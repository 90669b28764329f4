from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0014_prize_source")]

    operations = [
        migrations.AddField(
            model_name="pushcall",
            name="lapsed",
            field=models.BooleanField(default=False),
        ),
    ]
