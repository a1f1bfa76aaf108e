"""The same as wsgi.py for a server that speaks ASGI."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "notesite.settings")

django_application = get_asgi_application()

from django.conf import settings  # noqa: E402

from notesite.headers import AsyncSecurityHeaders  # noqa: E402
from notesite.media import AsyncMedia  # noqa: E402

application = AsyncSecurityHeaders(AsyncMedia(django_application, settings.MEDIA_ROOT))
