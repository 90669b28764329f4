"""The rule of counting beside each stored summary, and the match equity table in each label.

What is stored was counted by another rule, or by none that is named: its ``counting`` stays empty until
``manage.py recount_decisions`` has counted it again. All engines so far came with the table Kazaross-XG2.
"""

from django.db import migrations, models
from django.db.models import Q, Value
from django.db.models.functions import Concat

import scoring.models.analysis

TABLE = " Kazaross-XG2"


def name_table(apps, _editor):
    analyses = apps.get_model("scoring", "Analysis").objects.filter(~Q(label=""))
    analyses.exclude(label__endswith=TABLE).update(label=Concat("label", Value(TABLE)))


def forget_table(apps, _editor):
    analyses = apps.get_model("scoring", "Analysis").objects.filter(label__endswith=TABLE)
    for label in analyses.order_by("label").values_list("label", flat=True).distinct():
        analyses.filter(label=label).update(label=label.removesuffix(TABLE))


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0005_levels"),
    ]

    operations = [
        migrations.AlterField(
            model_name="analysis",
            name="label",
            field=models.CharField(blank=True, max_length=120),
        ),
        migrations.RunPython(name_table, forget_table),
        migrations.AddField(
            model_name="analysis",
            name="counting",
            field=models.CharField(default="", editable=False, max_length=24),
        ),
        migrations.AddField(
            model_name="fileanalysis",
            name="counting",
            field=models.CharField(default="", editable=False, max_length=24),
        ),
        migrations.AlterField(
            model_name="analysis",
            name="counting",
            field=models.CharField(
                default=scoring.models.analysis.current_counting, editable=False, max_length=24
            ),
        ),
        migrations.AlterField(
            model_name="fileanalysis",
            name="counting",
            field=models.CharField(
                default=scoring.models.analysis.current_counting, editable=False, max_length=24
            ),
        ),
    ]
