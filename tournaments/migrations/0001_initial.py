import clubs.models.ref
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import tournaments.models.event
import tournaments.models.following
from django.conf import settings
from django.db import migrations, models

from clubs.create_models import CreateModels


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('clubs', '0001_initial'),
        ('scoring', '0001_initial'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Event',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='clubs.club')),
                    ('name', models.CharField(max_length=120, verbose_name='name')),
                    ('starts_at', models.DateTimeField(verbose_name='starts')),
                    ('zone', models.CharField(blank=True, max_length=64, verbose_name='time zone')),
                    ('breaks', models.JSONField(default=list)),
                    ('breaks_seq', models.PositiveIntegerField(default=0, editable=False)),
                    ('profile', models.JSONField(default=tournaments.models.event.standard_profile)),
                    ('rated', models.BooleanField(default=True, verbose_name='rated')),
                    ('entries_from', models.DateTimeField(blank=True, null=True, verbose_name='entries open')),
                    ('entries_until', models.DateTimeField(blank=True, null=True, verbose_name='entries close')),
                    ('hidden', models.BooleanField(default=False, verbose_name='hidden')),
                    ('members_only', models.BooleanField(default=False, verbose_name='for members only')),
                    ('door', models.CharField(blank=True, editable=False, max_length=10)),
                    ('status', models.CharField(choices=[('announced', 'announced'), ('running', 'running'), ('finished', 'finished'), ('cancelled', 'cancelled')], default='announced', max_length=10)),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                    ('desk_seq', models.PositiveIntegerField(default=0, editable=False)),
                    ('desk_hash', models.CharField(blank=True, editable=False, max_length=64)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ('moved_at', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('moved_to', models.CharField(blank=True, default='', editable=False, max_length=60)),
                ],
                options={
                    'indexes': [models.Index(fields=['club', '-starts_at', '-ref'], name='event_newest_in_club')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='event_has_a_name'), models.CheckConstraint(condition=models.Q(('status__in', ['announced', 'running', 'finished', 'cancelled'])), name='event_status_known'), models.CheckConstraint(condition=models.Q(('entries_from', None), ('entries_until', None), ('entries_until__gt', models.F('entries_from')), _connector='OR'), name='event_entries_close_after_they_open'), models.CheckConstraint(condition=models.Q(models.Q(('moved_at', None), ('moved_to', '')), models.Q(('moved_at__isnull', False), models.Q(('moved_to', ''), _negated=True)), _connector='OR'), name='event_moved_to_a_place')],
                },
            ),
            migrations.CreateModel(
                name='Flight',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='flights', to='tournaments.event')),
                    ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                    ('position', models.PositiveSmallIntegerField(default=0)),
                    ('capacity', models.PositiveIntegerField(blank=True, null=True, verbose_name='places')),
                    ('registration_fee', models.PositiveIntegerField(default=0, verbose_name='registration fee')),
                    ('entry_fee', models.PositiveIntegerField(default=0, verbose_name='entry fee')),
                    ('returned', models.PositiveSmallIntegerField(default=100, verbose_name='returned')),
                    ('added', models.PositiveIntegerField(default=0, verbose_name='added money')),
                    ('percentages', models.JSONField(default=list)),
                    ('shares', models.JSONField(default=dict)),
                    ('team_size', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='players an entrant')),
                    ('eligibility', models.JSONField(default=dict)),
                    ('pools', models.JSONField(default=list)),
                    ('starts_when_full', models.BooleanField(default=False, verbose_name='starts when full')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('event', 'position'), name='flight_position_once'), models.CheckConstraint(condition=models.Q(('returned__lte', 100)), name='flight_returns_at_most_all'), models.CheckConstraint(condition=models.Q(('capacity', None), ('capacity__gte', 2), _connector='OR'), name='flight_has_two_places'), models.CheckConstraint(condition=models.Q(('starts_when_full', False), ('capacity__isnull', False), _connector='OR'), name='flight_that_fills_has_places'), models.CheckConstraint(condition=models.Q(('team_size', None), ('team_size__range', (1, 20)), _connector='OR'), name='flight_team_size_known')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='EntrantRow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('flight', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entrants', to='tournaments.flight')),
                    ('name', models.CharField(blank=True, max_length=60, verbose_name='team name')),
                    ('state', models.CharField(choices=[('invited', 'waiting for the partner'), ('registered', 'registered'), ('waiting', 'on the waiting list'), ('present', 'checked in'), ('withdrawn', 'withdrawn')], default='registered', max_length=10)),
                    ('payment', models.CharField(choices=[('open', 'not paid'), ('cash', 'cash'), ('transfer', 'transfer'), ('free', 'free')], default='open', max_length=10)),
                    ('rating', models.FloatField(blank=True, null=True, verbose_name='rating')),
                    ('pools', models.JSONField(default=list)),
                    ('refunded_at', models.DateTimeField(blank=True, null=True)),
                    ('registered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'db_table': 'tournaments_entrant',
                    'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['invited', 'registered', 'waiting', 'present', 'withdrawn'])), name='entrant_state_known'), models.CheckConstraint(condition=models.Q(('payment__in', ['open', 'cash', 'transfer', 'free'])), name='entrant_payment_known')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='EntrantMember',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='members', to='tournaments.entrantrow')),
                    ('flight', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='members', to='tournaments.flight')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='clubs.player')),
                    ('position', models.PositiveSmallIntegerField(default=0)),
                    ('active', models.BooleanField(default=True)),
                    ('accepted', models.BooleanField(default=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('entrant', 'position'), name='entrant_member_position_once'), models.UniqueConstraint(condition=models.Q(('active', True)), fields=('flight', 'player'), name='player_once_a_flight')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='StageRow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('flight', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='stages', to='tournaments.flight')),
                    ('name', models.CharField(max_length=60, verbose_name='name')),
                    ('position', models.PositiveSmallIntegerField(default=0)),
                    ('format', models.CharField(max_length=24, verbose_name='format')),
                    ('options', models.JSONField(default=dict)),
                    ('length', models.PositiveSmallIntegerField(default=7, verbose_name='match length')),
                    ('lengths', models.JSONField(default=list)),
                    ('starts', models.JSONField(default=dict)),
                    ('feeds', models.JSONField(default=list)),
                    ('fed', models.JSONField(default=dict)),
                    ('declined', models.JSONField(default=list)),
                    ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                    ('boards', models.PositiveSmallIntegerField(default=1, verbose_name='boards of a tie')),
                    ('duplicate_dice', models.BooleanField(default=False, verbose_name='duplicate dice')),
                    ('dice_seed', models.CharField(blank=True, default='', editable=False, max_length=64)),
                    ('seed', models.CharField(max_length=64)),
                    ('seed_hash', models.CharField(max_length=64)),
                    ('algorithm', models.PositiveSmallIntegerField(default=1)),
                    ('field', models.JSONField(default=list)),
                    ('order', models.JSONField(default=list)),
                    ('status', models.CharField(choices=[('planned', 'planned'), ('running', 'running'), ('finished', 'finished'), ('skipped', 'not needed')], default='planned', max_length=10)),
                    ('rounds_wait', models.BooleanField(default=False, verbose_name='rounds wait for the director')),
                    ('superseded', models.JSONField(default=list, editable=False)),
                    ('drawn_behind', models.PositiveIntegerField(default=0, editable=False)),
                    ('head_seq', models.PositiveIntegerField(default=0)),
                    ('head_hash', models.CharField(blank=True, max_length=64)),
                    ('drawn_at', models.DateTimeField(blank=True, null=True)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    'db_table': 'tournaments_stage',
                    'constraints': [models.UniqueConstraint(fields=('flight', 'position'), name='stage_position_once'), models.CheckConstraint(condition=models.Q(('status__in', ['planned', 'running', 'finished', 'skipped'])), name='stage_status_known'), models.CheckConstraint(condition=models.Q(('length__gte', 1)), name='stage_has_a_length'), models.CheckConstraint(condition=models.Q(('boards__gte', 1)), name='stage_has_a_board')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='StageEntrant',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='numbers', to='tournaments.stagerow')),
                    ('number', models.PositiveIntegerField()),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='numbers', to='tournaments.entrantrow')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('stage', 'number'), name='stage_number_once'), models.UniqueConstraint(fields=('stage', 'entrant'), name='entrant_once_a_stage')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='StageEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='log', to='tournaments.stagerow')),
                    ('seq', models.PositiveIntegerField()),
                    ('body', models.JSONField()),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                    ('hash', models.CharField(max_length=64)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('stage', 'seq'), name='stage_event_seq_once')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='PairingRow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('stage', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pairings', to='tournaments.stagerow')),
                    ('number', models.PositiveIntegerField()),
                    ('round', models.PositiveIntegerField()),
                    ('a', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entrantrow')),
                    ('b', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entrantrow')),
                    ('state', models.CharField(choices=[('open', 'to be played'), ('decided', 'decided'), ('bye', 'bye'), ('replaced', 'replaced')], default='open', max_length=10)),
                    ('winner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entrantrow')),
                    ('ended', models.CharField(blank=True, max_length=16)),
                    ('reasons', models.JSONField(default=list)),
                    ('length', models.PositiveSmallIntegerField()),
                    ('table', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='table')),
                    ('called_at', models.DateTimeField(blank=True, null=True)),
                    ('started_at', models.DateTimeField(blank=True, null=True)),
                    ('featured', models.BooleanField(default=False)),
                    ('desk_seq', models.PositiveIntegerField(default=0)),
                    ('deadline', models.DateField(blank=True, null=True)),
                    ('proposed_at', models.DateTimeField(blank=True, null=True)),
                    ('proposed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='tournaments.entrantrow')),
                    ('agreed_at', models.DateTimeField(blank=True, null=True)),
                    ('reminded_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'db_table': 'tournaments_pairing',
                    'indexes': [models.Index(fields=['stage', 'round', 'number'], name='pairing_in_order'), models.Index(condition=models.Q(('deadline__isnull', False), ('state', 'open')), fields=['deadline'], name='pairing_due')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'replaced'), _negated=True), fields=('stage', 'number'), name='pairing_number_once'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'decided', 'bye', 'replaced'])), name='pairing_state_known'), models.CheckConstraint(condition=models.Q(('b', None), models.Q(('a', models.F('b')), _negated=True), _connector='OR'), name='pairing_of_two_different_entrants')],
                },
            ),
            migrations.CreateModel(
                name='Board',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='boards', to='tournaments.pairingrow')),
                    ('number', models.PositiveSmallIntegerField(default=1)),
                    ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='board', to='scoring.match')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('pairing', 'number'), name='board_number_once')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Prize',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('flight', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prizes', to='tournaments.flight')),
                    ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prizes', to='tournaments.entrantrow')),
                    ('source', models.CharField(max_length=120)),
                    ('amount', models.PositiveBigIntegerField()),
                    ('agreed', models.BooleanField(default=False)),
                    ('approved_at', models.DateTimeField(default=django.utils.timezone.now)),
                    ('paid_at', models.DateTimeField(blank=True, null=True)),
                    ('paid_how', models.CharField(blank=True, choices=[('cash', 'cash'), ('transfer', 'transfer'), ('kind', 'in kind')], max_length=10)),
                    ('paid_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('flight', 'entrant', 'source'), name='prize_once_a_source')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='PushCall',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                    ('attempt', models.PositiveIntegerField(default=0)),
                    ('attempts_forgiven', models.PositiveIntegerField(default=0)),
                    ('queued_at', models.DateTimeField(default=django.utils.timezone.now)),
                    ('available_at', models.DateTimeField(default=django.utils.timezone.now)),
                    ('woken_at', models.DateTimeField(blank=True, null=True)),
                    ('lease_until', models.DateTimeField(blank=True, null=True)),
                    ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ('error', models.TextField(blank=True)),
                    ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.pairingrow')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('called_at', models.DateTimeField()),
                    ('lapsed', models.BooleanField(default=False)),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='tournaments_pushcall_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='tournaments_pushcall_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='tournaments_pushcall_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='tournaments_pushcall_lease_while_running'), models.UniqueConstraint(fields=('pairing', 'user', 'called_at'), name='push_call_once')],
                },
            ),
            migrations.CreateModel(
                name='DeskEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='desk_log', to='tournaments.event')),
                    ('seq', models.PositiveIntegerField()),
                    ('kind', models.CharField(max_length=24)),
                    ('body', models.JSONField(default=dict)),
                    ('undoes', models.PositiveIntegerField(blank=True, null=True)),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('note', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.note')),
                    ('note_digest', models.CharField(blank=True, default='', max_length=64)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                    ('hash', models.CharField(max_length=64)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('event', 'seq'), name='desk_event_seq_once'), models.UniqueConstraint(fields=('event', 'undoes'), name='desk_event_undone_once'), models.CheckConstraint(condition=models.Q(('undoes', None), ('undoes__lt', models.F('seq')), _connector='OR'), name='desk_event_undoes_an_earlier_one')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='EventTable',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tables', to='tournaments.event')),
                    ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                    ('name', models.CharField(blank=True, max_length=40, verbose_name='name')),
                    ('featured', models.BooleanField(default=False)),
                    ('closed', models.BooleanField(default=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('event', 'number'), name='event_table_number_once'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='event_table_number_from_one')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Follow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='clubs.player')),
                    ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('user', 'player'), name='follow_once')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='CalendarKey',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='calendar_key', to=settings.AUTH_USER_MODEL)),
                    ('key', models.CharField(default=tournaments.models.following.new_key, max_length=32, unique=True)),
                ],
                options={
                    'indexes': [],
                    'constraints': [],
                },
            ),
            migrations.CreateModel(
                name='PushAddress',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='push_addresses', to=settings.AUTH_USER_MODEL)),
                    ('endpoint', models.URLField(max_length=500, unique=True)),
                    ('p256dh', models.CharField(max_length=120)),
                    ('auth', models.CharField(max_length=40)),
                    ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'indexes': [],
                    'constraints': [],
                },
            ),
        ]),
    ]
