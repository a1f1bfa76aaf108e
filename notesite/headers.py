"""Security headers on every answer, whoever gave it: Django, WhiteNoise, media, an error page.

Django's middleware sees only what goes through all of it: not a 304 made above it, not a static
file, not media. So the headers are added once, outside of everything, to whatever lacks them.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from django.conf import settings
from django.utils.csp import build_policy

PERMISSIONS = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "usb",
)


def security_headers() -> list[tuple[str, str]]:
    policy: Any = settings.SECURE_CSP
    headers = [
        ("Content-Security-Policy", build_policy(policy)),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", settings.X_FRAME_OPTIONS),
        ("Referrer-Policy", settings.SECURE_REFERRER_POLICY),
        ("Cross-Origin-Opener-Policy", settings.SECURE_CROSS_ORIGIN_OPENER_POLICY),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", ", ".join(f"{name}=()" for name in PERMISSIONS)),
    ]
    if settings.SECURE_HSTS_SECONDS:
        headers.append(("Strict-Transport-Security", f"max-age={settings.SECURE_HSTS_SECONDS}"))
    return headers


class SecurityHeaders:
    """A WSGI application that adds what another one's answers lack."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application
        self.headers = security_headers()

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            present = {name.lower() for name, value in headers}
            missing = [pair for pair in self.headers if pair[0].lower() not in present]
            return start_response(status, headers + missing, *error)

        body = self.application(environ, start)
        if environ["REQUEST_METHOD"] == "HEAD":
            # Django makes the page for HEAD too, so that both have the same headers.
            getattr(body, "close", lambda: None)()
            return []
        return body


class AsyncSecurityHeaders:
    """The same for ASGI."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application
        self.headers = [
            (name.lower().encode(), value.encode()) for name, value in security_headers()
        ]

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        async def send_with_headers(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                present = {name.lower() for name, value in headers}
                headers += [pair for pair in self.headers if pair[0] not in present]
                message = message | {"headers": headers}
            await send(message)

        await self.application(scope, receive, send_with_headers)
