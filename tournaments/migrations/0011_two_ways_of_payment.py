from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0010_satellites'),
    ]

    operations = [
        migrations.AddField(
            model_name='entrantrow',
            name='other_way',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='entrantrow',
            name='refunded_how',
            field=models.CharField(blank=True, choices=[('open', 'not paid'), ('cash', 'cash'), ('transfer', 'transfer'), ('free', 'free')], default='', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='entrantrow',
            constraint=models.CheckConstraint(condition=models.Q(('other_way', 0), ('payment__in', ('cash', 'transfer')), _connector='OR'), name='entrant_other_way_of_a_payment'),
        ),
    ]
