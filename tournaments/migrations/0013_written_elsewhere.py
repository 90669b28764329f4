import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("clubs", "0005_titles"), ("tournaments", "0012_decided_without_a_mark")]

    operations = [
        migrations.CreateModel(
            name="WrittenElsewhere",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("table", models.CharField(max_length=24)),
                ("row", models.BigIntegerField()),
                ("field", models.CharField(max_length=16)),
                ("ref", models.CharField(max_length=10)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="written_elsewhere",
                        to="tournaments.event",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="clubs.player"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("table", "row", "field"), name="one_author_elsewhere")
                ],
            },
        ),
    ]
