from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0008_chouette_boards'),
    ]

    operations = [
        migrations.AddField(
            model_name='source',
            name='flags',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
