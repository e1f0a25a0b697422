"""Django's settings: a mapping of ``env.py`` and the fixed choices of this project."""

from datetime import timedelta
from typing import Any

from taskstatus.config.assets import centrifuge_files
from taskstatus.config.celery_settings import celery_settings
from taskstatus.config.databases import databases
from taskstatus.config.env import BASE_DIR, load_env
from taskstatus.config.logging import logging_config

ENV = load_env()

# Process
DEBUG = ENV.debug
VAR_DIR = ENV.var_dir
VAR_DIR.mkdir(parents=True, exist_ok=True)
LOGGING = logging_config(ENV)
ROOT_URLCONF = "taskstatus.config.urls"
WSGI_APPLICATION = "taskstatus.config.wsgi.application"

# Pages
LOGIN_URL = "/login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = LOGIN_URL

# Security
SECRET_KEY = ENV.secret_key
ALLOWED_HOSTS = list(ENV.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENV.csrf_trusted_origins)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = ENV.https_only
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = int(timedelta(days=365).total_seconds()) if ENV.https_only else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = ENV.https_only
# A container's health check speaks plain HTTP to its own process, and so does Centrifugo within the deployment.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^internal/v1/centrifugo/"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ENV.trust_proxy_headers else None
X_FRAME_OPTIONS = "DENY"

# Credentials of services, users and executions (protocol 2)
SERVICE_TOKEN_SECRET = ENV.service_token_secret
SERVICE_TOKEN_JWKS = ENV.service_token_jwks
SERVICE_TOKEN_ISSUER = ENV.service_token_issuer
CLIENT_CERTIFICATE_HEADER = ENV.client_certificate_header
USER_TOKEN_SECRET = ENV.user_token_secret
USER_TOKEN_JWKS = ENV.user_token_jwks
USER_TOKEN_ISSUER = ENV.user_token_issuer
EXECUTION_TOKEN_KEYS = ENV.execution_token_keys
EXECUTION_TOKEN_TTL = ENV.execution_token_ttl
EXECUTION_HANDLE_TTL = ENV.execution_handle_ttl

# Applications
INSTALLED_APPS = [
    "taskstatus.config.apps.ConfigConfig",
    "taskstatus",
    "registries",
    "outbox",
    "realtime",
    "whitenoise.runserver_nostatic",
    "taskstatus.config.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES: list[dict[str, Any]] = [
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
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Storage
DATABASES = databases(ENV)
# Comments on tables and columns are for those who read a server's schema; SQLite has no place for them.
SILENCED_SYSTEM_CHECKS = ["fields.W163", "models.W046"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = ENV.redis_url

# Words and time
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]

# Assets, all of them served by this process: no page needs an outside host.
STATIC_URL = "/static/"
STATICFILES_DIRS = [("taskstatus/sdk", BASE_DIR / "sdk" / "js" / "src"), *centrifuge_files(BASE_DIR)]
STATIC_ROOT = BASE_DIR / ENV.static_root if ENV.static_root else None
WHITENOISE_USE_FINDERS = STATIC_ROOT is None

# HTTP. The API judges sizes itself (1 MiB, or 8 MiB unpacked), so Django's limit lies above.
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024
APPEND_SLASH = False
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    "EXCEPTION_HANDLER": "taskstatus.api.errors.problem_handler",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Task status service",
    "VERSION": "1",
    "CAMELIZE_NAMES": True,
    "SORT_OPERATIONS": False,
    "SORT_OPERATION_PARAMETERS": False,
    "POSTPROCESSING_HOOKS": ["taskstatus.api.openapi.document.add_shared_parts"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Without a validator's address the page would ask a public one to read the document.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "displayRequestDuration": True, "validatorUrl": "none"},
}

# The service's own choices
OUTBOX_BATCH_SIZE = ENV.outbox_batch_size
OUTBOX_LEASE_SECONDS = ENV.outbox_lease_seconds
OUTBOX_PUBLISH_DEADLINE_SECONDS = ENV.outbox_publish_deadline_seconds
RATE_LIMIT_REPORTS = ENV.rate_limit_reports
RATE_LIMIT_REGISTRATIONS = ENV.rate_limit_registrations
RATE_LIMIT_HEARTBEATS = ENV.rate_limit_heartbeats
OUTBOX_ADMIN_REACH = "taskstatus.queries.outbox_reach.within_reach"
# The registries name nothing above them: they are told here who knows accounts, and who counts tasks.
REGISTRIES_TENANT_OF = "taskstatus.queries.session_users.tenant_of"
REGISTRIES_USES_OF = "taskstatus.queries.definition_uses.uses_of"
BUILTIN_PROFILE_OFF = ENV.builtin_profile_off
HEALTH_SCAN_SECONDS = ENV.health_scan_seconds
RETENTION_TASKS = ENV.retention_tasks
RETENTION_EVENTS = ENV.retention_events
RETENTION_DEDUP = ENV.retention_dedup
RETENTION_OUTBOX = ENV.retention_outbox
REALTIME_TRANSPORT = ENV.realtime_transport
# The outbox names nothing above it: it is told here who carries its messages.
OUTBOX_PUBLISHER = {
    "centrifugo": "realtime.centrifugo.CentrifugoPublisher",
    "sse": "realtime.native.NativePublisher",
}[REALTIME_TRANSPORT]
CENTRIFUGO_API_URL = ENV.centrifugo_api_url
CENTRIFUGO_API_KEY = ENV.centrifugo_api_key
CENTRIFUGO_PUBLIC_URL = ENV.centrifugo_public_url
CENTRIFUGO_TOKEN_SECRET = ENV.centrifugo_token_secret
CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET = ENV.centrifugo_subscription_token_secret
MAX_DETAIL_SUBSCRIPTIONS = ENV.max_detail_subscriptions
MAX_WATCHED_TASKS = ENV.max_watched_tasks
WATCH_SET_TTL = ENV.watch_set_ttl
MAX_STREAMS_PER_USER = ENV.max_streams_per_user

# Background work
globals().update(celery_settings(ENV))
