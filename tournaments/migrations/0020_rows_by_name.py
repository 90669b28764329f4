from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [('tournaments', '0019_event_lives_on_one_machine'), ('scoring', '0016_rows_by_name')]

    operations = [
        migrations.RenameModel("Stage", "StageRow"),
        migrations.AlterModelTable("StageRow", "tournaments_stage"),
        migrations.RenameModel("Entrant", "EntrantRow"),
        migrations.AlterModelTable("EntrantRow", "tournaments_entrant"),
        migrations.RenameModel("Pairing", "PairingRow"),
        migrations.AlterModelTable("PairingRow", "tournaments_pairing"),
    ]
