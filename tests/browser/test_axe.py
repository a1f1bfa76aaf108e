"""What axe-core finds on the pages, light and dark, wide and narrow."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import reverse

from notes.models import Note
from notes.publishing import save_reference
from notesite.models import Site
from notesite.sign_in import make_link
from series.models import ReadingPath
from tests.factories import make_author, make_note

pytestmark = pytest.mark.browser

PUBLIC = ["index", "note", "path", "last note in a path", "topic", "archive", "about", "not found"]

# Colours that are on their way from light to dark are neither.
SETTLED = (
    "Promise.all(document.getAnimations().map((animation) => animation.finished)).then(() => 1)"
)
# Without preloading, axe-core puts no style elements of its own into the page, which the policy
# would refuse and report.
LOOK = 'axe.run({ preload: false, resultTypes: ["violations"] })'


def findings(page, addresses):
    """Every violation on these pages, once for each look at which it is there."""
    found = []
    for address in addresses:
        page.goto(address)
        assert page.url.endswith(address)
        found += findings_here(page)
    return found


def findings_here(page):
    """Every violation on the page that is open."""
    found = []
    page.evaluate(Axe().axe_script)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(SETTLED)
            results = page.evaluate(LOOK)
            found += [
                f"{page.url} {scheme} {width}: {violation['id']}: {node['html'][:200]}"
                for violation in results["violations"]
                for node in violation["nodes"]
            ]
    return found


def test_axe_finds_what_is_wrong(open_window, library):
    page = open_window()
    page.goto("/about/")
    page.evaluate("document.body.append(new Image())")
    page.evaluate(Axe().axe_script)
    results = page.evaluate(LOOK)
    assert "image-alt" in [violation["id"] for violation in results["violations"]]


def test_public_pages(open_window, library):
    found = findings(open_window(), [library[name] for name in PUBLIC])
    assert not found, "\n".join(found)


def test_things_that_scroll(open_window, wide):
    found = findings(open_window(), [wide["wide note"]])
    assert not found, "\n".join(found)


def test_signing_in(open_window, library):
    link = make_link(make_author()).removeprefix(settings.SITE_URL)
    found = findings(open_window(), [reverse("admin:login"), link])
    assert not found, "\n".join(found)


# axe-core doesn't ask whether one sees where a field is: 3:1 against the ground around it.
FAINT_FIELDS = """
    () => {
      const ink = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const luminance = (ground, colour) => {
        for (const layer of [ground, colour]) {
          ink.fillStyle = layer;
          ink.fillRect(0, 0, 1, 1);
        }
        const [red, green, blue] = [...ink.getImageData(0, 0, 1, 1).data].map((part) =>
          part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const ground = getComputedStyle(document.body).backgroundColor;
      const behind = luminance(ground, ground);
      const fields = document.querySelectorAll("input, textarea, select, .select2-selection");
      return [...fields]
        .filter((field) => field.checkVisibility())
        .filter((field) => parseFloat(getComputedStyle(field).borderTopWidth) > 0)
        .filter((field) => !["submit", "button", "checkbox", "radio", "file"].includes(field.type))
        .filter((field) => field.offsetWidth > 2)
        .filter((field) => {
          const edge = luminance(ground, getComputedStyle(field).borderTopColor);
          const [light, dark] = [Math.max(edge, behind), Math.min(edge, behind)];
          return (light + 0.05) / (dark + 0.05) < 3;
        })
        .map((field) => `${location.pathname}: ${field.outerHTML.slice(0, 120)}`);
    }
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fields_are_seen(author_page, scheme):
    page = author_page
    page.emulate_media(color_scheme=scheme)
    path = ReadingPath.objects.get()
    found = []
    for address in (
        reverse("admin:notes_note_changelist"),
        reverse("admin:notes_note_add"),
        reverse("admin:notes_note_change", args=[Note.objects.get(slug="molt").pk]),
        reverse("admin:series_readingpath_change", args=[path.pk]),
    ):
        page.goto(address)
        page.evaluate(SETTLED)
        found += page.evaluate(FAINT_FIELDS)
    assert not found, "\n".join(found)


def test_pages_for_writing(author_page):
    make_note(title="A draft", slug="draft", published_at=None, source="$\\nope$ and $x$\n")
    note, path = Note.objects.get(slug="draft"), ReadingPath.objects.get()
    public = Note.objects.get(slug="molt")
    found = findings(
        author_page,
        [
            reverse("admin:notes_note_changelist"),
            reverse("admin:notes_note_add"),
            reverse("admin:notes_note_change", args=[note.pk]),
            reverse("admin:notes_note_change", args=[public.pk]),
            reverse("admin:notes_note_publication", args=[note.pk]),
            reverse("admin:series_readingpath_change", args=[path.pk]),
            reverse("admin:notesite_site_change", args=[Site.objects.current().pk]),
        ],
    )
    assert not found, "\n".join(found)


def test_adding_references(author_page):
    """The page as it is opened, and with something of every kind on it."""
    stored = "@misc{{stored, title = {{On Lag}}, year = {{{year}}}, doi = {{10.1/lag}}}}\n"
    save_reference(stored.format(year=2020))
    address = reverse("admin:notes_reference_add_many")
    found = findings(author_page, [reverse("admin:notes_reference_changelist"), address])
    author_page.get_by_label("BibTeX", exact=False).first.fill(
        stored.format(year=2021)
        + stored.format(year=2022)
        + "@misc{like, doi = {10.1/lag}}\n@misc{new, title = {New}}\n@misc{new, title = {New}}\n"
        + "@misc{broken, title = {x} year = {2000}}\n"
    )
    author_page.get_by_role("button", name="See what would happen").click()
    assert author_page.get_by_role("heading", level=2).count() >= 5
    found += findings_here(author_page)
    assert not author_page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    assert not found, "\n".join(found)
