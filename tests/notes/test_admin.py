from datetime import timedelta

from bs4 import BeautifulSoup
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from notes.models import Note, Topic
from notesite.models import Site
from notesite.publishing import save_site
from tests.factories import make_many_notes, make_note, make_path, make_topic
from tests.notes.admin_case import (
    WITH_ERROR,
    AdminTestCase,
    address_of,
    publication_of,
    text_of,
)

LIST = reverse("admin:notes_note_changelist")
ADD = reverse("admin:notes_note_add")


class NoteListTests(AdminTestCase):
    def test_shows_state_topics_paths_words_and_problems(self):
        topic = make_topic(name="Policy lag")
        note = make_note(title="Shown", source=f"Four words are here. {WITH_ERROR}", topics=[topic])
        make_path(note, title="The way")
        row = self.rows()["Shown"]
        for expected in ("published", "Policy lag", "The way", "5", "1 error"):
            assert expected in row

    def test_shows_when_a_scheduled_note_comes_in_the_zone_of_the_site(self):
        moment = timezone.now().replace(hour=20, minute=30) + timedelta(days=3)
        make_note(title="Later", published_at=moment)
        row = self.rows()["Later"]
        assert "scheduled" in row
        assert "05:30" in row  # 20:30 in UTC

    def test_leaves_the_trash_out_until_it_is_asked_for(self):
        make_note(title="Kept")
        make_note(title="Thrown", trashed=True)
        assert set(self.rows()) == {"Kept"}
        assert set(self.rows("?state=trash")) == {"Thrown"}

    def test_filters_by_state(self):
        make_note(title="Out")
        make_note(title="Written", published_at=None)
        make_note(title="Later", published_at=timezone.now() + timedelta(days=1))
        make_note(title="Taken back", withdrawn="It was wrong.")
        for state, title in {
            "published": "Out",
            "draft": "Written",
            "scheduled": "Later",
            "withdrawn": "Taken back",
        }.items():
            assert set(self.rows(f"?state={state}")) == {title}

    def test_filters_by_problems(self):
        make_note(title="Sound", source="Nothing wrong.\n\n## The problem\n\n## The mechanism\n")
        make_note(title="Broken", source=WITH_ERROR)
        make_note(title="Unfinished", source="TODO\n")
        assert set(self.rows("?problems=error")) == {"Broken"}
        assert set(self.rows("?problems=warning")) == {"Unfinished"}
        assert set(self.rows("?problems=any")) == {"Broken", "Sound", "Unfinished"}
        parts = ("The problem", "The mechanism", "The evidence", "What to take away")
        text = "\n\n".join(f"## {part}\n\nSaid." for part in parts)
        make_note(title="Whole", source=f"{text}\n")
        assert set(self.rows("?problems=none")) == {"Whole"}

    def test_counts_problems_by_severity_the_gravest_first(self):
        make_note(title="Broken", source=f"## The problem\n\nTODO {WITH_ERROR} TODO\n")
        assert "1 error , 2 warnings , 1 notice" in self.rows()["Broken"]

    def test_filters_by_topic_or_none_and_says_so(self):
        topic = make_topic(name="Policy lag")
        make_note(title="Filed", topics=[topic])
        make_note(title="Loose")
        page = BeautifulSoup(self.client.get(LIST).content, "html.parser")
        links = {link.text.strip(): link["href"] for link in page.select("#changelist-filter a")}
        assert set(self.rows(links["without a topic"])) == {"Loose"}
        assert set(self.rows(links["Policy lag"])) == {"Filed"}
        assert "-" not in links

    def test_searches_titles_and_leads_to_the_page(self):
        make_note(title="Needle", slug="needle")
        make_note(title="Hay")
        assert set(self.rows("?q=needl")) == {"Needle"}

    def test_calls_an_untitled_note_by_its_first_words(self):
        make_note(title="", source="Words before a title was found.\n")
        assert any("Words before a title" in title for title in self.rows())

    def test_takes_the_same_queries_for_any_number_of_notes(self):
        topics = [make_topic(), make_topic()]
        for number in (3, 60):
            notes = make_many_notes(number, topics=topics) if number == 3 else self.more(topics)
            make_path(*notes[-3:])
            with self.assertNumQueries(13):  # five for the author, two for the dates
                self.client.get(LIST)

    def more(self, topics: list[Topic]) -> list[Note]:
        return [make_note(title="" if n % 2 else "T", topics=topics) for n in range(57)]

    def test_publishes_the_chosen_drafts_that_have_no_error(self):
        good = make_note(published_at=None)
        bad = make_note(published_at=None, title="Broken", source=WITH_ERROR)
        response = self.act("publish_now", good, bad)
        good.refresh_from_db()
        bad.refresh_from_db()
        assert good.state == "published"
        assert bad.state == "draft"
        page = BeautifulSoup(response.content, "html.parser")
        assert [one.text for one in page.select(".publication-problems h2")] == ["Broken"]

    def test_unpublishes_and_trashes_and_restores_the_chosen(self):
        note = make_note()
        for action, state in [
            ("unpublish", "draft"),
            ("move_to_trash", "trash"),
        ]:
            self.act(action, note)
            note.refresh_from_db()
            assert note.state == state
        self.act("restore", note, query="?state=trash")
        note.refresh_from_db()
        assert note.state == "draft"

    def test_has_no_action_that_deletes(self):
        make_note()
        assert "delete_selected" not in self.client.get(LIST).content.decode()

    def act(self, action: str, *notes: Note, query: str = "") -> HttpResponse:
        data = {"action": action, "_selected_action": [note.pk for note in notes], "index": 0}
        return self.client.post(LIST + query, data, follow=True)

    def rows(self, query: str = "") -> dict[str, str]:
        page = BeautifulSoup(self.client.get(LIST + query).content, "html.parser")
        return {
            row.select_one("th").get_text(strip=True): row.get_text(" ", strip=True)
            for row in page.select("#result_list tbody tr")
        }


class NoteFormTests(AdminTestCase):
    def test_starts_a_note_from_the_start_text(self):
        site = Site.objects.current()
        site.start_text = "## Begin here\n"
        save_site(site)
        assert "## Begin here" in self.client.get(ADD).content.decode()

    def test_makes_a_draft_of_a_title_alone(self):
        data = self.fields_of(ADD, title="Policy lag: who is late?", source="")
        self.client.post(ADD, data)
        note = Note.objects.get()
        assert (note.slug, note.state) == ("policy-lag-who-is-late", "draft")
        assert note.revisions.get().saved_by == self.author

    def test_saves_all_its_fields_in_one_call(self):
        topic = make_topic()
        note = make_note(published_at=None)
        self.save(
            note,
            title="New",
            dek="A dek.",
            source="Text with $x$.\n",
            topics=[topic.pk],
            about="smith2026, @jones2025",
            authors="Ada Lovelace; https://ada.example; 0000-0002-1825-0097\nA Lab; organisation",
            macros="\\R = \\mathbb{R}",
            short_name="N",
        )
        note.refresh_from_db()
        assert note.title == "New"
        assert "<math" in note.html
        assert list(note.topics.all()) == [topic]
        assert note.about == ["smith2026", "jones2025"]
        assert note.authors == [
            {"name": "Ada Lovelace", "url": "https://ada.example", "orcid": "0000-0002-1825-0097"},
            {"name": "A Lab", "organisation": True},
        ]
        assert note.macros == {"\\R": "\\mathbb{R}"}

    def test_sent_as_it_came_changes_nothing(self):
        note = make_note(
            source="    indented code\n\ntext\n",
            authors=[{"name": "A Lab", "url": "https://lab.example", "organisation": True}],
            about=["smith2026"],
            macros={"\\R": "\\mathbb{R}"},
        )
        before = Note.objects.filter(pk=note.pk).values().get()
        self.save(note)
        after = Note.objects.filter(pk=note.pk).values().get()
        changed = {name for name in before if before[name] != after[name]}
        assert changed == {"version", "updated_at"}
        assert LogEntry.objects.get().get_change_message() == "No fields changed."

    def test_keeps_leading_spaces_and_takes_line_ends_as_they_come(self):
        note = make_note(published_at=None)
        self.save(note, source="    code\r\n\r\ntext\r\n")
        note.refresh_from_db()
        assert note.source == "    code\n\ntext\n"

    def test_names_the_line_of_a_wrong_byline(self):
        note = make_note()
        response = self.save(note, authors="Ada\nBo; nonsense", source="kept text\n")
        assert "Line 2: “nonsense” is neither" in text_of(response)
        assert "kept text" in response.content.decode()

    def test_gives_an_error_of_publishing_back_with_the_whole_text(self):
        make_note(slug="taken")
        note = make_note(published_at=None)
        response = self.save(note, slug="taken", source="My long text.\n")
        assert response.status_code == 200
        assert "Another note has this slug." in text_of(response)
        assert "My long text." in response.content.decode()

    def test_asks_before_a_retired_address_changes_hands(self):
        moved = make_note(slug="first")
        self.save(moved, slug="second")
        other = make_note(published_at=None)
        response = self.save(other, slug="first")
        assert "earlier address and leads to second" in text_of(response)
        assert "take_retired_slug" in response.content.decode()
        self.save(other, slug="first", take_retired_slug="on")
        other.refresh_from_db()
        assert other.slug == "first"

    def test_refuses_a_text_of_more_than_5_mb_and_keeps_it(self):
        note = make_note(published_at=None)
        source = "x" * (5 * 1024 * 1024 + 1)
        response = self.save(note, source=source)
        assert "A text may have 5 MB" in text_of(response)
        assert source in response.content.decode()

    def test_takes_a_text_that_django_would_refuse(self):
        note = make_note(published_at=None)
        self.save(note, source="    " + "x" * 2_900_000 + "\n")
        note.refresh_from_db()
        assert len(note.source) > 2_900_000

    def test_asks_what_a_save_is_when_the_note_is_public(self):
        assert "What is this save?" in text_of(self.client.get(address_of(make_note())))
        draft = make_note(published_at=None)
        assert "What is this save?" not in text_of(self.client.get(address_of(draft)))

    def test_makes_a_public_state_of_a_revision_with_its_sentence(self):
        note = make_note()
        response = self.save(note, kind="revision", source="Rewritten.\n")
        assert "Say in one sentence for readers what changed." in text_of(response)
        self.save(note, kind="correction", sentence="The sign was wrong.", source="Rewritten.\n")
        revision = note.revisions.get(number=2)
        assert (revision.kind, revision.sentence) == ("correction", "The sign was wrong.")
        note.refresh_from_db()
        assert note.revised_at is not None

    def test_takes_the_pin_from_the_other_note(self):
        old = make_note(pinned=True)
        new = make_note()
        self.save(new, pinned="on")
        old.refresh_from_db()
        assert not old.pinned

    def test_leads_to_publishing_when_asked(self):
        note = make_note(published_at=None)
        response = self.save(note, _publication="yes")
        assert response["Location"] == publication_of(note)

    def test_shows_the_preview_and_the_problems_as_they_are_stored(self):
        note = make_note(source=f"Some text. {WITH_ERROR}")
        page = self.client.get(address_of(note)).content.decode()
        assert "<p>Some text." in page.split('shadowrootmode="open"')[1]
        assert "problem-error" in page

    def test_quotes_the_line_of_each_stored_problem(self):
        note = make_note(source=f"First.\n\n{'Long words. ' * 20}TODO {'long words. ' * 20}\n")
        page = BeautifulSoup(self.client.get(address_of(note)).content, "html.parser")
        problem = page.select_one("#problems .problem-warning")
        assert problem.select_one("[data-line]").text == "line 3"
        quote = problem.select_one(".problem-quote").text
        assert quote.startswith("…") and "TODO" in quote and quote.endswith("…")
        assert page.select_one(".source-facts [role=status]").text == "1 warning"

    def test_holds_no_inline_script_or_style(self):
        note = make_note()
        make_path(note)
        for address in (LIST, ADD, address_of(note), publication_of(note)):
            page = BeautifulSoup(self.client.get(address).content, "html.parser")
            assert not page.select("style, [style], [onclick], [onload]")
            assert all(script.get("src") or script.get("type") == "application/json"
                       for script in page.select("script"))  # fmt: skip

    def test_announces_refused_uploads_as_a_list(self):
        page = BeautifulSoup(self.client.get(ADD).content, "html.parser")
        assert page.select_one("div[role=alert] > ul:not([role])")
        assert not page.select("ul[role]")

    def test_takes_a_bounded_number_of_queries(self):
        make_topic()
        note = make_note(topics=list(Topic.objects.all()))
        with self.assertNumQueries(8):
            self.client.get(address_of(note))

    def test_is_for_authors_only(self):
        note = make_note()
        self.client.logout()
        for address in (LIST, ADD, address_of(note), publication_of(note)):
            response = self.client.get(address)
            assert response.status_code == 302
            assert "/login/" in response["Location"]
