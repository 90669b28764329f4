from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='flight',
            name='team_size',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='players per team'),
        ),
    ]
