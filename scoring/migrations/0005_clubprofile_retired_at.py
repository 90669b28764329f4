from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0004_friendly_matches"),
    ]

    operations = [
        migrations.AddField(
            model_name="clubprofile",
            name="retired_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
