from secrets import token_hex

from django.db import migrations, models


def give_each_a_seed(apps, schema_editor):
    """Stages with duplicate dice from before have one of their own, too."""
    for stage in apps.get_model("tournaments", "Stage").objects.only("pk"):
        stage.dice_seed = token_hex(16)
        stage.save(update_fields=["dice_seed"])


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0007_arranging")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="dice_seed",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
        migrations.RunPython(give_each_a_seed, migrations.RunPython.noop),
    ]
