import clubs.models.ref
import django.db.models.constraints
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from clubs.create_models import CreateModels


ZERO_SUM = """
CREATE FUNCTION scoring_ledger_sums_to_zero() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of_game bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.game_id ELSE NEW.game_id END;
    off_points numeric;
    off_minor numeric;
BEGIN
    SELECT coalesce(sum(points), 0), coalesce(sum(minor), 0) INTO off_points, off_minor
    FROM scoring_ledger WHERE game_id = of_game;
    IF off_points <> 0 OR off_minor <> 0 THEN
        RAISE EXCEPTION 'the ledger of game % sums to % points and % minor units, not to zero',
            of_game, off_points, off_minor
            USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_sums_to_zero';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER ledger_sums_to_zero
    AFTER INSERT OR UPDATE OR DELETE ON scoring_ledger
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION scoring_ledger_sums_to_zero();
"""
NO_ZERO_SUM = """
DROP TRIGGER ledger_sums_to_zero ON scoring_ledger;
DROP FUNCTION scoring_ledger_sums_to_zero();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('clubs', '0001_initial'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Sheet',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('head_seq', models.PositiveIntegerField(default=0, editable=False)),
                    ('head_hash', models.CharField(blank=True, default='', editable=False, max_length=64)),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sheets', to='clubs.club')),
                    ('kind', models.CharField(choices=[('match', 'Match'), ('chouette', 'Chouette')], default='match', max_length=8)),
                    ('state', models.TextField(blank=True)),
                    ('profile', models.JSONField(blank=True, default=dict)),
                    ('opened_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('directed', models.BooleanField(default=False)),
                    ('opened_by_director', models.BooleanField(default=False)),
                    ('moved_at', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    'abstract': False,
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('head_hash', ''), ('head_seq', 0)), models.Q(('head_hash__regex', '^[0-9a-f]{64}$'), ('head_seq__gt', 0)), _connector='OR'), name='sheet_head_has_its_hash')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Claim',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='scoring.sheet')),
                    ('code_hash', models.CharField(max_length=64, unique=True)),
                    ('side', models.CharField(blank=True, choices=[('white', 'White'), ('black', 'Black'), ('', 'both sides')], max_length=5)),
                    ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ('expires_at', models.DateTimeField()),
                    ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('side__in', ['white', 'black', ''])), name='claim_side_known')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='SheetEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('seq', models.PositiveIntegerField()),
                    ('kind', models.CharField(max_length=24)),
                    ('body', models.JSONField(default=dict)),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                    ('hash', models.CharField(max_length=64)),
                    ('note', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.note')),
                    ('note_digest', models.CharField(blank=True, default='', max_length=64)),
                    ('sheet', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='scoring.sheet')),
                    ('client_key', models.CharField(max_length=64)),
                    ('replaces', models.PositiveIntegerField(blank=True, null=True)),
                    ('claim', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.claim')),
                    ('side', models.CharField(blank=True, default='', max_length=5)),
                    ('notation', models.CharField(blank=True, default='', max_length=100)),
                ],
                options={
                    'abstract': False,
                    'constraints': [models.CheckConstraint(condition=models.Q(('seq__gte', 1)), name='sheetevent_seq_from_one'), models.CheckConstraint(condition=models.Q(('hash__regex', '^[0-9a-f]{64}$')), name='sheetevent_hash_is_one'), models.UniqueConstraint(fields=('sheet', 'seq'), name='sheet_event_seq_once'), models.UniqueConstraint(fields=('sheet', 'client_key'), name='sheet_event_client_key_once'), models.CheckConstraint(condition=models.Q(('replaces', None), ('replaces__lt', models.F('seq')), _connector='OR'), name='sheet_event_replaces_an_earlier_one')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='ClockState',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('sheet', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='clock', to='scoring.sheet')),
                    ('white_ms', models.IntegerField()),
                    ('black_ms', models.IntegerField()),
                    ('delay_ms', models.PositiveIntegerField(default=0)),
                    ('running', models.CharField(blank=True, max_length=5)),
                    ('since', models.DateTimeField(blank=True, null=True)),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('running', ''), ('since', None)), models.Q(('running__in', ['white', 'black']), ('since__isnull', False)), _connector='OR'), name='clock_runs_since')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Match',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='clubs.club')),
                    ('sheet', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='match', to='scoring.sheet')),
                    ('length', models.PositiveSmallIntegerField(verbose_name='match length')),
                    ('played_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='played')),
                    ('status', models.CharField(choices=[('playing', 'being played'), ('unfinished', 'unfinished'), ('finished', 'finished'), ('void', 'void')], default='playing', max_length=10)),
                    ('digest', models.CharField(blank=True, max_length=64)),
                    ('friendly', models.BooleanField(default=False)),
                    ('in_chouette', models.BooleanField(default=False, editable=False)),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    'indexes': [models.Index(fields=['club', '-played_at', '-ref'], name='match_newest_in_club'), models.Index(fields=['club', 'digest'], name='match_by_digest'), models.Index(condition=models.Q(('in_chouette', False)), fields=['-played_at', '-ref'], name='match_newest')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('digest', ''), _negated=True), fields=('club', 'digest'), name='match_digest_once_per_club'), models.CheckConstraint(condition=models.Q(('status__in', ['playing', 'unfinished', 'finished', 'void'])), name='match_status_known')],
                },
            ),
            migrations.CreateModel(
                name='SideRow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sides', to='scoring.match')),
                    ('colour', models.CharField(choices=[('white', 'White'), ('black', 'Black')], max_length=5)),
                ],
                options={
                    'db_table': 'scoring_side',
                    'constraints': [models.UniqueConstraint(fields=('match', 'colour'), name='side_colour_once'), models.CheckConstraint(condition=models.Q(('colour__in', ['white', 'black'])), name='side_colour_known')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Seat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='scoring.match')),
                    ('side', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='scoring.siderow')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='clubs.player')),
                    ('order', models.PositiveSmallIntegerField(default=0)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('side', 'order'), name='seat_order_once'), models.UniqueConstraint(fields=('match', 'player'), name='seat_player_once_a_match')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Result',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='result', to='scoring.match')),
                    ('winner', models.CharField(blank=True, choices=[('white', 'White'), ('black', 'Black')], max_length=5)),
                    ('white_points', models.PositiveIntegerField()),
                    ('black_points', models.PositiveIntegerField()),
                    ('white_raw', models.PositiveIntegerField()),
                    ('black_raw', models.PositiveIntegerField()),
                    ('ended', models.CharField(blank=True, choices=[('played', 'played out'), ('time', 'on time'), ('retired', 'retired'), ('no_show', 'no-show'), ('double_no_show', 'neither came'), ('disqualified', 'disqualified'), ('penalty', 'by penalty'), ('void', 'void')], default='played', max_length=16)),
                    ('revision', models.PositiveIntegerField(default=1)),
                    ('final_at', models.DateTimeField(blank=True, null=True)),
                    ('final_by', models.CharField(blank=True, choices=[('confirmed', 'confirmed by the players'), ('director', 'confirmed by a director'), ('window', 'nobody objected in time')], max_length=10)),
                    ('objection_until', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('final_at', None)), fields=['match'], name='result_unconfirmed')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('winner__in', ['', 'white', 'black'])), name='result_winner_known')],
                },
            ),
            migrations.CreateModel(
                name='Confirmation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='confirmations', to='scoring.match')),
                    ('revision', models.PositiveIntegerField()),
                    ('side', models.CharField(blank=True, choices=[('white', 'White'), ('black', 'Black')], max_length=5)),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('claim', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.claim')),
                    ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('match', 'revision', 'side'), name='confirmation_once_a_side')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Objection',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='objections', to='scoring.match')),
                    ('revision', models.PositiveIntegerField()),
                    ('side', models.CharField(choices=[('white', 'White'), ('black', 'Black')], max_length=5)),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('claim', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='scoring.claim')),
                    ('note', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.note')),
                    ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('match', 'revision', 'side'), name='objection_once_a_side'), models.CheckConstraint(condition=models.Q(('side__in', ['white', 'black'])), name='objection_side_known')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='ObjectionWindow',
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
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='objection_windows', to='scoring.match')),
                    ('revision', models.PositiveIntegerField()),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='scoring_objectionwindow_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='scoring_objectionwindow_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='scoring_objectionwindow_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='scoring_objectionwindow_lease_while_running'), models.UniqueConstraint(fields=('match', 'revision'), name='objection_window_once_a_revision')],
                },
            ),
            migrations.CreateModel(
                name='ResultNotice',
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
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='scoring.match')),
                    ('revision', models.PositiveIntegerField()),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('way', models.CharField(choices=[('mail', 'Mail'), ('push', 'Push')], max_length=4)),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='scoring_resultnotice_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='scoring_resultnotice_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='scoring_resultnotice_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='scoring_resultnotice_lease_while_running'), models.UniqueConstraint(fields=('match', 'revision', 'user', 'way'), name='result_notice_once_a_revision')],
                },
            ),
            migrations.CreateModel(
                name='Chouette',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chouettes', to='clubs.club')),
                    ('sheet', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='chouette', to='scoring.sheet')),
                    ('title', models.CharField(max_length=80, verbose_name='title')),
                    ('currency', models.CharField(max_length=3, verbose_name='currency')),
                    ('stake', models.PositiveIntegerField(default=0, verbose_name='stake')),
                    ('code', models.CharField(blank=True, editable=False, max_length=10)),
                    ('points_only', models.BooleanField(default=False, verbose_name='points only')),
                    ('status', models.CharField(choices=[('open', 'open'), ('closed', 'closed')], default='open', max_length=6)),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                    ('opened_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ('closed_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('code', ''), _negated=True), fields=('code',), name='chouette_code_once'), models.CheckConstraint(condition=models.Q(('title', ''), _negated=True), name='chouette_has_a_title'), models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='chouette_currency_is_iso_4217'), models.CheckConstraint(condition=models.Q(('points_only', False), ('stake', 0), _connector='OR'), name='chouette_points_cost_nothing'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('status', 'open'), models.Q(('code', ''), _negated=True)), models.Q(('closed_at__isnull', False), ('code', ''), ('status', 'closed')), _connector='OR'), name='chouette_code_ends_with_the_night')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='ChouettePlayer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('chouette', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='players', to='scoring.chouette')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chouettes', to='clubs.player')),
                    ('claim', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chouette_player', to='scoring.claim')),
                    ('seated', models.BooleanField(default=False)),
                    ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('chouette', 'player'), name='chouette_player_sits_once')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='ChouetteGame',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('chouette', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='scoring.chouette')),
                    ('number', models.PositiveIntegerField(null=True)),
                    ('begun_seq', models.PositiveIntegerField()),
                    ('end_seq', models.PositiveIntegerField(null=True)),
                    ('finished_at', models.DateTimeField(null=True)),
                    ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='chouette_game', to='scoring.match')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('chouette', 'begun_seq'), name='chouette_game_begins_once'), models.UniqueConstraint(deferrable=django.db.models.constraints.Deferrable['DEFERRED'], fields=('chouette', 'number'), name='chouette_game_number_once'), models.CheckConstraint(condition=models.Q(models.Q(('end_seq', None), ('finished_at', None)), models.Q(('end_seq__gt', models.F('begun_seq')), ('finished_at__isnull', False), ('number__isnull', False)), _connector='OR'), name='chouette_game_ends_after_it_begins')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Ledger',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='scoring.chouettegame')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='scoring.chouetteplayer')),
                    ('points', models.BigIntegerField()),
                    ('minor', models.BigIntegerField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('game', 'player'), name='ledger_player_once_a_game')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='ChouetteMoment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='moment', to='scoring.sheetevent')),
                    ('board_seq', models.PositiveIntegerField()),
                ],
                options={
                    'indexes': [],
                    'constraints': [],
                },
            ),
            migrations.CreateModel(
                name='HouseRules',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='houses', to='clubs.club')),
                    ('name', models.SlugField(max_length=40, verbose_name='name')),
                    ('title', models.CharField(max_length=80, verbose_name='title')),
                    ('values', models.JSONField()),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                    ('retired_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='house_name_once_a_club')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Analysis',
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
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='analyses', to='scoring.match')),
                    ('head_seq', models.PositiveIntegerField()),
                    ('head_hash', models.CharField(max_length=64)),
                    ('preset', models.CharField(max_length=24)),
                    ('label', models.CharField(blank=True, max_length=80)),
                    ('requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('done_decisions', models.PositiveIntegerField(default=0)),
                    ('all_decisions', models.PositiveIntegerField(default=0)),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                    ('summary', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='scoring_analysis_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='scoring_analysis_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='scoring_analysis_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='scoring_analysis_lease_while_running'), models.UniqueConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done'])), fields=('match', 'head_hash', 'preset'), name='analysis_once_a_head_and_preset'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'done'), _negated=True), models.Q(('label', ''), _negated=True), _connector='OR'), name='analysis_done_has_a_label')],
                },
            ),
            migrations.CreateModel(
                name='DecisionRow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveIntegerField()),
                    ('event_seq', models.PositiveIntegerField()),
                    ('game', models.PositiveSmallIntegerField()),
                    ('ply', models.PositiveIntegerField()),
                    ('kind', models.CharField(choices=[('checker', 'checker'), ('double', 'double'), ('response', 'response')], max_length=8)),
                    ('colour', models.CharField(choices=[('white', 'White'), ('black', 'Black')], max_length=5)),
                    ('played', models.CharField(blank=True, max_length=80)),
                    ('candidates', models.JSONField(default=list)),
                    ('error', models.FloatField(blank=True, null=True)),
                    ('counted', models.BooleanField()),
                    ('luck', models.FloatField(blank=True, null=True)),
                    ('legal', models.BooleanField(default=True)),
                    ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='scoring.analysis')),
                ],
                options={
                    'db_table': 'scoring_decision',
                    'indexes': [models.Index(fields=['analysis', 'event_seq'], name='decision_of_event')],
                    'constraints': [models.UniqueConstraint(fields=('analysis', 'number'), name='decision_number_once'), models.CheckConstraint(condition=models.Q(('error', None), ('error__gte', 0), _connector='OR'), name='decision_error_not_negative')],
                },
            ),
            migrations.CreateModel(
                name='DecisionOwner',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('decision', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='owners', to='scoring.decisionrow')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='scoring.chouetteplayer')),
                    ('cubes', models.JSONField(default=list)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('decision', 'player'), name='decision_owner_once')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Source',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sources', to='scoring.match')),
                    ('filename', models.CharField(max_length=255)),
                    ('format', models.CharField(max_length=16)),
                    ('sha256', models.CharField(max_length=64)),
                    ('content', models.BinaryField(blank=True, null=True)),
                    ('flags', models.JSONField(blank=True, default=list)),
                    ('facts', models.JSONField(blank=True, default=list)),
                    ('comments', models.JSONField(blank=True, default=list)),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'indexes': [models.Index(fields=['sha256'], name='source_by_its_bytes')],
                    'constraints': [models.UniqueConstraint(fields=('match', 'sha256'), name='source_once_a_match')],
                },
            ),
            migrations.CreateModel(
                name='Upload',
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
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='clubs.club')),
                    ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='uploads', to=settings.AUTH_USER_MODEL)),
                    ('batch', models.CharField(db_index=True, max_length=10)),
                    ('filename', models.CharField(max_length=255)),
                    ('content', models.BinaryField(blank=True, null=True)),
                    ('sha256', models.CharField(max_length=64)),
                    ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='scoring.match')),
                    ('report', models.JSONField(blank=True, null=True)),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='scoring_upload_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='scoring_upload_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='scoring_upload_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='scoring_upload_lease_while_running')],
                },
            ),
            migrations.CreateModel(
                name='Alias',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='aliases', to='clubs.club')),
                    ('name', models.CharField(max_length=100, verbose_name='name in files')),
                    ('key', models.CharField(db_collation='C', max_length=400)),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='aliases', to='clubs.player')),
                    ('claimed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='claimed_aliases', to='clubs.player')),
                    ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('club', 'key'), name='alias_once_per_club')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='FileAnalysis',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('source', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='analysis', to='scoring.source')),
                    ('program', models.CharField(choices=[('xg', 'eXtreme Gammon, from the file'), ('gnubg', 'GNU Backgammon, from the file')], max_length=8)),
                    ('head_hash', models.CharField(max_length=64)),
                    ('left_out', models.PositiveIntegerField(default=0)),
                    ('summary', models.JSONField()),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('program__in', ['xg', 'gnubg'])), name='file_analysis_program_known')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='FileDecision',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveIntegerField()),
                    ('event_seq', models.PositiveIntegerField()),
                    ('game', models.PositiveSmallIntegerField()),
                    ('ply', models.PositiveIntegerField()),
                    ('kind', models.CharField(choices=[('checker', 'checker'), ('double', 'double'), ('response', 'response')], max_length=8)),
                    ('colour', models.CharField(choices=[('white', 'White'), ('black', 'Black')], max_length=5)),
                    ('played', models.CharField(blank=True, max_length=80)),
                    ('candidates', models.JSONField(default=list)),
                    ('error', models.FloatField(blank=True, null=True)),
                    ('counted', models.BooleanField()),
                    ('luck', models.FloatField(blank=True, null=True)),
                    ('legal', models.BooleanField(default=True)),
                    ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='scoring.fileanalysis')),
                    ('position', models.CharField(max_length=26)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('analysis', 'number'), name='file_decision_number_once'), models.CheckConstraint(condition=models.Q(('error', None), ('error__gte', 0), _connector='OR'), name='file_decision_error_not_negative')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='ClubProfile',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='profiles', to='clubs.club')),
                    ('name', models.SlugField(max_length=40, verbose_name='name')),
                    ('values', models.JSONField()),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                    ('retired_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='profile_name_once_a_club')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='RatingList',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rating_lists', to='clubs.club')),
                    ('name', models.CharField(blank=True, max_length=100, verbose_name='name')),
                    ('formula', models.CharField(default='fibs', max_length=40)),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='rating_list_name_once')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Rating',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='scoring.ratinglist')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ratings', to='clubs.player')),
                    ('value', models.FloatField(verbose_name='rating')),
                    ('experience', models.PositiveIntegerField(verbose_name='experience')),
                    ('matches', models.PositiveIntegerField()),
                    ('last_played_at', models.DateTimeField()),
                ],
                options={
                    'indexes': [models.Index(fields=['list', '-value', 'id'], name='rating_best_first')],
                    'constraints': [models.UniqueConstraint(fields=('list', 'player'), name='rating_once_a_list')],
                },
            ),
            migrations.CreateModel(
                name='RatingChange',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('list', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='changes', to='scoring.ratinglist')),
                    ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to='scoring.match')),
                    ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rating_changes', to='clubs.player')),
                    ('played_at', models.DateTimeField()),
                    ('match_ref', models.CharField(db_collation='C', max_length=10)),
                    ('opponent', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.player')),
                    ('won', models.BooleanField()),
                    ('length', models.PositiveSmallIntegerField()),
                    ('weight', models.FloatField()),
                    ('probability', models.FloatField()),
                    ('k', models.FloatField()),
                    ('before', models.FloatField()),
                    ('after', models.FloatField()),
                    ('opponent_before', models.FloatField()),
                    ('experience_before', models.PositiveIntegerField()),
                    ('experience_after', models.PositiveIntegerField()),
                    ('number', models.PositiveIntegerField()),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('won', True)), fields=['list', 'played_at', 'match_ref'], include=('match', 'player', 'opponent'), name='rating_change_in_order'), models.Index(fields=['player', 'list', '-played_at', '-match_ref'], name='rating_change_of_player')],
                    'constraints': [models.UniqueConstraint(fields=('match', 'player', 'list'), name='rating_change_once_a_match')],
                },
            ),
            migrations.CreateModel(
                name='RatingUpdate',
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
                    ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='updates', to='scoring.ratinglist')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='rating_updates', to='scoring.match')),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='scoring_ratingupdate_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='scoring_ratingupdate_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='scoring_ratingupdate_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='scoring_ratingupdate_lease_while_running')],
                },
            ),
        ]),
        migrations.RunSQL(ZERO_SUM, NO_ZERO_SUM),
    ]
