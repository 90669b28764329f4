"""Sums of play know their player and when the match was played: a player's newest are found in an index."""

import django.db.models.deletion
from django.db import migrations, models

# One statement for each column, however many rows there are.
WHEN = """
    UPDATE scoring_sideplay AS sums SET played_at = played.played_at
    FROM scoring_match AS played WHERE played.id = sums.match_id
"""
WHOSE = """
    UPDATE scoring_sideplay AS sums SET player_id = seat.player_id
    FROM (
        SELECT side_id, max(player_id) AS player_id FROM scoring_seat GROUP BY side_id HAVING count(*) = 1
    ) AS seat
    WHERE seat.side_id = sums.side_id
"""


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0004_analysis_privacy"),
        ("scoring", "0017_stated_labels"),
    ]

    operations = [
        migrations.AddField(
            model_name="sideplay",
            name="player",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="clubs.player",
            ),
        ),
        migrations.AddField(
            model_name="sideplay",
            name="played_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunSQL(WHEN, migrations.RunSQL.noop),
        migrations.RunSQL(WHOSE, migrations.RunSQL.noop),
        # PostgreSQL alters no table whose foreign keys are still to be checked.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.AlterField(
            model_name="sideplay",
            name="played_at",
            field=models.DateTimeField(),
        ),
        migrations.AddIndex(
            model_name="sideplay",
            index=models.Index(
                fields=["player", "label", "-played_at", "-id"], name="side_play_of_player"
            ),
        ),
    ]
