"""Every setting of a notesite, for every environment: production by default.

The environment is read here and nowhere else; .env.example lists the variables. With nothing
set, the site is safe to run on this machine's loopback address.
"""

from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP

from notesite.env import (
    env_bool,
    env_database,
    env_folder_url,
    env_origin,
    env_path,
    env_secret,
    env_text,
    host_header,
    is_loopback,
    origin_of,
)
from notesite.installation import noted_address, secret_of

BASE_DIR = Path(__file__).resolve().parent.parent
DEBUG = env_bool("DEBUG", default=False)

# The data folder holds all that is this installation's own: database, media, collected static
# files, secret. Reading the settings doesn't make it, so that `render` works without one.
DATA_DIR = env_path("NOTESITE_DATA", default=BASE_DIR / "data")

# The public address: the only source of absolute links and of the hosts that are answered.
ADDRESS = env_origin("NOTESITE_URL", default=noted_address(DATA_DIR) or "http://127.0.0.1:8000")
SITE_URL = ADDRESS.geturl()
IS_HTTPS = ADDRESS.scheme == "https"
HOST = str(ADDRESS.hostname)
IS_LOOPBACK = is_loopback(HOST)

if not IS_LOOPBACK and not IS_HTTPS:
    raise ImproperlyConfigured(
        f"NOTESITE_URL is {SITE_URL}: over plain http anybody on the way can read and change what "
        "is sent. Put a server with a certificate in front (deploy/ has an example) and set "
        f"NOTESITE_URL to https://{host_header(HOST)}."
    )
if not IS_LOOPBACK and DEBUG:
    raise ImproperlyConfigured(
        f"DEBUG is True while NOTESITE_URL is the public address {SITE_URL}: error pages would "
        "show settings and source. Unset DEBUG, or set NOTESITE_URL to http://127.0.0.1:8000."
    )

# This machine has several names, and one of them may be the address itself.
THIS_MACHINE = ["127.0.0.1", "localhost", "[::1]"] if IS_LOOPBACK else []
ALLOWED_HOSTS = list(dict.fromkeys([host_header(HOST), *THIS_MACHINE]))
CSRF_TRUSTED_ORIGINS = [SITE_URL]

DATABASE_URL = env_text("DATABASE_URL")
given_secret = env_secret("SECRET_KEY")
if DATABASE_URL and not given_secret:
    raise ImproperlyConfigured(
        "SECRET_KEY is not set while DATABASE_URL is: machines that share a database must share "
        "the secret. Set SECRET_KEY to the same 50 random characters on each of them."
    )
SECRET_KEY = given_secret or secret_of(DATA_DIR)

INSTALLED_APPS = [
    "notesite",  # before the admin: its templates win
    "notes",
    "series",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "django.contrib.humanize",
    "markdownx",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "notesite.middleware.refuse_strange_requests",
    "notesite.middleware.PublicGZipMiddleware",
    "notesite.middleware.ConditionalMiddleware",
    "notesite.middleware.say_who_may_store",
    "notesite.middleware.know_the_site",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
]

ROOT_URLCONF = "notesite.urls"
WSGI_APPLICATION = "notesite.wsgi.application"

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
                "notesite.context.site",
            ],
        },
    },
]

if DATABASE_URL:
    DATABASES = {"default": env_database("DATABASE_URL")}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": DATA_DIR / "notesite.sqlite3",
            # Writers queue up at BEGIN instead of failing in the middle; readers never wait.
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
                    "PRAGMA cache_size=-32000; PRAGMA mmap_size=134217728; "
                    "PRAGMA busy_timeout=20000;"
                ),
            },
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": f"{VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{VALIDATION}.NumericPasswordValidator"},
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
FORMAT_MODULE_PATH = ["notesite.formats"]
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_URL = env_folder_url("NOTESITE_MEDIA_URL", default="/media/", https=IS_HTTPS)
MEDIA_ROOT = DATA_DIR / "media"
CARDS_ROOT = DATA_DIR / "cards"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "notesite.static_files.JoiningStaticFilesStorage"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

MARKDOWNX_MEDIA_PATH = "figures/"

# Requests: a source has at most 5 MB, a whole request 12 MB.
LARGEST_REQUEST = 12 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = LARGEST_REQUEST
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # a path of a thousand steps is one form

# Cookies are for those who sign in; a reader never gets one.
SESSION_COOKIE_NAME = "__Host-session" if IS_HTTPS else "session"
SESSION_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_NAME = "__Host-csrf" if IS_HTTPS else "csrf"
CSRF_COOKIE_SECURE = IS_HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# Headers. headers.py puts what SecurityMiddleware sets, and more, on every other answer.
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/"]  # asked from inside, behind the server in front
SECURE_HSTS_SECONDS = 2 * 365 * 24 * 3600 if IS_HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP: dict[str, Any] = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, *origin_of(MEDIA_URL)],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "object-src": [CSP.NONE],
    "upgrade-insecure-requests": IS_HTTPS,
}
SILENCED_SYSTEM_CHECKS = [
    # The other names below the host's, and browsers' built-in lists, are the operator's to decide.
    "security.W005",
    "security.W021",
]
if IS_LOOPBACK and not IS_HTTPS:
    # Plain http never leaves this machine: no redirect, no HSTS, cookies without Secure.
    SILENCED_SYSTEM_CHECKS += [
        f"security.{code}" for code in ("W004", "W008", "W012", "W016", "W018")
    ]

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_tokens": {"()": "notesite.logs.WithoutTokens"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["no_tokens"],
        }
    },
    "loggers": {
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # A page that isn't there is no news; what the site did wrong is.
        "django.request": {"level": "ERROR"},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # Broken entries are reported to whoever brought them.
        "bibtexparser": {"level": "CRITICAL"},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
}
