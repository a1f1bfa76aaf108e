"""What the tests share: left-out tests are named at the end, and a browser with a real server."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.programs import chromium, missing

LEFT_OUT = pytest.StashKey[dict[str, list[str]]]()
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--minutes", type=float, default=1, help="how long each drill in tests/long goes on"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = {}
    if os.environ.get("CI", "").lower() == "true" and missing():
        wanted = "; ".join(f"{program.name}: {program.install}" for program in missing())
        raise pytest.UsageError(f"CI runs every test, and programs are missing. {wanted}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what can't run here, and let browsers come last.

    Playwright keeps an event loop in the thread; tests that touch the database come before it.
    """
    for program in missing():
        out = [item for item in items if item.get_closest_marker(program.mark)]
        if out:
            config.hook.pytest_deselected(items=out)
            items[:] = [item for item in items if item not in out]
            why = f"{program.name} is not installed; to run them: {program.install}"
            config.stash[LEFT_OUT][why] = [item.nodeid for item in out]
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """With pytest-xdist only the workers collect: they hand over what they left out."""
    node.config.stash[LEFT_OUT].update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for why, names in config.stash[LEFT_OUT].items():
        terminalreporter.write_line(f"left out, as {why}", yellow=True)
        for name in names:
            terminalreporter.write_line(f"  {name}")


@pytest.fixture
def minutes(request: pytest.FixtureRequest) -> float:
    return request.config.getoption("--minutes")


@pytest.fixture(scope="session")
def live_server() -> Iterator[Any]:
    """pytest-django's server with the layers that stand around Django in wsgi.py."""
    from django.conf import settings
    from pytest_django.live_server_helper import LiveServer

    from notesite.headers import SecurityHeaders
    from notesite.media import Media

    server = LiveServer("127.0.0.1", start=False)
    static_handler = server.thread.static_handler

    def layered(django: Any) -> Any:
        return SecurityHeaders(Media(static_handler(django), settings.MEDIA_ROOT))

    setattr(server.thread, "static_handler", layered)  # noqa: B010 - declared as a class
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    # Playwright's loop makes Django think that this thread is asynchronous; it isn't.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(browser: Any, live_server: Any) -> Iterator[Any]:
    """A fresh window on the site; a policy report or a broken script fails the test."""
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    complaints: list[str] = []
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on(
        "console",
        lambda line: complaints.append(line.text) if "Security Policy" in line.text else None,
    )
    yield page
    context.close()
    assert not complaints, complaints


@pytest.fixture
def axe() -> Callable[[Any], None]:
    """Assert that axe-core finds nothing on the page as it stands."""
    from axe_playwright_python.sync_playwright import Axe

    def check(page: Any) -> None:
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()

    return check
