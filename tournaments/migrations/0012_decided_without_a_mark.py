from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0011_shares")]

    operations = [
        migrations.RemoveField(model_name="pairing", name="unlocked_seq"),
    ]
