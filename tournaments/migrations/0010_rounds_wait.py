from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0009_draws_taken_back")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="rounds_wait",
            field=models.BooleanField(default=False, verbose_name="rounds wait for the director"),
        ),
    ]
