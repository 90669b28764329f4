import clubs.models.club
import clubs.models.note
import clubs.models.ref
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from clubs.create_models import CreateModels


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Backup',
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
                    ('into_folder', models.BooleanField(default=False)),
                    ('path', models.TextField(blank=True)),
                    ('size', models.PositiveBigIntegerField(blank=True, null=True)),
                    ('rows', models.PositiveBigIntegerField(blank=True, null=True)),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='clubs_backup_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='clubs_backup_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='clubs_backup_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='clubs_backup_lease_while_running')],
                },
            ),
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                    ('is_staff', models.BooleanField(default=False, verbose_name='may open the administration pages')),
                    ('is_active', models.BooleanField(default=True, verbose_name='may sign in')),
                    ('date_joined', models.DateTimeField(default=django.utils.timezone.now)),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('email',), name='user_email_once'), models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='user_email_lower')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Club',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('slug', models.SlugField(max_length=60, unique=True, verbose_name='address')),
                    ('name', models.CharField(max_length=100, verbose_name='name')),
                    ('tz', models.CharField(default='UTC', max_length=64, validators=[clubs.models.club.validate_time_zone], verbose_name='time zone')),
                    ('currency', models.CharField(default='EUR', max_length=3, verbose_name='currency')),
                    ('visibility', models.CharField(choices=[('public', 'Everyone can see the club and its results'), ('members', 'Only members can see that the club exists')], default='public', max_length=10, verbose_name='visibility')),
                    ('points_only', models.BooleanField(default=False, help_text='Chouettes are played for points: no stakes, and money is shown nowhere.', verbose_name='points only')),
                    ('lists_open_to', models.CharField(choices=[('members', 'Members only'), ('everyone', 'Everyone who sees the club')], default='members', help_text='Events, results and rating lists are as public as the club.', max_length=10, verbose_name='lists of people and unconfirmed matches')),
                    ('ranked_from', models.PositiveSmallIntegerField(default=5, help_text='A player with fewer rated matches is provisional: rated, but not ranked.', validators=[django.core.validators.MaxValueValidator(100)], verbose_name='rated matches before a rank')),
                    ('is_demo', models.BooleanField(default=False, editable=False)),
                    ('version', models.PositiveBigIntegerField(default=1, editable=False)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='club_has_a_name'), models.CheckConstraint(condition=models.Q(('currency__regex', '^[A-Z]{3}$')), name='club_currency_is_iso_4217'), models.CheckConstraint(condition=models.Q(('visibility__in', ['public', 'members'])), name='club_visibility_known'), models.CheckConstraint(condition=models.Q(('lists_open_to__in', ['members', 'everyone'])), name='club_openness_known'), models.CheckConstraint(condition=models.Q(('slug__regex', '^[a-z0-9-]+$'), models.Q(('slug__regex', '^[23456789abcdefghjkmnpqrstvwxyz]{10}$'), _negated=True), models.Q(('slug__in', ['join', 'new']), _negated=True)), name='club_slug_is_no_ref')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='DemoProgress',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='demo_progress', to='clubs.club')),
                    ('seed', models.BigIntegerField()),
                    ('day', models.DateField()),
                    ('members', models.PositiveIntegerField()),
                    ('matches', models.PositiveIntegerField()),
                    ('analysed', models.PositiveIntegerField()),
                    ('players', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                    ('done', models.PositiveIntegerField(default=0)),
                    ('total', models.PositiveIntegerField()),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('done__lte', models.F('total')), ('total__gt', 0)), name='demo_progress_has_an_end')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='IdempotencyKey',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('key', models.CharField(max_length=200)),
                    ('body_sha', models.CharField(help_text='SHA-256 of method, path and body, hexadecimal', max_length=64)),
                    ('status_code', models.PositiveSmallIntegerField(null=True)),
                    ('response', models.JSONField(null=True)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'indexes': [models.Index(fields=['created_at'], name='idempotency_by_age')],
                    'constraints': [models.UniqueConstraint(fields=('user', 'key'), name='idempotency_key_once'), models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='idempotency_key_not_empty')],
                },
            ),
            migrations.CreateModel(
                name='Player',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='player', to=settings.AUTH_USER_MODEL)),
                    ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_from', to='clubs.player')),
                    ('erased_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('merged_into', None), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='player_not_merged_into_itself'), models.CheckConstraint(condition=models.Q(('user', None), models.Q(('erased_at', None), ('merged_into', None)), _connector='OR'), name='player_with_login_is_current')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Membership',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='clubs.club')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='clubs.player')),
                    ('role', models.PositiveSmallIntegerField(choices=[(10, 'Guest'), (20, 'Member'), (30, 'Director'), (40, 'Owner')], default=20, verbose_name='role')),
                    ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ('title', models.PositiveSmallIntegerField(blank=True, choices=[(10, 'Master M3'), (20, 'Master M2'), (30, 'Master M1'), (40, 'Grandmaster G3'), (50, 'Grandmaster G2'), (60, 'Grandmaster G1'), (70, 'Super Grandmaster S3'), (80, 'Super Grandmaster S2'), (90, 'Super Grandmaster S1')], null=True, verbose_name='title')),
                    ('title_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('title_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('club', 'player'), name='membership_once_per_club'), models.CheckConstraint(condition=models.Q(('role__in', [10, 20, 30, 40])), name='membership_role_known'), models.CheckConstraint(condition=models.Q(('title', None), ('title__in', [10, 20, 30, 40, 50, 60, 70, 80, 90]), _connector='OR'), name='membership_title_known'), models.CheckConstraint(condition=models.Q(('title', None), ('title_at__isnull', False), _connector='OR'), name='membership_title_has_a_time')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Invitation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='clubs.club')),
                    ('email', models.EmailField(blank=True, max_length=254)),
                    ('guest', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
                    ('role', models.PositiveSmallIntegerField(choices=[(10, 'Guest'), (20, 'Member'), (30, 'Director'), (40, 'Owner')], default=20)),
                    ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('token_digest', models.CharField(max_length=64, unique=True)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                    ('expires_at', models.DateTimeField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('email', ''), _negated=True), fields=('club', 'email'), name='invitation_once_per_address'), models.UniqueConstraint(fields=('club', 'guest'), name='invitation_once_per_guest'), models.CheckConstraint(condition=models.Q(models.Q(('email', ''), _negated=True), ('guest__isnull', False), _connector='OR'), name='invitation_names_somebody'), models.CheckConstraint(condition=models.Q(('role__in', [10, 20, 30, 40])), name='invitation_role_known')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='OutgoingMail',
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
                    ('recipients', django.contrib.postgres.fields.ArrayField(base_field=models.EmailField(max_length=320), size=None)),
                    ('sender', models.CharField(max_length=320)),
                    ('subject', models.TextField()),
                    ('text', models.TextField()),
                    ('message', models.BinaryField()),
                    ('message_id', models.CharField(max_length=255, unique=True)),
                    ('delivery', models.CharField(blank=True, choices=[('smtp', 'Accepted by the mail server'), ('outbox', 'Kept here: no mail server is set')], max_length=6)),
                ],
                options={
                    'abstract': False,
                    'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['available_at'], name='clubs_outgoingmail_due'), models.Index(condition=models.Q(('status', 'running')), fields=['lease_until'], name='clubs_outgoingmail_lease')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='clubs_outgoingmail_status_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('lease_until', None)), _connector='OR'), name='clubs_outgoingmail_lease_while_running'), models.CheckConstraint(condition=models.Q(models.Q(('delivery__in', ['smtp', 'outbox']), ('status', 'done')), models.Q(models.Q(('status', 'done'), _negated=True), ('delivery', '')), _connector='OR'), name='mail_done_says_how')],
                },
            ),
            migrations.CreateModel(
                name='Person',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='person', to='clubs.player')),
                    ('name', models.CharField(max_length=100, verbose_name='name')),
                    ('sort_key', models.CharField(db_collation='C', editable=False, max_length=400)),
                    ('skeleton', models.CharField(db_collation='C', db_index=True, default='', editable=False, max_length=400)),
                ],
                options={
                    'indexes': [models.Index(fields=['sort_key', 'player'], name='person_by_name')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='person_has_a_name')],
                },
            ),
            migrations.CreateModel(
                name='Merge',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='merges', to='clubs.club')),
                    ('guest', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
                    ('into', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.player')),
                    ('name', models.CharField(max_length=100)),
                    ('moved', models.JSONField(default=dict)),
                    ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('guest',), name='merge_once_a_guest')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='Note',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('text', models.TextField(blank=True)),
                    ('salt', models.BinaryField(default=clubs.models.note.new_salt, max_length=16)),
                    ('erased_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('erased_at', None), models.Q(('salt', b''), ('text', '')), _connector='OR'), name='note_erased_is_empty')],
                    'indexes': [],
                },
            ),
            migrations.CreateModel(
                name='SetupToken',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('digest', models.CharField(max_length=64, unique=True)),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ],
                options={
                    'indexes': [],
                    'constraints': [],
                },
            ),
            migrations.CreateModel(
                name='ApiToken',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('ref', clubs.models.ref.RefField()),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
                    ('label', models.CharField(max_length=100, verbose_name='what it is for')),
                    ('prefix', models.CharField(max_length=12)),
                    ('digest', models.CharField(max_length=64, unique=True)),
                    ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'See what you can see'), ('record', 'Play your part: join and leave clubs, send in matches, keep scoresheets'), ('direct', 'Direct: bring in players, run events, enter results'), ('own', 'Own: found clubs, change their settings, give roles and invitations')], max_length=10), size=None, verbose_name='scopes')),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                    ('last_used_at', models.DateTimeField(blank=True, null=True)),
                    ('expires_at', models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('label', ''), _negated=True), name='api_token_has_a_label'), models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'record', 'direct', 'own']), ('scopes__len__gt', 0)), name='api_token_scopes_known')],
                    'indexes': [],
                },
            ),
        ]),
    ]
