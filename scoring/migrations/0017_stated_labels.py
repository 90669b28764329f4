"""An analysis in a file keeps its exact label: an OGXM file states one."""

from django.db import migrations, models

FILL = """
    UPDATE scoring_fileanalysis SET exact_label = program || ' file analysis Kazaross-XG2' WHERE exact_label = ''
"""


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0016_helpers"),
    ]

    operations = [
        migrations.AddField(
            model_name="fileanalysis",
            name="exact_label",
            field=models.CharField(default="", max_length=120),
            preserve_default=False,
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="fileanalysis", name="file_analysis_program_known"),
        migrations.AlterField(
            model_name="fileanalysis",
            name="program",
            field=models.CharField(
                choices=[
                    ("xg", "eXtreme Gammon"),
                    ("gnubg", "GNU Backgammon"),
                    ("stated", "as the file states"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="fileanalysis",
            constraint=models.CheckConstraint(
                condition=models.Q(program__in=["xg", "gnubg", "stated"]), name="file_analysis_program_known"
            ),
        ),
    ]
