from django.db import migrations

# 0005 turned a text into the ref, which Django does without the field's check and under another name than
# that of a new table.
AS_IN_A_NEW_TABLE = """
DO $$ BEGIN
    IF EXISTS (
        SELECT FROM pg_constraint
        WHERE conrelid = 'tournaments_prize'::regclass AND conname = 'tournaments_prize_ref_0634b7e2_uniq'
    ) THEN
        ALTER TABLE tournaments_prize
            RENAME CONSTRAINT tournaments_prize_ref_0634b7e2_uniq TO tournaments_prize_ref_key;
        ALTER TABLE tournaments_prize
            ADD CONSTRAINT tournaments_prize_ref_check
            CHECK (ref ~ '^[23456789abcdefghjkmnpqrstvwxyz]{10}$');
    END IF;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [('tournaments', '0001_squashed_0017_came_in_file')]

    operations = [migrations.RunSQL(AS_IN_A_NEW_TABLE, migrations.RunSQL.noop)]
