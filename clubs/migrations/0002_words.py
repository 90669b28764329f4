import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='apitoken',
            name='scopes',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'Read: see what you can see'), ('record', 'Play: join and leave clubs, upload matches, keep scoresheets'), ('direct', 'Direct: add players, run events, enter results'), ('own', 'Administer: create clubs, change settings, roles and invitations')], max_length=10), size=None, verbose_name='scopes'),
        ),
    ]
