"""Static files as they are collected."""

import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage

from notesite.static_files import JoiningStaticFilesStorage

FILES = {
    "css/page.css": '/* One page. */\n@import "order.css";\n@import "text.css";\n',
    "css/order.css": "@layer base, text;\n",
    "css/text.css": '/* Text. */\n@layer text {\n  p { background: url("../mark.svg"); }\n}\n',
    "mark.svg": "<svg/>",
    "js/reading.js": 'addEventListener("focusin", () => import("./preview.js"));\n',
    "js/preview.js": "document.title;\n",
}


@pytest.fixture
def collected(tmp_path):
    """The folder of collected files, and the names they got."""
    source = FileSystemStorage(tmp_path / "source")
    storage = JoiningStaticFilesStorage(location=tmp_path / "collected", base_url="/static/")
    # Twice, as a second start collects into the folder of the first.
    for _ in range(2):
        for name, text in FILES.items():
            for folder in ("source", "collected"):
                path = tmp_path / folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        done = storage.post_process({name: (source, name) for name in FILES})
        assert [problem for _, _, problem in done if isinstance(problem, Exception)] == []
    return tmp_path / "collected", {name: storage.stored_name(name) for name in FILES}


def text_of(collected, name):
    folder, names = collected
    return Path(folder / names[name]).read_text()


def test_imported_sheets_stand_in_the_one_that_imports_them(collected):
    sheet = text_of(collected, "css/page.css")
    assert sheet.startswith("@layer base, text;\n@layer text {")
    assert "@import" not in sheet
    assert "/*" not in sheet


def test_addresses_in_imported_sheets_are_those_of_hashed_files(collected):
    _, names = collected
    assert f'url("../{names["mark.svg"]}")' in text_of(collected, "css/page.css")


def test_a_script_imports_the_hashed_name_of_another(collected):
    _, names = collected
    script = text_of(collected, "js/reading.js")
    assert re.search(r"preview\.[0-9a-f]{12}\.js", script)
    assert Path(names["js/preview.js"]).name in script
