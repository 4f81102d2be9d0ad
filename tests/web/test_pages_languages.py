"""A page speaks the reader's language and lets them choose another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.web.contexts import LobbyPage
from overtrick.web.i18n import languages
from overtrick.web.pages import lobby_page, table_page
from web.looks import finished, look, read

FRENCH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

msgid "Play again with the same people"
msgstr "Rejouer avec les mêmes <gens>"

msgid "%(n)s gem left"
msgid_plural "%(n)s gems left"
msgstr[0] "encore %(n)s gemme"
msgstr[1] "encore %(n)s gemmes"
"""


@pytest.fixture
def french(tmp_path: Path) -> Iterator[None]:
    folder = tmp_path / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "messages.po").write_text(FRENCH.lstrip(), encoding="utf-8")
    languages().add_folder(tmp_path)
    yield
    languages.cache_clear()


@pytest.mark.usefixtures("french")
def test_a_page_speaks_the_readers_language_and_escapes_it() -> None:
    page = read(table_page(look(finished("duet-1"), 0, locale="fr")))
    assert page.all("html")[0]["lang"] == "fr"
    assert "Rejouer avec les mêmes <gens>" in page.words()
    assert "encore" in page.all("p", class_="gems")[0].words()


@pytest.mark.usefixtures("french")
def test_where_there_is_a_choice_of_languages_the_reader_has_it() -> None:
    for text, back in (
        (lobby_page(LobbyPage(csrf="c", token="t", locale="fr")), "/"),
        (table_page(look(finished("duet-1"), 0, locale="fr")), "/t/k3v9"),
    ):
        form = read(text).all("form", action="/language")[0]
        options = {option["value"]: "selected" in option.attributes for option in form.all("option")}
        assert options["fr"]
        assert not options["en"]
        assert form.all("input", name="next")[0]["value"] == back
        assert form.all("input", name="_csrf_token")
