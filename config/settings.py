"""All settings, read from the environment. docs/configuration.md lists the variables.

With no variable set, this is the embedded default: SQLite, with messages and images in folders under `var/`.
"""

from __future__ import annotations

import os
import socket
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.content_security import bucket_origins, console_policy, origins, pages_policy, site_policy
from config.crowd_accounts import mturk_account, prolific_account, site
from config.environment import (
    address,
    broker,
    choice,
    contact,
    database,
    flag,
    folder,
    kept_key,
    number,
    pairs,
    secret,
    secret_word,
    text,
    words,
)
from config.library_settings import REST_FRAMEWORK as REST_FRAMEWORK
from config.library_settings import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS
from config.library_settings import UNFOLD as UNFOLD
from config.monitoring.logs import log_settings
from config.processes.connections import KEEPALIVE, REDIS_OPTIONS
from config.processes.schedule import QUEUES, ROUTES, schedule
from config.proxies import prefix_of, proxies, strict_transport

BASE_DIR = Path(__file__).resolve().parent.parent

VAR = folder("GROUNDCREW_VAR", BASE_DIR / "var")

# Database ---------------------------------------------------------------------------------------------------
DATABASE = database("DATABASE", f"sqlite:///{quote(str(VAR / 'groundcrew.sqlite3'))}")
EMBEDDED = DATABASE["ENGINE"] == "django.db.backends.sqlite3"
EMBEDDED_OPTIONS: dict[str, Any] = {
    # A transaction that first reads and then writes fails at once if another wrote in between, whatever
    # the timeout. A transaction that begins as a writer waits for its turn.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # FULL: a commit returns when it is on the disk. NORMAL would lose the last ones when the power goes.
    # Recursive triggers: the rows that a REPLACE deletes are held by workflows/core/guards.py, too.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32000;"
    " PRAGMA recursive_triggers=ON",
}
if EMBEDDED:
    DATABASE["OPTIONS"] = EMBEDDED_OPTIONS
    # Tests use a file, since they have several connections and processes.
    DATABASE["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
else:
    SERVER_OPTIONS = DATABASE.setdefault("OPTIONS", {})
    # Fail soon when the database is away, or every thread would wait for minutes.
    SERVER_OPTIONS.setdefault("connect_timeout", 5)
    # If the database is lost in silence (a failover, a firewall that forgets), the kernel says so after some
    # twenty seconds: whether a statement was on its way (tcp_user_timeout), or its result is waited for.
    for _name, _value in KEEPALIVE.items():
        SERVER_OPTIONS.setdefault(_name, _value)
    # PostgreSQL takes a disk for a spinning one and then reads a whole table rather than a thousand of its
    # rows by an index. To compile a statement takes longer than to run any of ours.
    SERVER_OPTIONS.setdefault("options", "-c random_page_cost=1.1 -c jit=off")
DATABASES = {"default": DATABASE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Security ---------------------------------------------------------------------------------------------------
DEBUG = flag("GROUNDCREW_DEBUG")
# The embedded default makes its own key. Every other installation has to set one.
SECRET_KEY = secret("GROUNDCREW_SECRET_KEY", "" if EMBEDDED else None) or kept_key(VAR / "secret_key")
ALLOWED_HOSTS = words("GROUNDCREW_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = words("GROUNDCREW_ORIGINS")
GROUNDCREW_TOKEN_DAYS = number("GROUNDCREW_TOKEN_DAYS", 30, minimum=1)  # a worker's bearer token
# Behind TLS, everything is set that the deployment check asks for. The proxy has to set X-Forwarded-Proto.
BEHIND_TLS = flag("GROUNDCREW_TLS")
GROUNDCREW_PROXIES = proxies(tls=BEHIND_TLS)
SITE = site("GROUNDCREW_SITE")  # our address, which workers and platforms are given
# If it has a path, everything is below it, also if a proxy takes it away on the way to us.
PREFIX = prefix_of(SITE)
FORCE_SCRIPT_NAME = PREFIX or None
# Threads of each web server process that work on requests. config/asgi.py has others for probes and uploads.
WEB_THREADS = number("GROUNDCREW_WEB_THREADS", 4, minimum=1)
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    if SITE.startswith("https:"):
        SECURE_SSL_HOST = urlsplit(SITE).netloc  # with its port; without a site, the host that was called
    SECURE_HSTS_SECONDS, SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = strict_transport()
    # Other hosts of the domain may have no TLS. Who knows that they have says so: GROUNDCREW_HSTS.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{PREFIX}/"
if PREFIX:  # others at this host may have cookies for all of it, under Django's names
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = (
        f"{name}{PREFIX.replace('/', '-')}" for name in ("sessionid", "csrftoken")
    )
    MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SESSION_COOKIE_AGE = 86_400  # seconds without use: console/common/session_use.py
CSRF_FAILURE_VIEW = "config.server.plain_pages.forged"
X_FRAME_OPTIONS = "DENY"
LOGIN_REDIRECT_URL = "admin:index"  # when no page asked for the login
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    # The name of the site with a digit, as people choose it, is shorter.
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
]

# After too many failed logins, the same name has to wait at the same address, and after many more the address
# with any name. The counts are kept in the database, for all processes.
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AXES_FAILURE_LIMIT = number("GROUNDCREW_LOGIN_FAILURES", 5, minimum=1)
AXES_COOLOFF_TIME = timedelta(minutes=number("GROUNDCREW_LOGIN_MINUTES", 15, minimum=1))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address"]
AXES_HANDLER = "console.audit.lockout.LoginFailures"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # more tries do not make the wait longer
AXES_CLIENT_IP_CALLABLE = "console.audit.lockout.login_address"
AXES_USERNAME_CALLABLE = "console.audit.lockout.login_name"
AXES_LOCKOUT_CALLABLE = "console.audit.lockout.locked_out"
AXES_DISABLE_ACCESS_LOG = True  # the audit log has the logins
AXES_ENABLE_ADMIN = False  # console/admin/accounts.py has the one list that is useful
AXES_VERBOSE = False

# The researcher's contact, for projects that do not have their own.
GROUNDCREW_CONTACT = contact("GROUNDCREW_CONTACT")

# Limits on what comes from outside --------------------------------------------------------------------------
DATA_UPLOAD_MAX_MEMORY_SIZE = number("GROUNDCREW_MAX_BODY_BYTES", 1_000_000, minimum=1)
# Sessions an hour from one address of workers whom no platform has confirmed.
SESSIONS_PER_ADDRESS = number("GROUNDCREW_SESSIONS_PER_ADDRESS", 200, minimum=1)
# The size of an uploaded corpus, packed and unpacked. It is streamed, never held in memory.
MAX_UPLOAD_BYTES = number("GROUNDCREW_MAX_UPLOAD_BYTES", 5_000_000_000, minimum=1)
# Browsers send larger uploads in pieces of so many bytes. Many proxies take at most 100 MB, and wait for a
# minute, in which a line of 3 Mbit/s sends a piece.
PIECE_BYTES = number("GROUNDCREW_PIECE_BYTES", 20_000_000, minimum=1_000_000, maximum=100_000_000)
DATA_UPLOAD_MAX_NUMBER_FILES = 310  # the photographs of one upload (workflows/jobs/uploads.py) and some more
MAX_UNPACKED_BYTES = number("GROUNDCREW_MAX_UNPACKED_BYTES", 20_000_000_000, minimum=1)
# On the same disk as the uploads, so that files are moved and not copied.
FILE_UPLOAD_TEMP_DIR = VAR / "incoming"
FILE_UPLOAD_TEMP_DIR.mkdir(exist_ok=True)
# Folders that researchers may import from, besides uploads. There are none unless the operator names them.
IMPORT_FOLDERS = words("GROUNDCREW_IMPORT_FOLDERS")
IMPORT_BUCKETS = words("GROUNDCREW_IMPORT_BUCKETS")
# What finds mentions, by the language of captions: de=spacy:de_core_news_sm
CHUNKERS = pairs("GROUNDCREW_CHUNKERS")
MAX_PIXELS = number("GROUNDCREW_MAX_PIXELS", 50_000_000, minimum=1)
MAX_IMAGE_BYTES = number("GROUNDCREW_MAX_IMAGE_BYTES", 30_000_000, minimum=1)

# Applications -----------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "console.administration.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "axes",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "annotation",
    "workflows",
    "console",
    "simulation",
]
MIDDLEWARE = [
    "config.monitoring.healthz.HealthMiddleware",
    "config.monitoring.readyz.ReadinessMiddleware",
    "config.monitoring.metrics.MetricsMiddleware",
    "config.monitoring.requests.RequestMiddleware",
    "config.server.forwarded.ForwardedMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.server.body_limit.BodyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "console.common.session_use.SessionUseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "config.server.busy.BusyMiddleware",
]
ROOT_URLCONF = "config.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # These come before the apps' templates, since some extend django-unfold's.
        "DIRS": [BASE_DIR / "console" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
LANGUAGE_CODE = "en-gb"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.formats"  # dates and times as the console's own pages write them

SPECTACULAR_SETTINGS["SERVERS"][0]["url"] = f"{PREFIX}/"

# Files ------------------------------------------------------------------------------------------------------
MEDIA_URL = f"{PREFIX}/media/"
MEDIA_ROOT = VAR / "media"
STATIC_URL = f"{PREFIX}/static/"
WHITENOISE_USE_FINDERS = True  # files are served from the packages, so there is no collectstatic to forget
WHITENOISE_AUTOREFRESH = DEBUG
# The workers' pages, as Vite builds them. index.html is served at /work/; Vite's notes on the build are not.
PAGES_FOLDER = BASE_DIR / "frontend" / "dist"
# Whether browsers keep the workers' pages for a reload without a network. If not, they remove what they kept.
OFFLINE_PAGES = flag("GROUNDCREW_OFFLINE_PAGES", True)
STATICFILES_DIRS = [("pages", part) for part in (PAGES_FOLDER / "pages",) if part.is_dir()]
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/pages/[^/]+-[A-Za-z0-9_-]{7}\.[a-z0-9]+$"
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "annotation.file_sync.DurableStorage"},
    # The same place, for files that may be written twice at once: smaller copies of photographs, and
    # pieces of uploads. Readers see the whole file.
    "replacing": {"BACKEND": "annotation.file_sync.ReplacingStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
S3_BUCKET = text("GROUNDCREW_S3_BUCKET", "")
S3_REGION, S3_ENDPOINT = text("GROUNDCREW_S3_REGION", ""), address("GROUNDCREW_S3_ENDPOINT")
# Browsers may need another address than this server, which speaks to a container beside it, for example.
S3_PUBLIC_ENDPOINT = address("GROUNDCREW_S3_PUBLIC_ENDPOINT")
S3_LINK_MAX = 604_800  # seven days: no link that is signed with version 4 is valid for longer
IMAGES_ARE_LOCAL = not S3_BUCKET
if S3_BUCKET:
    if BEHIND_TLS and (S3_PUBLIC_ENDPOINT or S3_ENDPOINT).startswith("http:"):
        raise ImproperlyConfigured(
            "On pages with TLS, browsers load no images from http://. Set GROUNDCREW_S3_PUBLIC_ENDPOINT to "
            "the https address at which they reach the bucket's server."
        )
    STORAGES["default"] = {
        "BACKEND": "annotation.bucket.BucketStorage",
        "OPTIONS": {
            "bucket_name": S3_BUCKET,
            "location": text("GROUNDCREW_S3_PREFIX", ""),
            "region_name": S3_REGION or None,
            "endpoint_url": S3_ENDPOINT or None,
            "public_endpoint_url": S3_PUBLIC_ENDPOINT,
            # Presigned links last longer than any lease. Credentials come from boto3's usual places.
            "querystring_auth": True,
            "querystring_expire": number(
                "GROUNDCREW_S3_LINK_SECONDS", 86_400, minimum=1, maximum=S3_LINK_MAX
            ),
            "file_overwrite": False,
            "max_memory_size": 10_000_000,  # bytes; a larger file is kept on disk while it is read
            "default_acl": None,
        },
    }
    STORAGES["replacing"] = {
        "BACKEND": STORAGES["default"]["BACKEND"],
        "OPTIONS": {**STORAGES["default"]["OPTIONS"], "file_overwrite": True},
    }

# What browsers may do ---------------------------------------------------------------------------------------
IMAGE_ORIGINS = origins("GROUNDCREW_IMAGE_ORIGINS") or (
    bucket_origins(S3_BUCKET, S3_REGION, S3_PUBLIC_ENDPOINT or S3_ENDPOINT) if S3_BUCKET else []
)
CONTENT_SECURITY_POLICY = {"DIRECTIVES": site_policy(IMAGE_ORIGINS)}
CONSOLE_POLICY = console_policy()
# Crowd platforms: the accounts. docs/crowd.md ---------------------------------------------------------------
LIVE_MONEY = flag("GROUNDCREW_LIVE_MONEY")  # without it, nothing is published where money is real
MTURK, PROLIFIC = mturk_account(), prolific_account()
# Some platforms show the workers' pages in a frame and receive reports. No other site can frame them.
_FRAMING = [*MTURK.submit_origins] if MTURK else []
_ANCESTORS = origins("GROUNDCREW_FRAME_ANCESTORS", ",".join(_FRAMING) or "none")
PAGES_POLICY = pages_policy(_ANCESTORS, _FRAMING)

# Background work --------------------------------------------------------------------------------------------
REDIS_URL = broker("REDIS_URL")
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT = "config.processes.broker:RedisTransport"
    # After so long, a message that a killed worker held is delivered again. No task runs as long as this.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
        "visibility_timeout": 6 * 3600,
        **REDIS_OPTIONS,
    }
else:
    CELERY_BROKER_URL = "filesystem://localhost"  # the name has no meaning, but kombu warns without one
    CELERY_BROKER_TRANSPORT = "config.processes.broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(VAR / "broker" / "messages"),
        "data_folder_out": str(VAR / "broker" / "messages"),
        "control_folder": str(VAR / "broker" / "control"),
        "polling_interval": 0.1,
    }
CELERY_WORKER_POOL = "config.processes.worker_pool:TaskPool"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker waits for a broker that is away, however long. By default, it gives up after a hundred tries.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# It also connects again if Redis refuses a command, for example since its memory is full or it only reads.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
# Messages only save time. A request tries a second connection, since the first may be stale, then goes on.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0}
# Under load, each run reads the pages of some fifty milliseconds together, at half the cost of each page.
CELERY_TASK_ANNOTATIONS = {"workflows.tasks.advance": {"rate_limit": "20/s"}}
CELERY_TASK_ACKS_LATE = True  # every task may run twice
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A task uses the connection of the task before it (config.celery). Celery closes it after so many tasks.
CELERY_DB_REUSE_MAX = 1000
CELERY_WORKER_PREFETCH_MULTIPLIER = number("GROUNDCREW_PREFETCH", 1)
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
# Control messages of other workers would pile up as files that nobody reads.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
JOBS_AT_ONCE = number("GROUNDCREW_JOBS_AT_ONCE", 1, minimum=1)  # imports and exports
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR / "beat")
CELERY_BEAT_SCHEDULER = "config.processes.beat:Scheduler"
SWEEP_SECONDS = number("GROUNDCREW_SWEEP_SECONDS", 15, minimum=1)
_PLATFORMS = [name for name, account in (("mturk", MTURK), ("prolific", PROLIFIC)) if account]
CELERY_BEAT_SCHEDULE = schedule(SWEEP_SECONDS, _PLATFORMS, carried=["link"])
CELERY_TASK_QUEUES, CELERY_TASK_ROUTES = QUEUES, ROUTES

# Metrics ----------------------------------------------------------------------------------------------------
METRICS_TOKEN = secret_word("GROUNDCREW_METRICS_TOKEN")  # without it, there are no metrics
METRICS_FOLDER = VAR / "metrics"
if METRICS_TOKEN:
    # Process ids are unique only on one machine or in one container. prometheus_client reads this once.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_FOLDER / socket.gethostname())
    (METRICS_FOLDER / socket.gethostname()).mkdir(parents=True, exist_ok=True)

# Logs -------------------------------------------------------------------------------------------------------
LOG_FORMAT = choice("GROUNDCREW_LOG_FORMAT", "text", ("text", "json"))
ACCESS_LOG = flag("GROUNDCREW_ACCESS_LOG", LOG_FORMAT == "json")  # one line for each request
LOG_LEVEL = choice("GROUNDCREW_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))
LOGGING = log_settings(LOG_FORMAT, LOG_LEVEL)
