from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0013_written_elsewhere")]

    operations = [
        migrations.AlterField(
            model_name="prize",
            name="source",
            field=models.CharField(max_length=120),
        ),
    ]
