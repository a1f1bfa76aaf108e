"""Windows on a site with the sample library; what a page complains about fails the test."""

from itertools import chain
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.db import transaction

from notesite.sample import load
from notesite.sign_in import make_link
from tests.browser.pages import ADDRESSES
from tests.browser.wide import make_wide
from tests.factories import make_author, make_note

APPS = ["notesite", "notes", "series"]

# A policy report reaches the console in words that change with the browser; the event doesn't.
HEAR_POLICY = """
    addEventListener("securitypolicyviolation", (report) => {
      console.error(`policy: ${report.violatedDirective} refused ${report.blockedURI}`);
    });
"""


@pytest.fixture(scope="session")
def shelf():
    """The rows of the library once they are made: putting them back is much faster."""
    return []


@pytest.fixture
def library(transactional_db, shelf):
    """The sample library and a note that was taken back; one address of every kind of page."""
    if shelf:
        with transaction.atomic():
            for row in serializers.deserialize("python", shelf):
                row.save()
    else:
        assert load() is not None
        make_note(title="Taken back", slug="taken-back", withdrawn="Its table was wrong.")
        models = [model for name in APPS for model in apps.get_app_config(name).get_models()]
        rows = chain.from_iterable(model._default_manager.all() for model in models)
        shelf += serializers.serialize("python", rows)
    return ADDRESSES


@pytest.fixture
def wide(library):
    """The library's addresses and those of the widest note there may be."""
    return library | make_wide()


@pytest.fixture
def complaints():
    """What the pages complained about: a test ends with none.

    A complaint is a broken script, a line of error in the console, a policy report, a file of the
    page that isn't there, and any request to another host.
    """
    complaints: list[str] = []
    yield complaints
    assert not complaints, "\n".join(dict.fromkeys(complaints))


@pytest.fixture
def open_window(browser, live_server, complaints):
    """Open windows on the site, each as if in a browser of its own."""
    contexts: list[Any] = []

    def hear(message):
        # The console repeats every answer of 400 and more; those of files are heard below.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            complaints.append(f"{message.page.url}: {message.text}")

    def ask(request):
        if not request.url.startswith((live_server.url + "/", "data:", "blob:")):
            complaints.append(f"asked {request.url}")

    def answer(response):
        if response.status >= 400 and response.request.resource_type != "document":
            complaints.append(f"{response.status} for {response.url}")

    def open_window(width=1280, height=900, **options):
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            **options,
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        context.add_init_script(HEAR_POLICY)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("console", hear)
        context.on("request", ask)
        context.on("response", answer)
        return context.new_page()

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture
def author_page(open_window, library):
    """An author's window, signed in by the one-time link as a person would be."""
    page = open_window()
    page.goto(make_link(make_author(username="ada")).removeprefix(settings.SITE_URL))
    page.get_by_role("heading", name="Sign in as ada").wait_for()
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/admin/")
    return page
