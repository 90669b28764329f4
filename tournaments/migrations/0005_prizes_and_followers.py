from django.conf import settings
from django.db import migrations, models
import django.db.models.deletion
import django.utils.timezone

import clubs.models.ref
import clubs.refs
import tournaments.models.following


def name_prizes(apps, schema_editor):
    """Prizes that were written down before they could be named get a ref each."""
    prize = apps.get_model("tournaments", "Prize")
    for row in prize.objects.filter(ref=None).iterator():
        row.ref = clubs.refs.new_ref()
        row.save(update_fields=["ref"])


class Migration(migrations.Migration):

    dependencies = [
        ("clubs", "0003_demo_club"),
        ("tournaments", "0004_desk_log"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("prize", "ref", models.CharField(max_length=10, null=True)),
        migrations.RunPython(name_prizes, migrations.RunPython.noop),
        migrations.AlterField("prize", "ref", clubs.models.ref.RefField()),
        migrations.AddField("prize", "agreed", models.BooleanField(default=False)),
        migrations.AddField(
            "prize",
            "paid_how",
            models.CharField(
                blank=True,
                choices=[("cash", "cash"), ("transfer", "transfer"), ("kind", "in kind")],
                max_length=10,
            ),
        ),
        migrations.AddField(
            "prize",
            "paid_by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="CalendarKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=tournaments.models.following.new_key, max_length=32, unique=True
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calendar_key",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PushAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("endpoint", models.URLField(max_length=500, unique=True)),
                ("p256dh", models.CharField(max_length=120)),
                ("auth", models.CharField(max_length=40)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_addresses",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Follow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followers",
                        to="clubs.player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="follows",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "player"), name="follow_once")],
            },
        ),
    ]
