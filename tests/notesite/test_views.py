"""The index, the pages of the whole site, and addresses that lead elsewhere."""

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import TestCase
from django.urls import set_script_prefix
from django.utils import timezone

from notes.publishing import save_note, withdraw
from notesite.models import Redirect, Site
from notesite.publishing import save_site
from tests.factories import make_author, make_many_notes, make_note, make_path, make_topic


class HomeTests(TestCase):
    def test_features_the_pinned_note_and_lists_every_note_newest_first(self):
        pinned, newest = make_note(pinned=True), make_note()
        context = self.client.get("/").context
        assert context["featured"] == pinned
        assert list(context["page"]) == [newest, pinned]
        assert context["note_count"] == 2

    def test_features_the_newest_note_where_none_is_pinned(self):
        make_note()
        newest = make_note()
        assert self.client.get("/").context["featured"] == newest

    def test_offers_up_to_eight_topics_that_have_public_notes(self):
        topics = [make_topic() for _ in range(10)]
        make_note(topics=topics[1:])
        make_note(topics=topics[:1], published_at=None)
        assert list(self.client.get("/").context["topics"]) == topics[1:9]

    def test_shows_each_path_with_its_public_steps(self):
        first, second = make_note(), make_note()
        path = make_path(first, make_note(published_at=None), second)
        make_path(first, published_at=None)
        paths = self.client.get("/").context["paths"]
        assert [entry["path"] for entry in paths] == [path]
        assert [step.note for step in paths[0]["steps"]] == [first, second]

    def test_shows_twelve_paths_at_most(self):
        note = make_note()
        paths = [make_path(note) for _ in range(13)]
        shown = self.client.get("/").context["paths"]
        assert [entry["path"] for entry in shown] == paths[:12]

    def test_is_a_page_when_there_is_nothing(self):
        response = self.client.get("/")
        assert response.status_code == 200
        assert response.context["featured"] is None
        assert self.client.get("/page/2/").status_code == 404

    def test_index_and_note_take_as_many_queries_for_three_notes_as_for_ten_thousand(self):
        topics = [make_topic() for _ in range(3)]
        notes = [make_note(topics=topics) for _ in range(3)]
        make_path(*notes)

        def assert_few(count):
            # Site; featured and count; cards; their topics; topics to start with; paths' steps.
            with self.assertNumQueries(6):
                assert self.client.get("/").context["note_count"] == count
            # Site; note; topics; older and newer; paths it is in; backlinks.
            with self.assertNumQueries(6):
                assert self.client.get(notes[0].get_absolute_url()).status_code == 200

        assert_few(3)
        more = make_many_notes(9_997, topics=topics)
        for start in range(5):
            make_path(notes[0], *more[start : start + 10])
        assert_few(10_000)
        with self.assertNumQueries(5):  # a later page has no topics to start with
            self.client.get("/page/100/")

    def test_an_author_is_offered_to_write_and_a_reader_is_not(self):
        self.assertNotContains(self.client.get("/"), "/admin/")
        self.client.force_login(make_author())
        response = self.client.get("/")
        self.assertContains(response, "/admin/")
        assert response["Cache-Control"] == "private, no-store"

    def test_a_reader_has_no_session(self):
        make_note()
        response = self.client.get("/")
        assert not response.cookies
        assert not Session.objects.exists()

    def test_a_cookie_of_no_session_opens_nothing(self):
        draft = make_note(published_at=None)
        self.client.cookies[settings.SESSION_COOKIE_NAME] = "made-up"
        response = self.client.get("/")
        assert response["Cache-Control"] == "private, no-store"  # the cookie was looked at
        assert response.context["user_is_author"] is False
        assert self.client.get(draft.get_absolute_url()).status_code == 404


class PagesOfTheSiteTests(TestCase):
    def test_about_shows_the_sites_own_text(self):
        site = Site.objects.current()
        site.about = "Why I *write*."
        save_site(site)
        with self.assertNumQueries(1):
            self.assertContains(self.client.get("/about/"), "Why I <em>write</em>.")

    def test_the_sites_own_texts_bring_the_sheets_of_their_formulas_and_code(self):
        sheets = {"css/math.css": "Let $x^2$ be.", "css/code.css": "~~~\nx\n~~~"}
        for plain in ("/", "/about/"):
            for sheet in sheets:
                self.assertNotContains(self.client.get(plain), sheet)
        for field, page in (("intro", "/"), ("about", "/about/")):
            for sheet, text in sheets.items():
                site = Site.objects.current()
                site.intro = site.about = ""
                setattr(site, field, text)
                save_site(site)
                response = self.client.get(page)
                self.assertContains(response, sheet, count=1)
                for other in sheets.keys() - {sheet}:
                    self.assertNotContains(response, other)
        make_many_notes(61)
        self.assertNotContains(self.client.get("/page/2/"), "css/math.css")

    def test_the_accent_is_a_sheet_that_may_be_kept_a_while(self):
        site = Site.objects.current()
        site.accent_colour = "#123456"
        save_site(site)
        response = self.client.get("/accent.css")
        self.assertContains(response, "--accent-chosen: #123456")
        assert response["Content-Type"].startswith("text/css")
        assert "max-age=60" in response["Cache-Control"]
        again = self.client.get("/accent.css", headers={"if-none-match": response["ETag"]})
        assert again.status_code == 304

    def test_robots_are_kept_from_the_admin_and_told_of_the_sitemap(self):
        lines = self.client.get("/robots.txt", headers={"host": "localhost"}).text.splitlines()
        assert "Disallow: /admin/" in lines
        assert "Sitemap: http://127.0.0.1:8000/sitemap.xml" in lines

    def test_pages_are_read_and_nothing_else(self):
        make_note()
        addresses = (
            "/",
            "/about/",
            "/archive/",
            "/topics/",
            "/paths/",
            "/accent.css",
            "/robots.txt",
            "/sitemap.xml",
            "/feed.atom",
            "/feed.xml",
            "/notes/",
        )
        for address in addresses:
            assert self.client.head(address).status_code in {200, 301}, address
            for method in ("post", "put", "patch", "delete", "options", "trace"):
                assert getattr(self.client, method)(address).status_code == 405, address

    def test_queries_that_mean_nothing_change_nothing(self):
        make_note()
        for address in ("/", "/archive/", "/topics/", "/about/", "/sitemap.xml"):
            bare = self.client.get(address).content
            assert self.client.get(f"{address}?page=2&next=//evil.example").content == bare, address


class FormerFeedTests(TestCase):
    addresses = ("/feed.xml", "/rss.xml", "/index.xml", "/atom.xml")

    def test_the_feeds_of_other_systems_lead_to_ours(self):
        for address in self.addresses:
            response = self.client.get(address)
            assert (response.status_code, response["Location"]) == (301, "/feed.atom")

    def test_an_imported_address_comes_first(self):
        make_topic_with_note(slug="lag")
        Redirect.objects.create(kind="address", slug="/rss.xml", target="/topics/lag/feed.atom")
        assert self.client.get("/rss.xml")["Location"] == "/topics/lag/feed.atom"


class RetiredAddressTests(TestCase):
    def lead(self, address, target, sentence=""):
        Redirect.objects.create(kind="address", slug=address, target=target, sentence=sentence)

    def test_an_address_of_another_system_leads_to_its_note(self):
        make_note(slug="lag")
        self.lead("/2019/05/lag.html", "/notes/lag/")
        self.lead("/posts/lag/", "/notes/lag/#s-the-problem")
        for address, target in (
            ("/2019/05/lag.html", "/notes/lag/"),
            ("/posts/lag/", "/notes/lag/#s-the-problem"),
            ("/posts/lag", "/notes/lag/#s-the-problem"),
        ):
            response = self.client.get(address)
            assert (response.status_code, response["Location"]) == (301, target)

    def test_one_hop_also_where_the_note_has_another_name_now(self):
        note = make_note(slug="one")
        self.lead("/old/", "/notes/one/")
        note.slug = "two"
        save_note(note)
        assert self.client.get("/old/")["Location"] == "/notes/two/"

    def test_answers_as_the_target_does(self):
        note = make_note(slug="one")
        make_note(slug="draft", published_at=None)
        self.lead("/old/", "/notes/one/")
        self.lead("/older/", "/notes/draft/")
        self.lead("/oldest/", "/no/such/page/")
        missing = self.client.get("/never/")
        for address in ("/older/", "/oldest/"):
            response = self.client.get(address)
            assert (response.status_code, response.content) == (404, missing.content)
        withdraw(note, "It was wrong.")
        self.assertContains(self.client.get("/old/"), "It was wrong.", status_code=410)

    def test_an_address_without_target_is_gone(self):
        self.lead("/old/", "", "Taken down at the publisher's wish.")
        response = self.client.get("/old/")
        self.assertContains(response, "Taken down at the publisher", status_code=410)

    def test_leads_to_no_other_site(self):
        hostile = (
            "//evil.example/",
            "/\\evil.example/",
            "\\\\evil.example/",
            "https://evil.example/",
            "https:evil.example",
            "javascript:alert(1)",
            "///evil.example",
            "/\t/evil.example",
            "http:///evil.example",
            "evil.example",
        )
        for number, target in enumerate(hostile):
            self.lead(f"/old-{number}/", target)
            response = self.client.get(f"/old-{number}/")
            assert response.status_code == 404, target
            assert "Location" not in response

    def test_chains_and_loops_end_in_a_miss(self):
        self.lead("/a/", "/b/")
        self.lead("/b/", "/a/")
        assert self.client.get("/a/").status_code == 404

    def test_only_reading_is_led_on(self):
        make_note(slug="lag")
        self.lead("/old/", "/notes/lag/")
        assert self.client.head("/old/").status_code == 301
        assert self.client.post("/old/").status_code == 404

    def test_what_cannot_be_an_address_is_not_looked_up(self):
        for address in ("/%00", "/a%00b/", f"/{'x' * 400}/", "/%ff%fe"):
            assert self.client.get(address).status_code == 404

    def test_works_below_a_prefix(self):
        make_note(slug="lag", source="See [it](/notes/lag/).\n")
        self.lead("/old/", "/notes/lag/")
        set_script_prefix("/blog/")
        self.addCleanup(set_script_prefix, "/")
        assert self.client.get("/old/")["Location"] == "/blog/notes/lag/"
        self.assertContains(self.client.get("/notes/lag/"), 'href="/blog/notes/lag/"')
        feed = self.client.get("/feed.atom")
        self.assertContains(feed, 'href="http://127.0.0.1:8000/blog/notes/lag/"', count=2)


class NotFoundTests(TestCase):
    def test_all_that_is_not_there_has_one_page(self):
        make_note(slug="draft", published_at=None)
        make_note(slug="later", published_at=timezone.now() + timedelta(hours=1))
        pages = {
            self.client.get(address).content
            for address in ("/x", "/notes/draft/", "/notes/later/", "/topics/x/", "/paths/x/y/")
        }
        assert len(pages) == 1

    def test_says_nothing_that_the_request_brought(self):
        response = self.client.get("/there-is/no-such-word/?q=marker")
        for echoed in ("there-is", "no-such-word", "marker"):
            self.assertNotContains(response, echoed, status_code=404)


def make_topic_with_note(**fields):
    topic = make_topic(**fields)
    make_note(topics=[topic])
    return topic
