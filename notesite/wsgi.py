"""The application that gunicorn serves: Django inside the media layer inside the headers.

The layers stand around Django so that files cost no middleware, and so that no answer of
anybody's leaves without the security headers.
"""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "notesite.settings")

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402

from notesite.headers import SecurityHeaders  # noqa: E402
from notesite.media import Media  # noqa: E402

application = SecurityHeaders(Media(django_application, settings.MEDIA_ROOT))
