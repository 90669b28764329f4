from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0004_analysis_privacy")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="search_engines",
            field=models.BooleanField(
                default=True,
                help_text="Search engines can list the public pages of the club.",
                verbose_name="search engines",
            ),
        ),
    ]
