"""Seats know what their match came to: a player's record is counted in an index."""

import django.db.models.deletion
from django.db import migrations, models

# What a seat has of its match while that is finished, else nothing.
TOLD = """
    UPDATE scoring_seat AS seat
    SET finished_length = told.length, finished_club_id = told.club_id, finished_open = told.is_open,
        finished_won = told.winner = side.colour
    FROM scoring_side AS side
    JOIN (
        SELECT played.id, CASE WHEN over THEN played.length END AS length,
            CASE WHEN over THEN played.club_id END AS club_id,
            CASE WHEN over THEN sheet.directed OR result.final_at IS NOT NULL END AS is_open,
            CASE WHEN over THEN NULLIF(result.winner, '') END AS winner
        FROM (SELECT *, status = 'finished' AS over FROM scoring_match {matches}) AS played
        JOIN scoring_sheet AS sheet ON sheet.id = played.sheet_id
        LEFT JOIN scoring_result AS result ON result.match_id = played.id
    ) AS told ON told.id = side.match_id
    WHERE seat.side_id = side.id
        AND (seat.finished_length, seat.finished_club_id, seat.finished_open, seat.finished_won)
            IS DISTINCT FROM (told.length, told.club_id, told.is_open, told.winner = side.colour)
"""
FOLLOW = f"""
CREATE FUNCTION scoring_tell_seats() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_match bigint;
BEGIN
    IF TG_TABLE_NAME = 'scoring_match' THEN
        of_match := NEW.id;
    ELSE
        of_match := NEW.match_id;
    END IF;
    {TOLD.format(matches="WHERE id = of_match")};
    RETURN NULL;
END
$$;
CREATE TRIGGER match_tells_seats AFTER UPDATE OF status, length, club_id ON scoring_match
    FOR EACH ROW
    WHEN ((OLD.status, OLD.length, OLD.club_id) IS DISTINCT FROM (NEW.status, NEW.length, NEW.club_id))
    EXECUTE FUNCTION scoring_tell_seats();
CREATE TRIGGER result_tells_seats AFTER INSERT OR UPDATE OF winner, final_at ON scoring_result
    FOR EACH ROW EXECUTE FUNCTION scoring_tell_seats();
CREATE TRIGGER seat_is_told AFTER INSERT ON scoring_seat
    FOR EACH ROW EXECUTE FUNCTION scoring_tell_seats();
"""
FORGET = """
DROP TRIGGER seat_is_told ON scoring_seat;
DROP TRIGGER result_tells_seats ON scoring_result;
DROP TRIGGER match_tells_seats ON scoring_match;
DROP FUNCTION scoring_tell_seats();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0004_analysis_privacy"),
        ("scoring", "0018_play_of_players"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="finished_length",
            field=models.PositiveSmallIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="finished_club",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="clubs.club",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="finished_open",
            field=models.BooleanField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="seat",
            name="finished_won",
            field=models.BooleanField(blank=True, editable=False, null=True),
        ),
        migrations.RunSQL(TOLD.format(matches=""), migrations.RunSQL.noop),
        # PostgreSQL alters no table whose foreign keys are still to be checked.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.RunSQL(FOLLOW, FORGET),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("finished_length__isnull", False)),
                fields=["player", "finished_length", "finished_club", "finished_open", "finished_won"],
                include=("match",),
                name="seat_record_of_player",
            ),
        ),
    ]
