from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0008_dice_seed")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="drawn_behind",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="stage",
            name="superseded",
            field=models.JSONField(default=list, editable=False),
        ),
    ]
