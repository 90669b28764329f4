"""Settings of a Midpoint site; those that differ are environment variables.

The variables, their defaults and meanings are listed in ``docs/operators/configuration.md``; a test compares
the two. All are read here, once; an invalid value stops the process with a message naming it.
"""

import contextlib
import os
import secrets
from pathlib import Path

import dj_database_url
from celery.schedules import crontab
from csp.constants import NONCE, NONE, SELF
from django.urls import reverse
from environs import validate
from whitenoise.compress import Compressor

from deploy import checkout, configuration, observability
from deploy.mail_server import read_mail_server
from scoring.engines.presets import ENGINE_NAMES, PRESET_NAMES

BASE_DIR = Path(__file__).resolve().parent.parent

env = configuration.Variables(eager=False)

VAR = env.path("MIDPOINT_VAR", default=BASE_DIR / "var")
DEBUG = env.bool("DEBUG", default=False)
HTTPS = env.bool("HTTPS", default=False)
TRUSTED_PROXIES: list[str] = env.list("TRUSTED_PROXIES", default=[], validate=configuration.networks)
REQUEST_SECONDS = env.float("REQUEST_SECONDS", default=20.0, validate=validate.Range(0.1, 3600))
CONNECTIONS_PER_ADDRESS = env.int(
    "CONNECTIONS_PER_ADDRESS", default=1000, validate=validate.Range(1, 100_000)
)
PUBLIC_URL = env.str("PUBLIC_URL", default="http://127.0.0.1:8000", validate=configuration.web_address)
VENUE_URLS: list[str] = env.list("VENUE_URLS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_FAILURE_VIEW = "clubs.shell.views.errors.csrf_failure"
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
DATABASE_URL = env.str(
    "DATABASE_URL",
    default="postgres://midpoint@127.0.0.1/midpoint",
    validate=configuration.address(*configuration.DATABASE_SCHEMES),
)
DATABASE_POOL = env.int("DATABASE_POOL", default=0, validate=validate.Range(0, configuration.LARGEST_POOL))
BROKER_URL = env.str(
    "BROKER_URL",
    default="redis://127.0.0.1:6379/0",
    validate=configuration.address(*configuration.BROKER_SCHEMES),
)
CACHE_URL = env.str("CACHE_URL", default="", validate=configuration.address(*configuration.CACHE_SCHEMES))
EMAIL_URL = env.str("EMAIL_URL", default="", validate=configuration.address(*configuration.EMAIL_SCHEMES))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Midpoint <midpoint@localhost>")
TIME_ZONE = env.str("TIME_ZONE", default="UTC", validate=configuration.time_zone)
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO", validate=validate.OneOf(configuration.LOG_LEVELS))
LOG_FORMAT = env.str("LOG_FORMAT", default="text", validate=validate.OneOf(observability.FORMATS))
SENTRY_DSN = env.str("SENTRY_DSN", default="")
ANALYSIS_ENGINE = env.str("ANALYSIS_ENGINE", default="", validate=validate.OneOf(("", *ENGINE_NAMES)))
ANALYSIS_PRESET = env.str("ANALYSIS_PRESET", default="fast", validate=validate.OneOf(PRESET_NAMES))
ANALYSIS_ESTIMATE = env.bool("ANALYSIS_ESTIMATE", default=True)
ANALYSIS_DEEP = env.bool("ANALYSIS_DEEP", default=True)
ANALYSIS_HELPERS = env.bool("ANALYSIS_HELPERS", default=True)
ANALYSIS_HELPER_SAMPLE = env.float("ANALYSIS_HELPER_SAMPLE", default=0.1, validate=validate.Range(0.0, 1.0))
ANALYSIS_HELPER_TOLERANCE = env.float(
    "ANALYSIS_HELPER_TOLERANCE", default=0.002, validate=validate.Range(0.0, 0.1)
)
POSITIONS_AT_ONCE = env.int("POSITIONS_AT_ONCE", default=3, validate=validate.Range(1, 1000))
POSITIONS_PER_DAY = env.int("POSITIONS_PER_DAY", default=200, validate=validate.Range(0, 1_000_000))
POSITIONS_WAITING = env.int("POSITIONS_WAITING", default=100, validate=validate.Range(1, 1_000_000))
BACKUP_FOLDER = env.str("BACKUP_FOLDER", default="", validate=configuration.folder)
BACKUP_KEEP = env.str("BACKUP_KEEP", default="7,4,6", validate=configuration.numbers_kept)


def _secret_key() -> str:
    """The secret key: from the environment, else created in ``var/secret_key``."""
    if key := os.environ.get("SECRET_KEY"):
        return key
    path, draft = VAR / "secret_key", VAR / f"secret_key.{os.getpid()}"
    if not path.exists():
        checkout.variable_directory()
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(64))
        # Another process may create one now: a link never replaces, and is never partial.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


configuration.seal(env)
LOGGING = observability.logging_configuration(LOG_LEVEL, LOG_FORMAT)
observability.report_errors(SENTRY_DSN)
SECRET_KEY = _secret_key()
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_health_checks=True)}
# The server plans a statement once a connection: a fifth of the time of a result's statements, or more.
DATABASES["default"].setdefault("OPTIONS", {}).update(server_side_binding=True, prepare_threshold=5)
MAIL_SERVER = read_mail_server(EMAIL_URL or "smtp://localhost")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_celery_beat",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "template_partials",
    "csp",
    "clubs",
    "scoring",
    "tournaments",
    "deploy",
]

MIDDLEWARE = [
    "clubs.http.compression.FilesWithoutPolicies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "clubs.http.compression.CompressAnswers",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "clubs.http.middleware.refuse_unusable_values",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournaments.events.views.moved_events.RefuseMovedEvents",
    "clubs.http.sent_once.AnswerFormsOnce",  # the last: it runs the page itself
]

ROOT_URLCONF = "deploy.urls"
ASGI_APPLICATION = "deploy.asgi.application"
WSGI_APPLICATION = "deploy.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "template_partials.templatetags.partials",
                "clubs.templatetags.formats",
                "scoring.templatetags.figures",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

if DATABASE_POOL:
    # The web process alone pools: under ASGI persistent connections per thread run out of connections.
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    pool = {"min_size": 1, "max_size": DATABASE_POOL, "timeout": 10}
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = pool

CACHES = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": CACHE_URL}
        if CACHE_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    )
}

# Mail is kept as rows in the caller's transaction; a worker hands it to the server of EMAIL_URL, if any.
EMAIL_BACKEND = "clubs.backends.OutgoingMailBackend"
EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
EMAIL_USE_TLS = MAIL_SERVER.protection == "starttls"
EMAIL_USE_SSL = MAIL_SERVER.protection == "tls"
EMAIL_TIMEOUT = 10  # seconds for each step of the conversation

FORM_RENDERER = "clubs.shell.renderer.FormRenderer"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "clubs.User"
# A page belongs to the highest app whose data it shows; clubs has only its member page.
ABSOLUTE_URL_OVERRIDES = {
    "clubs.club": lambda club: reverse("tournaments:club", args=[club.slug]),
    "clubs.player": lambda player: reverse("scoring:player", args=[player.ref]),
}
SESSION_ENGINE = "clubs.backends"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

# Sign-in: by emailed code, password or passkey. Wrong passwords and requested codes are limited per
# address and account together, so that nobody is locked out by others; allauth's other limits apply.
ACCOUNT_ADAPTER = "clubs.accounts.adapter.AccountAdapter"
ACCOUNT_RATE_LIMITS = {"request_login_code": "20/m/ip", "request_login_code_here": "3/m/key"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1"]
ACCOUNT_FORMS = {
    key: f"clubs.accounts.forms.signing_in.{form}"
    for key, form in {
        "login": "SignInForm",
        "signup": "SignUpForm",
        "request_login_code": "LoginCodeForm",
        "confirm_login_code": "SignInCodeForm",
        "confirm_password_reset_code": "ResetCodeForm",
        "confirm_email_verification_code": "AddressCodeForm",
        "reauthenticate": "ConfirmAccessForm",
        "add_email": "AddressForm",
        "change_password": "NewPasswordForm",
        "set_password": "FirstPasswordForm",
        "reset_password": "ForgottenPasswordForm",
        "reset_password_from_key": "ReplacedPasswordForm",
    }.items()
}
# Without a mail server an administrator passes the code on: three minutes are too short.
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = 15 * 60  # seconds, as for addresses
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
MFA_ADAPTER = "clubs.accounts.mfa_adapter.MFAAdapter"
MFA_SUPPORTED_TYPES = ["webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {"add_webauthn": "clubs.accounts.forms.signing_in.PasskeyForm"}
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS  # browsers themselves allow it on localhost alone

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["clubs.formats"]
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [("docs", BASE_DIR / "docs" / "images")]  # for the help, which shows the docs
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "deploy.static_files.ShortStaticFiles"},
}

# A developer's tools alone ask for source maps; packing them takes as long as all other files.
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site shows our files
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "map")

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # asked by machines beside us, over plain HTTP
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

# The API (docs/engineers/api.md). Rates are a person's over all tokens and sessions, a visitor's by address.
API_RATES = {"visitor": "120/min", "person": "1200/min", "helper": "120/min"}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["clubs.accounts.api.authentication.TokenOrSession"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["clubs.http.parsers.Json"],
    "DEFAULT_THROTTLE_CLASSES": ["clubs.http.rates.Rate"],
    "DEFAULT_SCHEMA_CLASS": "clubs.api.schema.Schema",
    "EXCEPTION_HANDLER": "clubs.http.problems.answer_problem",
    "NUM_PROXIES": 0,  # the web process has put the real address in its place (deploy.proxies)
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Midpoint API",
    "DESCRIPTION": (
        "Backgammon clubs and tournaments. Send a token as `Authorization: Bearer ...`; create one under [Me,"
        " API tokens](/me/tokens/). Every address ends with a slash. [Conventions](/help/engineers/api/)."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "ENFORCE_NON_BLANK_FIELDS": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "list", "tryItOutEnabled": True},
    "POSTPROCESSING_HOOKS": ["clubs.api.schema.closed_bodies"],
}

# Celery: measured to lose nothing but the reconciler's share (docs/decisions/0004-background-work.md).
CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT, CELERY_TASK_SOFT_TIME_LIMIT = 600, 540  # always below the visibility timeout
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
}
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "reconcile": {"task": "clubs.reconcile", "schedule": 15.0, "options": {"expires": 15.0}},
    "deadlines": {"task": "tournaments.deadlines", "schedule": crontab(minute=5)},
    "positions": {"task": "scoring.choose_positions", "schedule": crontab(minute=20)},
    "tidy": {"task": "clubs.tidy", "schedule": crontab(hour=3, minute=40)},
    # Every hour, for one that failed or was missed; clubs.work.backups knows when it is night.
    "nightly_backup": {"task": "deploy.nightly_backup", "schedule": crontab(minute=2)},
}
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
