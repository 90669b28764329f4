from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("scoring", "0005_clubprofile_retired_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="sheet",
            name="directed",
            field=models.BooleanField(default=False),
        ),
    ]
