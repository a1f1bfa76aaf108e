"""Hundreds of attacks on readers, in a real browser, with each of the two walls taken away.

The sanitiser must hold without the policy of the pages, and the policy without the sanitiser.
"""

from collections.abc import Callable
from typing import Any

import pytest
from markdown_it import MarkdownIt

from notes.models import Note
from tests.browser import xss_frames
from tests.browser.test_author import start_note
from tests.browser.test_editor import preview_of
from tests.browser.xss_frames import Outcome
from tests.browser.xss_payloads import (
    CONTEXTS,
    PAYLOADS,
    ideas,
    in_some_context,
    of_the_day,
    without_those_of_tomorrow,
)
from tests.browser.xss_site import (
    admin_pages,
    attack_everything,
    content,
    in_some_document,
    note_pages,
    pages,
    pages_of_attacked_sites,
    previews,
    without_sheets,
)
from tests.factories import make_note

pytestmark = pytest.mark.browser


def unsanitised(text: str) -> str:
    """Markdown and HTML as they come, with every address."""
    return bare.render(text)


bare = MarkdownIt("commonmark", {"html": True}).enable("table")
bare.validateLink = lambda url: True  # type: ignore[method-assign]


@pytest.fixture
def attack(browser: Any, live_server: Any) -> Callable[..., Outcome]:
    def attack(documents: dict[str, str], *, policy: bool) -> Outcome:
        return xss_frames.run(browser, live_server.url, documents, policy=policy)

    return attack


def assert_nothing_ran(outcome: Outcome, documents: dict[str, str]) -> None:
    assert outcome.ran == []
    assert outcome.asked == []
    assert outcome.told == []
    # One that is not there any more has gone somewhere.
    assert outcome.seen == len(documents)


def test_there_are_hundreds_of_attacks_by_many_ideas():
    assert len(PAYLOADS) >= 750
    assert len(without_those_of_tomorrow()) >= 500
    assert len(ideas()) >= 30
    assert len(CONTEXTS) >= 30


def test_nothing_runs_without_the_policy(attack, client, transactional_db):
    """Every text stands in a feed, a preview and the lists; of the notes' pages others every day.

    The long drills open them all, and every text in every context.
    """
    payloads = without_those_of_tomorrow()
    notes = attack_everything(payloads)
    documents = note_pages(client, of_the_day(notes, 20))
    documents |= pages(client)
    documents |= pages_of_attacked_sites(client, payloads)
    documents |= admin_pages(client)
    documents |= previews(client, [in_some_context(*one) for one in enumerate(payloads)])
    assert_nothing_ran(attack(documents, policy=False), documents)


def test_nothing_runs_without_the_sanitiser(attack, client, transactional_db):
    note = make_note(slug="attacked", source="Here.\n")
    page = without_sheets(content(client.get(note.get_absolute_url())))
    assert page.count("<p>Here.</p>") == 1
    payloads = without_those_of_tomorrow()
    documents = {text: page.replace("<p>Here.</p>", unsanitised(text)) for text in payloads}
    outcome = attack(documents, policy=True)
    assert (outcome.ran, outcome.told) == ([], [])
    assert outcome.refused > len(payloads)


def test_most_would_run_without_both(attack):
    some = PAYLOADS[::5]
    outcome = attack({text: in_some_document(unsanitised(text)) for text in some}, policy=False)
    succeeded = {*outcome.ran, *outcome.asked}
    assert len(succeeded) > len(some) * 0.7


@pytest.mark.parametrize("policy", [False, True])
def test_nothing_runs_in_the_page_itself(browser, live_server, transactional_db, policy):
    """As above, but visited as a reader does, with all that a page loads."""
    context = browser.new_context(base_url=live_server.url, bypass_csp=not policy)
    context.add_init_script(xss_frames.REPORT)
    told: list[str] = []
    context.on("console", lambda message: told.append(message.text))
    for number, text in enumerate(of_the_day(PAYLOADS, 80)):
        note = make_note(source=f"{text}\n\n{in_some_context(number, text)}\n")
        if policy:
            Note.objects.filter(pk=note.pk).update(html=unsanitised(text))
        page = context.new_page()
        page.goto(note.get_absolute_url(), wait_until="load")
        page.wait_for_timeout(50)
        page.close()
    context.close()
    assert "attack: ran" not in told


def test_nothing_runs_in_the_editor(author_page):
    """The preview beside the text puts the answer into a page of the admin."""
    page, ran = author_page, []
    page.context.on("console", lambda message: ran.append(message.text))
    page.add_init_script(xss_frames.REPORT)
    source = start_note(page)
    shown = preview_of(page)
    for number, text in enumerate(of_the_day(PAYLOADS, 160)):
        source.fill(f"{in_some_context(number, text)}\n\n{text}\n\n## Text {number}\n")
        shown.get_by_text(f"Text {number}").first.wait_for(state="attached")
    assert "attack: ran" not in ran
