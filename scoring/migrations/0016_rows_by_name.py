from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [('scoring', '0015_sheets_of_moved_events')]

    operations = [
        migrations.RenameModel("Side", "SideRow"),
        migrations.AlterModelTable("SideRow", "scoring_side"),
        migrations.RenameModel("Decision", "DecisionRow"),
        migrations.AlterModelTable("DecisionRow", "scoring_decision"),
    ]
