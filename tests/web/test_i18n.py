"""Every language is a catalogue away: a made-up one, in which each sentence is marked, reaches every page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

import overtrick
from overtrick.errors import N_, IllegalMove, OvertrickError
from overtrick.web.i18n import Language, Languages, languages, read_catalog
from web.serving import Browser, Client, Served, alert, make_fields, serving, settings_for

PSEUDO = "en_XA"
PLURALS = (
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
)


def marked(sentence: str) -> str:
    return f"⟦{sentence}⟧"


def write(folder: Path, locale: str, messages: dict[str, str], fuzzy: tuple[str, ...] = ()) -> Path:
    catalog = Catalog(locale=None)
    for msgid, text in messages.items():
        catalog.add(msgid, text, flags=["fuzzy"] if msgid in fuzzy else [])
    file = folder / locale / "LC_MESSAGES" / "messages.po"
    file.parent.mkdir(parents=True)
    with file.open("wb") as target:
        write_po(target, catalog)
    return file


def everything_said() -> dict[str, str]:
    """Every message id of the sources, with its marked self as translation (plurals: the plural form)."""
    package = Path(overtrick.__file__).parent
    methods = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
    keywords = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "plural": (1, 2)}
    found = extract_from_dir(package, methods, keywords=keywords)
    return {
        msgid: marked(msgid) for _, _, msgid, _, _ in found if isinstance(msgid, str)
    }  # fmt: skip


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("pseudo")
    write(folder / "locale", PSEUDO, everything_said())
    known = languages()
    before = dict(known._by_locale)
    with serving(settings_for(folder / "data", languages=str(folder / "locale"))) as running:
        yield running
    known._by_locale = before


def test_the_made_up_language_reaches_the_pages(pseudo: Served) -> None:
    ann = pseudo.browser(**{"accept-language": "en-XA, fr;q=0.5"})
    front = ann.get("/").text
    assert '<html lang="en-XA"' in front
    assert front.count("⟦") > 20
    path = ann.make("luz", "me", "bot:uniform", "bot:uniform", players=3)
    assert ann.get(path).text.count("⟦") > 5
    ann.post(f"{path}/start")
    assert ann.get(path).text.count("⟦") > 5
    with ann.live(path, **{"Accept-Language": "en-XA"}) as line:
        assert "⟦" in str(line.recv(30))


def test_refusals_are_said_in_the_readers_language(pseudo: Served) -> None:
    ann = pseudo.browser(**{"accept-language": "en-XA"})
    assert alert(ann.get("/t/unknown").text) == "⟦There is no such table.⟧"
    assert alert(ann.get("/nowhere").text) == "⟦There is nothing at this address.⟧"
    assert alert(ann.post("/tables", _csrf_token="x").text).startswith("⟦This page is too old")
    path = ann.make()
    refused = ann.post(f"{path}/start", htmx=True)
    assert alert(refused.text) == "⟦The game can start once a person or a bot sits in every seat.⟧"
    assert (
        alert(ann.post("/tables", **make_fields(level="x")).text)
        == "⟦The field level must be a whole number.⟧"
    )


def test_the_clause_stays_behind_the_translated_sentence(pseudo: Served) -> None:
    guest = pseudo.client()
    guest.http.headers["accept-language"] = "en-XA"
    path = guest.make("luz", "me", "bot:uniform", "bot:uniform", options={"players": 3}, dealer=2)
    guest.post(f"{path}/start")
    told = guest.post(f"{path}/move", ply=0, move="bet:11").json()
    assert told["detail"].startswith("⟦")
    assert "L-11" in told["clause"]


def test_the_api_speaks_the_language_asked_for(pseudo: Served, guest: Client) -> None:
    told = pseudo.client().get("/tables/unknown", headers={"accept-language": "en-XA"}).json()
    assert (told["kind"], told["detail"]) == ("unknown", "⟦There is no such table.⟧")
    assert guest.get("/tables/unknown").json()["detail"] == "There is no such table."


def test_a_chosen_language_goes_before_the_browsers(pseudo: Served) -> None:
    ann = pseudo.browser(**{"accept-language": "en"})
    assert "⟦" not in ann.get("/").text
    assert "<select" in ann.get("/").text
    answer = ann.post("/language", language="en-XA", next="/t/unknown")
    assert (answer.status_code, answer.headers["location"]) == (303, "/t/unknown")
    assert "⟦" in ann.get("/").text
    ann.post("/language", language="en", next="/")
    assert "⟦" not in ann.get("/").text


def test_an_unknown_choice_is_no_choice(ann: Browser) -> None:
    ann.post("/language", language="tlh", next="/")
    assert '<html lang="en"' in ann.get("/").text
    assert ann.post("/language", next="/").status_code == 422


def test_names_are_never_translated(pseudo: Served) -> None:
    ann = pseudo.browser(**{"accept-language": "en-XA"})
    path = ann.make("duet", name="Seats")
    assert re.search(r"[^⟦]Seats[^⟧]", ann.get(path).text)


@pytest.fixture
def four(tmp_path: Path) -> Languages:
    found = Languages()
    for locale in ("fr", "uk", "zh_Hant"):
        write(tmp_path, locale, {"a": "b"})
    found.add_folder(tmp_path)
    return found


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "en"), ("", "en"), ("fr", "fr"), ("FR-ch", "fr"), ("de, fr;q=0.4, uk;q=0.8", "uk"), ("zh-TW", "zh_Hant"),
        ("zh-Hant-HK", "zh_Hant"), ("zh-CN", "en"), ("en-GB, fr", "en"), ("*", "en"), ("fr;q=0", "en"),
        ("fr;q=2, uk", "uk"), (";;;,,, uk", "uk"), ("x" * 5000, "en"), ("de," * 100 + "fr", "en"),
    ],
)  # fmt: skip
def test_the_best_language_at_hand_is_chosen(four: Languages, accept: str | None, chosen: str) -> None:
    assert four.choose(None, accept).locale == chosen


def test_languages_name_themselves(four: Languages) -> None:
    assert [one.name for one in four.all] == ["English", "Français", "Українська", "中文 (繁體)"]
    assert [one.tag for one in four.all] == ["en", "fr", "uk", "zh-Hant"]


def test_a_languages_own_plural_forms_are_used(tmp_path: Path) -> None:
    file = tmp_path / "messages.po"
    file.write_text(
        f'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: {PLURALS}\\n"\n\n'
        'msgid "%(n)s trick"\nmsgid_plural "%(n)s tricks"\n'
        'msgstr[0] "%(n)s взятка"\nmsgstr[1] "%(n)s взятки"\nmsgstr[2] "%(n)s взяток"\n',
        encoding="utf-8",
    )
    uk = Language("uk", read_catalog(file))
    said = [uk.ngettext("%(n)s trick", "%(n)s tricks", n, n=n) for n in (1, 3, 5, 11, 21, 22)]
    assert said == ["1 взятка", "3 взятки", "5 взяток", "11 взяток", "21 взятка", "22 взятки"]


def test_what_does_not_fit_is_said_in_english(tmp_path: Path) -> None:
    messages = {"Seat %(n)s": "Platz %(m)s", "Full": "%", "Half %(n)s": "50 % %(n)s", "Rough": "Ungefähr"}
    language = Language("de", read_catalog(write(tmp_path, "de", messages, fuzzy=("Rough",))))
    assert language.gettext("Seat %(n)s", n=1) == "Seat 1"
    assert language.gettext("Half %(n)s", n=1) == "Half 1"
    assert language.gettext("Rough") == "Rough"
    assert language.gettext("Unknown %(n)s", n=2) == "Unknown 2"


def test_a_sentence_within_a_sentence_is_translated_too(tmp_path: Path) -> None:
    messages = {"No: %(why)s": "Nein: %(why)s", "it rains": "es regnet"}
    language = Language("de", read_catalog(write(tmp_path, "de", messages)))
    why = OvertrickError(N_("it rains"))
    assert language.say(IllegalMove(N_("No: %(why)s"), why=why, clause="L-16")) == "Nein: es regnet (L-16)"
    assert language.gettext("No: %(why)s", why="it rains") == "Nein: it rains"
