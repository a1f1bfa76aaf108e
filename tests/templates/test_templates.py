"""What the policy forbids and the design promises, in every public template."""

import re

import pytest
from django.conf import settings
from django.template.loader import get_template

from notesite.models import Site

FOLDER = settings.BASE_DIR / "templates"
PUBLIC = sorted(
    str(path.relative_to(FOLDER))
    for path in FOLDER.rglob("*.html")
    if "admin" not in path.parts and '{% extends "admin/' not in path.read_text()
)


@pytest.mark.parametrize("name", PUBLIC)
def test_holds_no_style_no_script_and_nothing_marked_safe(name):
    source = (FOLDER / name).read_text()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", source)
    assert "|safe" not in source
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", source))


@pytest.mark.parametrize("name", PUBLIC)
def test_can_be_read_as_a_template(name):
    assert get_template(name)


def test_the_page_for_our_own_failure_needs_nothing():
    source = (FOLDER / "500.html").read_text()
    assert "{" not in source
    assert not re.search(r"<(?:link|script|img)\b", source)
    assert source.count("<h1") == 1


def test_a_form_that_came_too_late_says_how_to_keep_the_text(rf):
    request = rf.post("/")
    page = get_template("403_csrf.html").render({"site": Site(), "public_url": ""}, request)
    assert "Your text is not lost" in page
    assert "Copy the text" in page
