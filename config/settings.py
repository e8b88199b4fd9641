"""Settings, driven by the environment; `.env.example` documents every variable."""

from __future__ import annotations

import re
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import environment as env
from config.database import database_settings

BASE_DIR = Path(__file__).resolve().parent.parent
env.load_env_file(BASE_DIR / ".env")

VAR_DIR = BASE_DIR / env.text("AFFECTBENCH_VAR_DIR", "var")
SHARED_DATA_DIR = BASE_DIR / env.text("AFFECTBENCH_SHARED_DATA", "../shared/data")


def _version() -> str:
    """The newest release named in the changelog, its only home."""
    changelog = (BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8")
    match = re.search(r"^## (\d+\.\d+\.\d+)", changelog, re.MULTILINE)
    return match.group(1) if match else "0.0.0"


VERSION = _version()

DEBUG = env.boolean("DJANGO_DEBUG", False)
# What `make run` made serves the commands of manage.py as well.
_KEY_FILE = VAR_DIR / "secret_key"
SECRET_KEY = env.text("DJANGO_SECRET_KEY") or (
    _KEY_FILE.read_text(encoding="utf-8").strip() if _KEY_FILE.is_file() else ""
)
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "DJANGO_SECRET_KEY is not set: `make run` makes one, or set it in the environment."
    )
ALLOWED_HOSTS = env.words("DJANGO_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("DJANGO_CSRF_TRUSTED_ORIGINS")
SITE_URL = env.text("AFFECTBENCH_SITE_URL", "http://localhost:8000")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "import_export",
    "axes",
    "csp",
    "surveys",
    "benchmark",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {
    "default": database_settings(
        env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'affectbench.sqlite3'}"), BASE_DIR
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL")
CACHES = {
    "default": (
        {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    )
}

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 1  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
# Participants' requests must leave no address behind; only log-in attempts are watched.
AXES_DISABLE_ACCESS_LOG = True
LOGIN_URL = "admin:login"

# Only participants' pages speak other languages, each its study's; no middleware chooses one.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Served from the apps as they are, until a deployment has collected the hashed copies.
HAS_COLLECTED_STATIC = env.boolean("AFFECTBENCH_COLLECTED_STATIC", False)
WHITENOISE_USE_FINDERS = not HAS_COLLECTED_STATIC
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "whitenoise.storage.CompressedManifestStaticFilesStorage"
            if HAS_COLLECTED_STATIC
            else "django.contrib.staticfiles.storage.StaticFilesStorage"
        )
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
IS_BEHIND_TLS = env.boolean("AFFECTBENCH_TLS", False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = IS_BEHIND_TLS
SECURE_HSTS_SECONDS = 31_536_000 if IS_BEHIND_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = IS_BEHIND_TLS
if env.boolean("AFFECTBENCH_BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

REST_FRAMEWORK = {
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAdminUser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 100,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "AffectBench",
    "DESCRIPTION": "One affect protocol for people and language models.",
    "VERSION": VERSION,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    # Several models have a field of this name; each kind of state gets its own.
    "ENUM_NAME_OVERRIDES": {
        "SituationState": "surveys.models.Situation.State",
        "StudyState": "surveys.models.Study.State",
        "RunState": "benchmark.models.Run.State",
        "TrialState": "benchmark.models.Trial.State",
    },
}

# Celery only wakes workers; the database holds the state of every trial. Without Redis the broker
# is a folder, which needs no service and works between the processes of one machine.
# With a host, which it has no use for: the client warns of an address without one.
FOLDER_BROKER = "filesystem://localhost"
CELERY_BROKER_URL = env.text("CELERY_BROKER_URL", REDIS_URL or FOLDER_BROKER)
CELERY_BROKER_FOLDER = VAR_DIR / "broker"
if CELERY_BROKER_URL == FOLDER_BROKER:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(CELERY_BROKER_FOLDER / "queue"),
        "data_folder_out": str(CELERY_BROKER_FOLDER / "queue"),
        "control_folder": str(CELERY_BROKER_FOLDER / "control"),
        "polling_interval": 0.05,
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_ALWAYS_EAGER = False

# A participant who is silent this long frees their situations for others.
PARTICIPATION_TIMEOUT_MINUTES = env.integer("AFFECTBENCH_PARTICIPATION_TIMEOUT_MINUTES", 60)

# Prolific. Its token is no setting: PROLIFIC_API_TOKEN is read when it is used.
PROLIFIC_API_URL = env.text("PROLIFIC_API_URL", "https://api.prolific.com").rstrip("/")
PROLIFIC_TIMEOUT_SECONDS = env.integer("PROLIFIC_TIMEOUT_SECONDS", 20)
PROLIFIC_PATIENCE_SECONDS = env.integer("PROLIFIC_PATIENCE_SECONDS", 60)
PROLIFIC_WORKSPACE_ID = env.text("PROLIFIC_WORKSPACE_ID")
PROLIFIC_PROJECT_ID = env.text("PROLIFIC_PROJECT_ID")
PROLIFIC_MAXIMUM_TIME = env.numbers("PROLIFIC_MAXIMUM_TIME", "2,1,2")
PROLIFIC_AUTO_APPROVAL_DAYS = env.integer("PROLIFIC_AUTO_APPROVAL_DAYS", 21)
PROLIFIC_SIGNED_LINKS = env.boolean("PROLIFIC_SIGNED_LINKS", False)
PROLIFIC_LAUNCH_PARAMETER = env.text("PROLIFIC_LAUNCH_PARAMETER", "prolific_token")
PROLIFIC_LAUNCH_AUDIENCE = env.words("PROLIFIC_LAUNCH_AUDIENCE")
PROLIFIC_WEBHOOK_SECRET = env.text("PROLIFIC_WEBHOOK_SECRET")
PROLIFIC_WEBHOOK_TOLERANCE_SECONDS = env.integer("PROLIFIC_WEBHOOK_TOLERANCE_SECONDS", 300)
PROLIFIC_SYNC_MINUTES = env.integer("PROLIFIC_SYNC_MINUTES", 10)
CELERY_BEAT_SCHEDULE = {
    "read Prolific's submissions": {
        "task": "surveys.tasks.sync_prolific_task",
        "schedule": PROLIFIC_SYNC_MINUTES * 60.0,
    },
    "delete Prolific's ids whose time is over": {
        "task": "surveys.tasks.purge_identities_task",
        "schedule": 6 * 60 * 60.0,
    },
}

# Where participants take their completion code.
PROLIFIC_COMPLETION_URL = env.text(
    "PROLIFIC_COMPLETION_URL", "https://app.prolific.com/submissions/complete"
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "()": "config.logs.PrivateFormatter",
            "format": "{asctime} {levelname} {name} {message}",
            "style": "{",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env.text("AFFECTBENCH_LOG_LEVEL", "INFO")},
    "loggers": {
        # Without handlers of their own: Django would mail whole requests to ADMINS, ids included.
        "django": {"level": "INFO"},
        "django.server": {"level": "INFO", "propagate": True},
        # The clients log whole requests at debug level, authorisation header included.
        "axes": {"level": "WARNING"},
        "openai": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
    },
}
