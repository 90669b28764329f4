"""The engine that each analysis was asked of, and the engine of a club."""

import django.db.models.deletion
from django.db import migrations, models


def name_engine(apps, _editor):
    """Until now gammonview judged everything."""
    apps.get_model("scoring", "Analysis").objects.update(engine="gammonview")


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0003_plain_words"),
        ("scoring", "0006_counting"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="analysis", name="analysis_once_a_head_and_preset"),
        migrations.AddField(
            model_name="analysis",
            name="engine",
            field=models.CharField(blank=True, default="", max_length=24),
        ),
        migrations.RunPython(name_engine, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="analysis",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", ["queued", "running", "done"])),
                fields=("match", "head_hash", "engine", "preset"),
                name="analysis_once_a_head_and_engine",
            ),
        ),
        migrations.CreateModel(
            name="ClubEngine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("engine", models.CharField(max_length=24)),
                ("preset", models.CharField(max_length=24)),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="analysis_engine",
                        to="clubs.club",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("engine", ""), _negated=True),
                            models.Q(("preset", ""), _negated=True),
                        ),
                        name="club_engine_is_named",
                    )
                ],
            },
        ),
    ]
