"""A plain Jekyll folder: headers as people write them, and what becomes of each post."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from django.test import TestCase

from notes.models import Figure, Note, Topic
from notesite.content import import_content
from notesite.content.dialects.jekyll_header import read_time
from notesite.content.report import Outcome, Report
from notesite.models import Redirect, Site
from notesite.publishing import save_site
from tests.notesite.content.folders import temporary_folder, write_files
from tests.notesite.content.generated import png


def imported(files: Mapping[str, str | bytes], **options) -> Report:
    with temporary_folder() as folder:
        return import_content(write_files(folder, files), origin="blog", **options)


def post(header: str = "", body: str = "Text.", name: str = "2025-03-04-a-post.md") -> Note:
    """The one note that a folder of one post becomes."""
    report = imported({f"_posts/{name}": f"---\n{header}---\n{body}\n"})
    assert not list(report.of(Outcome.REFUSED)), report.as_text()
    return Note.objects.get()


class HeaderTests(TestCase):
    def test_a_post_becomes_a_published_note_with_its_tags_as_topics(self):
        note = post(
            'layout: post\ntitle: "Clipped ratios: one page"\ndate: 2025-03-04 21:30:00 -0500\n'
            "tags: sampling clipping\ncategories: [Notes, Policy gradients]\nauthor: R. Sample\n"
            "excerpt: One short sentence.\nmathjax: true\n"
        )
        assert (note.slug, note.title) == ("a-post", "Clipped ratios: one page")
        assert note.published_at == datetime(2025, 3, 5, 2, 30, tzinfo=UTC)
        assert note.first_published_at == note.published_at
        assert {topic.name for topic in note.topics.all()} == {
            "sampling",
            "clipping",
            "Notes",
            "Policy gradients",
        }
        assert note.authors == [{"name": "R. Sample"}]
        assert note.dek == "One short sentence."

    def test_the_date_may_stand_in_the_file_s_name_alone(self):
        assert post().published_at == datetime(2025, 3, 4, tzinfo=UTC)

    def test_a_naive_time_is_read_in_the_site_s_zone(self):
        site = Site.objects.current()
        site.time_zone = "Europe/Berlin"
        save_site(site)
        assert post("date: 2025-07-04 09:00:00\n").published_at == datetime(
            2025, 7, 4, 7, tzinfo=UTC
        )

    def test_a_time_that_comes_twice_is_refused_at_its_line(self):
        report = imported(
            {
                "_config.yml": "timezone: Europe/Berlin\n",
                "_posts/2025-10-26-a.md": "---\ntitle: A\ndate: 2025-10-26 02:30:00\n---\nx\n",
            }
        )
        assert [(entry.file, entry.line) for entry in report.of(Outcome.REFUSED)] == [
            ("_posts/2025-10-26-a.md", 3)
        ]
        assert not Note.objects.exists()

    def test_what_is_switched_off_or_in_the_drafts_stays_a_draft(self):
        report = imported(
            {
                "_posts/2025-03-04-off.md": "---\npublished: false\n---\nText.\n",
                "_posts/2025-03-04-draft.md": "---\ndraft: true\n---\nText.\n",
                "_drafts/idea.md": "---\ntitle: An idea\n---\nText.\n",
            }
        )
        assert report.exit_code == 0
        assert {note.state for note in Note.objects.all()} == {"draft"}
        assert Note.objects.count() == 3

    def test_a_scalar_of_any_type_can_be_a_title(self):
        assert post("title: 404\n").title == "404"

    def test_a_post_without_a_title_has_its_file_s_name(self):
        assert post(name="2025-03-04-why-ratios.md").title == "Why ratios"

    def test_tags_with_commas_are_split_there(self):
        note = post("tags: untagged, comma separated , list\n")
        assert {topic.name for topic in note.topics.all()} == {
            "untagged",
            "comma separated",
            "list",
        }

    def test_tags_that_would_share_a_slug_stay_apart(self):
        note = post("tags: [C, C++, 'C#', c]\n")
        assert {(topic.slug, topic.name) for topic in note.topics.all()} == {
            ("c", "C"),
            ("c-2", "C++"),
            ("c-3", "C#"),
        }

    def test_a_topic_that_is_there_is_used_as_it_is(self):
        Topic.objects.create(slug="sampling", name="Sampling", description="Of ours.", position=1)
        note = post("tags: sampling\n")
        assert [topic.description for topic in note.topics.all()] == ["Of ours."]

    def test_nested_authors_keep_name_and_address(self):
        note = post(
            "authors:\n- name: A. Author\n  url: https://example.org\n"
            "  affiliations:\n    name: X\n"
            "- B. Author\n"
        )
        assert note.authors == [
            {"name": "A. Author", "url": "https://example.org"},
            {"name": "B. Author"},
        ]

    def test_a_permalink_leads_to_the_note(self):
        post("permalink: /2025/clipped/\nredirect_from: /older/\n")
        assert set(Redirect.objects.values_list("kind", "slug", "target")) == {
            ("address", "/2025/clipped/", "/notes/a-post/"),
            ("address", "/older/", "/notes/a-post/"),
        }

    def test_without_a_permalink_the_site_s_own_pattern_counts(self):
        imported(
            {
                "_config.yml": "permalink: pretty\n",
                "_posts/2025-03-04-a.md": "---\ncategories: [My Notes]\n---\nText.\n",
            }
        )
        assert Redirect.objects.get().slug == "/my-notes/2025/03/04/a/"

    def test_two_posts_of_one_slug_are_kept_apart_by_date(self):
        report = imported(
            {
                "_posts/2025-03-04-same.md": "---\ntitle: Later\n---\nx\n",
                "_posts/2024-03-04-same.md": "---\ntitle: Earlier\n---\nx\n",
            }
        )
        assert set(Note.objects.values_list("slug", "title")) == {
            ("same", "Earlier"),
            ("same-2", "Later"),
        }
        assert "became “same-2”" in report.as_text()

    def test_a_broken_header_costs_only_its_post(self):
        report = imported(
            {
                "_posts/2025-03-04-bad.md": "---\ntitle: a\ntags: [unclosed\n---\nx\n",
                "_posts/2025-03-04-alias.md": "---\ntitle: &a x\n---\nx\n",
                "_posts/2025-03-04-good.md": "---\ntitle: Good\n---\nx\n",
                "_posts/README.md": "Not a post.\n",
            }
        )
        assert [(entry.file, entry.line) for entry in report.of(Outcome.REFUSED)] == [
            ("_posts/2025-03-04-alias.md", 2),
            ("_posts/2025-03-04-bad.md", 4),
        ]
        assert Note.objects.get().slug == "good"

    def test_folders_nested_without_end_are_refused(self):
        deep = "/".join(["d"] * 400)
        report = imported({f"_posts/{deep}/2025-03-04-a.md": "---\ntitle: A\n---\n"})
        assert report.exit_code == 2
        assert "nested too deeply" in report.as_text()

    def test_a_second_run_changes_nothing_and_a_changed_post_changes_its_note(self):
        files = {
            f"_posts/2025-03-0{n}-p{n}.md": f"---\ntitle: P{n}\ntags: a\n---\nx\n" for n in (1, 2)
        }
        imported(files)
        before = list(Note.objects.order_by("slug").values_list("slug", "version"))
        assert {outcome for _kind, outcome in imported(files).tally()} == {"unchanged"}
        assert list(Note.objects.order_by("slug").values_list("slug", "version")) == before
        report = imported(files | {"_posts/2025-03-02-p2.md": "---\ntitle: P2\n---\nnew\n"})
        assert report.tally()["note", "updated"] == 1
        assert report.tally()["note", "unchanged"] == 1


class PictureTests(TestCase):
    def test_a_picture_of_the_site_becomes_a_figure(self):
        body = (
            "![A plot]({{ '/assets/My plot.PNG' | relative_url }}){: width=\"320\"}\n\n"
            '![Again]({{ site.baseurl }}/assets/My%20plot.PNG "A *caption*")\n\n'
            '<img src="/blog/assets/other.png" alt="Other">\n'
        )
        report = imported(
            {
                "_config.yml": "baseurl: /blog\n",
                "_posts/2025-03-04-a.md": f"---\ntitle: A\n---\n{body}",
                "assets/My plot.PNG": png((1, 2, 3)),
                "assets/other.png": png((3, 2, 1)),
            }
        )
        assert report.exit_code == 0, report.as_text()
        note = Note.objects.get()
        assert set(Figure.objects.values_list("name", flat=True)) == {"My-plot.png", "other.png"}
        assert "![A plot](figures/My-plot.png)\n" in note.source
        assert '![Again](figures/My-plot.png "A *caption*")' in note.source
        assert note.html.count("<img") == 3

    def test_what_is_missing_elsewhere_or_outside_is_said_at_its_line(self):
        report = imported(
            {
                "_posts/2025-03-04-a.md": (
                    "---\ntitle: A\n---\n\n![gone](/assets/gone.png)\n"
                    "![out](../../../etc/hostname.png)\n![far](https://example.org/x.png)\n"
                    "![drawing](/assets/x.bmp)\n"
                ),
                "assets/x.bmp": "BM",
            }
        )
        assert [
            (entry.outcome.value, entry.line) for entry in report.entries if entry.line > 1
        ] == [
            ("lost", 5),
            ("lost", 6),
            ("notice", 7),
            ("lost", 8),
        ]
        assert Note.objects.get().source == (
            "gone\nout\n![far](https://example.org/x.png)\ndrawing\n"
        )
        assert not Figure.objects.exists()


class LinkTests(TestCase):
    def test_links_between_posts_lead_to_the_notes_and_their_headings(self):
        imported(
            {
                "_posts/2025-01-10-base.md": "---\ntitle: Base\n---\n## The ε-Greedy *rule*\n\nx\n",
                "_posts/2025-03-04-a.md": (
                    "---\ntitle: A\n---\n"
                    "[one]({{ site.baseurl }}{% post_url 2025-01-10-base %}#the-ε-greedy-rule)\n"
                    "[two]({% link _posts/2025-01-10-base.md %})\n"
                    "[three](/2025/01/10/base.html)\n"
                    '[four](#why)\n\n## Why a ratio {#why}\n\n<a name="Here"></a>\n\n'
                    "[five](#Here)\n"
                ),
            }
        )
        note = Note.objects.get(slug="a")
        assert "[one](/notes/base/#s-the-ε-greedy-rule)" in note.source
        assert "[two](/notes/base/)" in note.source
        assert "[three](/notes/base/)" in note.source
        assert "[four](#s-why)" in note.source
        assert note.anchors == [["Why a ratio", "s-why"]]
        assert 'id="x-Here"' in note.html and "[five](#x-Here)" in note.source

    def test_a_link_to_nowhere_is_said(self):
        report = imported(
            {
                "_posts/2025-03-04-a.md": (
                    "---\ntitle: A\n---\n[a]({% post_url 2025-01-10-gone %})\n[b](#nothing)\n"
                )
            }
        )
        assert "“2025-01-10-gone”, which isn't there" in report.as_text()
        assert "“#nothing”, which is no heading" in report.as_text()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2015-10-20 11:12:00-0400", datetime(2015, 10, 20, 15, 12, tzinfo=UTC)),
        ("2025-03-04T21:30:00Z", datetime(2025, 3, 4, 21, 30, tzinfo=UTC)),
        ("2025-03-04T21:30:00.123+05:30", datetime(2025, 3, 4, 16, 0, tzinfo=UTC)),
        ("2025-3-4", datetime(2025, 3, 4, tzinfo=UTC)),
        ("March 05, 2026", datetime(2026, 3, 5, tzinfo=UTC)),
        ("Sep 10, 2020", datetime(2020, 9, 10, tzinfo=UTC)),
        ("6 March 2026 09:30", datetime(2026, 3, 6, 9, 30, tzinfo=UTC)),
    ],
)
def test_a_date_is_understood_in_every_form_met(text: str, expected: datetime):
    assert read_time(text, UTC) == expected
