"""Templates and languages: one template environment for each language, made once.

Templates know `_("...", name=value)` and `ngettext("...", "...", n, name=value)`; both return plain text, which the
engine then escapes. A template never sees anything but the scene it is given.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from babel.core import Locale, UnknownLocaleError, negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from minijinja import Environment

from overtrick.errors import OvertrickError

_HERE = files("overtrick.web")


class Texts:
    """The sentences of one language."""

    def __init__(self, locale: str, catalogue: gettext.NullTranslations) -> None:
        self.locale = locale
        self._catalogue = catalogue

    def __call__(self, message: str, /, **params: object) -> str:
        """Return the message in this language, its `%(name)s` places filled."""
        text = self._catalogue.gettext(message)
        return text % params if params else text

    def plural(self, singular: str, plural: str, count: int, /, **params: object) -> str:
        """Return the form of the message that fits `count`, its places filled."""
        text = self._catalogue.ngettext(singular, plural, count)
        return text % params if params else text


@cache
def locales() -> tuple[str, ...]:
    """Return the languages that have a catalogue, English (the language of the sources) first."""
    folder = _HERE.joinpath("locale")
    if not folder.is_dir():
        return ("en",)
    found = (entry.name for entry in folder.iterdir() if entry.joinpath("LC_MESSAGES", "messages.po").is_file())
    return ("en", *sorted(name for name in found if name != "en"))


def choose_locale(preferred: list[str]) -> str:
    """Return the known language that fits best, from a reader's list in order of liking (`["fr-CA", "en"]`)."""
    return negotiate_locale([tag.replace("-", "_") for tag in preferred], locales()) or "en"


@cache
def texts(locale: str) -> Texts:
    """Return the sentences of a language; English for one that has no catalogue."""
    source = _HERE.joinpath("locale", locale, "LC_MESSAGES", "messages.po")
    if locale not in locales() or not source.is_file():
        return Texts("en", gettext.NullTranslations())
    compiled = io.BytesIO()
    with source.open("rb") as po:
        write_mo(compiled, read_po(po, locale=locale))
    compiled.seek(0)
    return Texts(locale, gettext.GNUTranslations(compiled))


def say(error: OvertrickError, locale: str = "en") -> str:
    """Return an error's sentence in a language, the rule's clause in brackets after it."""
    sentence = texts(locale)(error.msgid, **error.params)
    return f"{sentence} ({error.clause})" if error.clause else sentence


def render(template: str, locale: str, scene: Mapping[str, object]) -> str:
    """Return a template filled with a scene, in a language."""
    return _environment(texts(locale).locale).render_template(template, **scene)


@cache
def _environment(locale: str) -> Environment:
    sentences = texts(locale)
    environment = Environment(
        loader=_source,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined_behavior="strict",
        debug=False,
    )
    environment.add_global("_", sentences)
    environment.add_global("ngettext", sentences.plural)
    environment.add_global("language", locale.replace("_", "-"))
    environment.add_global("direction", _direction(locale))
    return environment


def _source(name: str) -> str:
    return _HERE.joinpath("templates", name).read_text(encoding="utf-8")


def _direction(locale: str) -> str:
    try:
        return Locale.parse(locale).text_direction
    except (UnknownLocaleError, ValueError):
        return "ltr"
