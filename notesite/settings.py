"""Every setting of a notesite, for every environment: production by default.

The environment is read here and nowhere else; .env.example lists the variables. With nothing
set, the site is safe to run on this machine's loopback address.
"""

from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from notesite.env import (
    env_bool,
    env_folder_url,
    env_origin,
    env_path,
    env_secret,
    env_text,
    is_loopback,
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
IS_LOOPBACK = is_loopback(ADDRESS)

if not IS_LOOPBACK and not IS_HTTPS:
    raise ImproperlyConfigured(
        f"NOTESITE_URL is {SITE_URL}: over plain http anybody on the way can read and change what "
        "is sent. Put a server with a certificate in front (deploy/ has an example) and set "
        f"NOTESITE_URL to https://{ADDRESS.hostname}."
    )
if not IS_LOOPBACK and DEBUG:
    raise ImproperlyConfigured(
        f"DEBUG is True while NOTESITE_URL is the public address {SITE_URL}: error pages would "
        "show settings and source. Unset DEBUG, or set NOTESITE_URL to http://127.0.0.1:8000."
    )

ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"] if IS_LOOPBACK else [str(ADDRESS.hostname)]
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
            ],
        },
    },
]

if DATABASE_URL:
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60)}
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
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

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_URL = env_folder_url("NOTESITE_MEDIA_URL", default="/media/")
MEDIA_ROOT = DATA_DIR / "media"
