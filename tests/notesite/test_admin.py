from bs4 import BeautifulSoup
from django.contrib.auth.models import Group, User
from django.urls import reverse

from notes.models import Note
from notes.publishing import save_note
from notesite import sample
from notesite.authors import GROUP
from notesite.models import ImportRecord, Redirect, Site
from notesite.publishing import save_site
from series.models import ReadingPath
from tests.factories import make_note
from tests.notes.admin_case import AdminTestCase, text_of

SITE = reverse("admin:notesite_site_change", args=[1])


class SiteFormTests(AdminTestCase):
    def test_is_where_the_list_leads_and_neither_added_nor_deleted(self):
        response = self.client.get(reverse("admin:notesite_site_changelist"))
        assert response["Location"] == SITE
        assert self.client.get(reverse("admin:notesite_site_add")).status_code == 403
        address = reverse("admin:notesite_site_delete", args=[1])
        assert self.client.post(address, {"post": "yes"}).status_code == 403

    def test_sent_as_it_came_changes_nothing_but_version_and_revision(self):
        site = Site.objects.current()
        site.links = [{"name": "Code = all", "url": "https://code.example/?a=b"}]
        site.synonyms = {"evidence": ["Findings", "What we measured"]}
        site.macros = {"\\R": "\\mathbb{R}", "\\E": "\\operatorname{E}"}
        save_site(site)
        before = Site.objects.values().get()
        response = self.client.post(SITE, self.fields_of(SITE))
        assert response.status_code == 302
        after = Site.objects.values().get()
        changed = {name for name in before if before[name] != after[name]}
        assert changed == {"version", "revision"}

    def test_reaches_the_pages(self):
        self.client.post(SITE, self.fields_of(SITE, name="Renamed", intro="Now *this*.\n"))
        site = Site.objects.current()
        assert site.name == "Renamed"
        assert "<em>this</em>" in site.intro_html
        assert "Renamed" in self.client.get(reverse("home")).content.decode()

    def test_renders_the_notes_anew_when_macros_change(self):
        note = make_note(source="$\\Expected$\n")
        self.client.post(SITE, self.fields_of(SITE, macros="\\Expected = \\mathbb{E}"))
        note.refresh_from_db()
        assert note.problems == [] or all("Expected" not in p["message"] for p in note.problems)
        assert "𝔼" in note.html

    def test_refuses_an_accent_that_cannot_be_read(self):
        response = self.client.post(SITE, self.fields_of(SITE, accent_colour="#ffcc00"))
        assert "contrast of 4.5:1" in text_of(response)

    def test_names_the_line_of_a_wrong_link(self):
        links = "Code = https://code.example\nnonsense"
        response = self.client.post(SITE, self.fields_of(SITE, links=links))
        assert "Line 2: write a name, = and an address" in text_of(response)

    def test_overwrites_no_newer_version(self):
        mine = self.fields_of(SITE, about="MINE\n")
        theirs = Site.objects.current()
        theirs.about = "THEIRS\n"
        save_site(theirs)
        page = BeautifulSoup(self.client.post(SITE, mine).content, "html.parser")
        assert "MINE" in page.select_one("#id_about").text
        assert "THEIRS" in page.select_one(".stored-text").text
        assert Site.objects.current().about == "THEIRS\n"


class ReadOnlyTests(AdminTestCase):
    def test_redirects_are_looked_at_and_deleted_but_not_written(self):
        Redirect.objects.leave("note", "old", "new")
        redirect = Redirect.objects.get()
        change = reverse("admin:notesite_redirect_change", args=[redirect.pk])
        assert self.client.post(change, {"target": "x"}).status_code == 403
        assert self.client.get(reverse("admin:notesite_redirect_add")).status_code == 403
        before = Site.objects.current().revision
        data = {"action": "delete_chosen", "_selected_action": [redirect.pk], "index": 0}
        self.client.post(reverse("admin:notesite_redirect_changelist"), data)
        assert not Redirect.objects.exists()
        assert Site.objects.current().revision == before + 1

    def test_a_redirect_is_deleted_from_its_own_page_too(self):
        Redirect.objects.leave("note", "old", "new")
        address = reverse("admin:notesite_redirect_delete", args=[Redirect.objects.get().pk])
        self.client.post(address, {"post": "yes"})
        assert not Redirect.objects.exists()

    def test_import_records_are_only_looked_at(self):
        record = ImportRecord.objects.create(
            origin="sample",
            source_path="notes/a.md",
            source_hash="0" * 64,
            kind="note",
            object_id=1,
            written_hash="0" * 64,
        )
        listing = self.client.get(reverse("admin:notesite_importrecord_changelist"))
        assert "notes/a.md" in text_of(listing)
        for name in ("change", "delete"):
            address = reverse(f"admin:notesite_importrecord_{name}", args=[record.pk])
            assert self.client.post(address, {"post": "yes"}).status_code == 403

    def test_no_page_of_the_admin_holds_inline_styles_or_scripts(self):
        Redirect.objects.leave("note", "old", "new")
        for name in (
            "index",
            "notesite_site_changelist",
            "notesite_redirect_changelist",
            "notesite_importrecord_changelist",
            "notes_topic_changelist",
            "notes_figure_changelist",
            "notes_figure_add",
            "notes_reference_changelist",
            "series_readingpath_changelist",
            "series_readingpath_add",
        ):
            response = self.client.get(reverse(f"admin:{name}"), follow=True)
            page = BeautifulSoup(response.content, "html.parser")
            assert not page.select("style, [style], [onclick]"), name
            scripts = page.select("script:not([src])")
            assert all(script.get("type") == "application/json" for script in scripts), name


class AuthorsTests(AdminTestCase):
    def test_may_write_everything_but_accounts(self):
        text = text_of(self.client.get(reverse("admin:index")))
        for name in ("Notes", "Topics", "Figures", "References", "Reading paths", "Site"):
            assert name in text
        assert "Users" not in text
        assert self.client.get(reverse("admin:auth_user_changelist")).status_code == 403

    def test_lose_it_with_the_group(self):
        self.author.groups.remove(Group.objects.get(name=GROUP))
        assert self.client.get(SITE).status_code == 403
        assert self.client.get(reverse("admin:notes_note_changelist")).status_code == 403


class SampleTests(AdminTestCase):
    INDEX = reverse("admin:index")
    REMOVE = reverse("admin:notesite_site_remove_sample")

    def test_the_index_offers_to_remove_the_library_while_it_is_here(self):
        assert "sample library" not in text_of(self.client.get(self.INDEX))
        sample.load()
        page = BeautifulSoup(self.client.get(self.INDEX).content, "html.parser")
        assert page.select_one(f'.notice-box a[href="{self.REMOVE}"]')

    def test_asks_first_and_then_leaves_nothing_behind(self):
        sample.load()
        self.client.get(self.REMOVE)
        assert sample.is_here()
        response = self.client.post(self.REMOVE)
        assert response["Location"] == self.INDEX
        assert not Note.objects.exists() and not ReadingPath.objects.exists()
        assert "sample library" not in text_of(self.client.get(self.INDEX))

    def test_names_what_was_edited_and_takes_it_when_asked_once_more(self):
        sample.load()
        note = Note.objects.get(slug="polar")
        note.source += "\nMine.\n"
        save_note(note)
        assert str(note) in text_of(self.client.post(self.REMOVE))
        assert list(Note.objects.all()) == [note]
        self.client.post(self.REMOVE, {"edited_too": "on"})
        assert not Note.objects.exists()

    def test_is_for_those_who_may_change_the_site(self):
        self.client.force_login(User.objects.create_user("helper", is_staff=True))
        assert self.client.get(self.REMOVE).status_code == 403
