"""Sums of play know their match and label, and can be of an analysis in a file."""

import django.db.models.deletion
from django.db import migrations, models

# The match of the side, and the label of the analysis: one statement, however many rows there are.
FILL = """
    UPDATE scoring_sideplay AS sums SET match_id = side.match_id, label = analysis.label
    FROM scoring_side AS side, scoring_analysis AS analysis
    WHERE side.id = sums.side_id AND analysis.id = sums.analysis_id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0014_share_links"),
    ]

    operations = [
        migrations.AddField(
            model_name="sideplay",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="scoring.match",
            ),
        ),
        migrations.AddField(
            model_name="sideplay",
            name="label",
            field=models.CharField(default="", max_length=120),
            preserve_default=False,
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        # PostgreSQL alters no table whose foreign keys are still to be checked.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.AlterField(
            model_name="sideplay",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="scoring.match",
            ),
        ),
        migrations.AlterField(
            model_name="sideplay",
            name="analysis",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="side_plays",
                to="scoring.analysis",
            ),
        ),
        migrations.AddField(
            model_name="sideplay",
            name="file_analysis",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="side_plays",
                to="scoring.fileanalysis",
            ),
        ),
        migrations.AddConstraint(
            model_name="sideplay",
            constraint=models.UniqueConstraint(
                fields=("file_analysis", "colour"), name="side_play_of_file_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="sideplay",
            constraint=models.CheckConstraint(
                condition=models.Q(("analysis", None), ("file_analysis", None), _connector="XOR"),
                name="side_play_of_one_analysis",
            ),
        ),
        migrations.AddIndex(
            model_name="sideplay",
            index=models.Index(fields=["match", "label"], name="side_play_of_match"),
        ),
    ]
