import time

import pytest

from tests.browser import xss_frames
from tests.browser.xss_payloads import CONTEXTS, PAYLOADS, placed_in
from tests.browser.xss_site import attack_everything, note_pages, previews
from tests.factories import make_author

pytestmark = pytest.mark.browser


def test_nothing_runs_on_any_note_s_page_or_in_any_context(
    browser, live_server, client, transactional_db, minutes
):
    """All texts in one context after the other, until the time is over."""
    end, tried = time.monotonic() + minutes * 60, 0
    notes = attack_everything(PAYLOADS)
    documents = note_pages(client, notes)
    outcome = xss_frames.run(browser, live_server.url, documents, policy=False)
    assert (outcome.ran, outcome.asked, outcome.told) == ([], [], [])
    client.force_login(make_author())
    for name, context in CONTEXTS.items():
        if time.monotonic() > end and tried:
            break
        documents = previews(client, [placed_in(context, text) for text in PAYLOADS])
        outcome = xss_frames.run(browser, live_server.url, documents, policy=False)
        assert (outcome.ran, outcome.asked, outcome.told) == ([], [], []), name
        tried += 1
    print(f"{len(PAYLOADS)} texts in {tried} of {len(CONTEXTS)} contexts: none ran")
