import pytest
from django.core.exceptions import ValidationError
from hypothesis import example, given
from hypothesis import strategies as st

from notesite.text import (
    RESERVED_SLUGS,
    clean_json,
    clean_line,
    clean_text,
    slugify,
    unique_slug,
    validate_key,
    validate_slug,
)


class TestCleanText:
    def test_brings_line_ends_composition_and_final_newline_to_one_form(self):
        assert clean_text("\ufeffcafe\u0301\r\nb\rc\u2028d\n\n\n") == "café\nb\nc\nd\n"

    def test_removes_what_no_feed_or_database_holds(self):
        dirty = "a\x00b\x08c\x7fd\x9be\ud800f\ufdd0g\uffffh\U0001fffei"
        assert clean_text(dirty) == "abcdefghi\n"

    def test_keeps_tabs_leading_spaces_and_blank_lines(self):
        assert clean_text("\n    code\n\tmore  \n") == "\n    code\n\tmore  \n"

    def test_makes_nothing_of_white_space_alone(self):
        assert clean_text(" \n\t\n") == ""

    def test_keeps_right_to_left_marks_and_joined_emoji(self):
        text = "\u200fשלום 👩\u200d🔬\n"
        assert clean_text(text) == text

    @given(st.text(st.characters()))
    @example("\x00\ufeffabc")
    @example(" \ufeffX")
    def test_changes_nothing_the_second_time(self, text):
        for clean in (clean_text, clean_line):
            once = clean(text)
            assert clean(once) == once


def test_a_line_has_single_spaces_and_no_ends():
    assert clean_line("  two\n\n lines\t here ") == "two lines here"


def test_json_is_cleaned_to_its_leaves():
    assert clean_json([{"na\x00me": " a\nb ", "n": 3, "flag": True}]) == [
        {"name": "a b", "n": 3, "flag": True}
    ]


class TestSlugs:
    @pytest.mark.parametrize(
        ("title", "slug"),
        [
            ("Policy lag: who is late?", "policy-lag-who-is-late"),
            ("Über Maß", "über-maß"),
            ("强化学习 入门", "强化学习-入门"),
            ("हिन्दी लेख", "हिन्दी-लेख"),
            ("C++", "c"),
            ("…!?", ""),
            ("a/../b", "a-b"),
        ],
    )
    def test_keep_letters_digits_and_marks_of_any_script(self, title, slug):
        assert slugify(title) == slug

    def test_end_within_eighty_characters_and_two_hundred_bytes(self):
        assert len(slugify("a" * 100)) == 80
        assert len(slugify("学" * 100).encode()) <= 200

    def test_are_the_same_made_from_themselves(self):
        for title in ("ǅungla İstanbul ﬁn", "ＦＵＬＬ width", "ẞtraße"):
            assert slugify(slugify(title)) == slugify(title)

    def test_take_the_lowest_free_number(self):
        taken = {"c", "c-2"}
        assert unique_slug("C#", "note", taken.__contains__) == "c-3"

    def test_are_never_empty_nor_reserved(self):
        assert unique_slug("?!", "note", lambda slug: False) == "note"
        for reserved in RESERVED_SLUGS:
            assert unique_slug(reserved, "note", lambda slug: False) == f"{reserved}-2"

    def test_numbered_ones_stay_within_the_bounds(self):
        slug = unique_slug("学" * 100, "note", lambda slug: not slug.endswith("-12"))
        assert slug.endswith("-12")
        assert len(slug.encode()) <= 200

    @pytest.mark.parametrize(
        "slug", ["Upper", "two words", "a_b", "a.b", "-a", "history", "e\u0301"]
    )
    def test_that_no_address_could_hold_are_refused(self, slug):
        with pytest.raises(ValidationError):
            validate_slug(slug)


@pytest.mark.parametrize("key", ["a b", "a,b", "a}b", "", "a@b", "a;b", "[a"])
def test_a_key_that_bibtex_could_not_hold_is_refused(key):
    with pytest.raises(ValidationError):
        validate_key(key)
