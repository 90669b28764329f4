from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scoring', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='result',
            name='ended',
            field=models.CharField(blank=True, choices=[('played', 'played out'), ('time', 'on time'), ('retired', 'retired'), ('no_show', 'no-show'), ('double_no_show', 'double no-show'), ('disqualified', 'disqualified'), ('penalty', 'by penalty'), ('void', 'void')], default='played', max_length=16),
        ),
    ]
