"""Text for people in the reader's language: catalogues are `.po` files, read as they are.

A catalogue lives in `locale/<locale>/LC_MESSAGES/messages.po`; its message ids are the English sentences,
so English needs no file. `Languages` holds every language at hand and chooses one for a reader; a
`Language` translates message ids, plurals and the sentences of errors. What has no translation, or one
whose `%(name)s` places do not fit, is said in English.

A locale is named as its folder is (`"uk"`, `"zh_Hant"`); its `tag` is the same with hyphens, for HTML.
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, TypeGuard, runtime_checkable

from babel import Locale
from babel.core import UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from overtrick._cached import cached_property

ENGLISH = "en"
FOLDER = Path(__file__).parent / "locale"

_MAX_CHOICES = 20
_CHOICE = re.compile(r"([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)(?:;q=([01](?:\.[0-9]{0,3})?))?")


@runtime_checkable
class Sentence(Protocol):
    """A sentence kept as a message id and its parameters, to be said in the reader's language."""

    @property
    def msgid(self) -> str:
        """The English sentence with `%(name)s` places."""

    @property
    def params(self) -> Mapping[str, object]:
        """What fills the places; a value may be a `Sentence` itself."""


@dataclass(frozen=True, eq=False)
class Language:
    """One language in which the pages can speak."""

    locale: str
    catalog: gettext.NullTranslations

    def gettext(self, msgid: str, /, **params: object) -> str:
        """Return the sentence of `msgid`, its `%(name)s` places filled from `params`."""
        return self._fill(self.catalog.gettext(msgid), msgid, params)

    def pgettext(self, context: str, msgid: str, /, **params: object) -> str:
        """As `gettext`, for a message id that means different things in different places."""
        return self._fill(self.catalog.pgettext(context, msgid), msgid, params)

    def ngettext(self, singular: str, plural: str, count: int, /, **params: object) -> str:
        """Return the form for `count` things, its places filled from `params`."""
        english = singular if count == 1 else plural
        return self._fill(self.catalog.ngettext(singular, plural, count), english, params)

    def say(self, sentence: Sentence) -> str:
        """Say a refusal or a bot's reason; the rule's number, where it has one, follows in brackets."""
        said = self.gettext(sentence.msgid, **sentence.params)
        clause = getattr(sentence, "clause", "")
        return f"{said} ({clause})" if clause else said

    @property
    def tag(self) -> str:
        """The BCP 47 name, such as `"zh-Hant"`."""
        return self.locale.replace("_", "-")

    @cached_property
    def name(self) -> str:
        """The language's own name for itself, such as `"English"`."""
        known = _known(self.tag)
        shown = (known.get_display_name(known) if known else None) or self.tag
        return shown[:1].upper() + shown[1:]

    @cached_property
    def direction(self) -> str:
        """`"ltr"` or `"rtl"`, for the `dir` attribute of a page."""
        known = _known(self.tag)
        return known.text_direction if known else "ltr"

    def _fill(self, translated: str, english: str, params: Mapping[str, object]) -> str:
        if not params:
            return translated
        said = {name: self.say(part) if _is_sentence(part) else part for name, part in params.items()}
        try:
            return translated % said
        except (KeyError, ValueError, TypeError):
            return english % said


class Languages:
    """Every language at hand, English first; `choose` finds the one for a reader."""

    def __init__(self) -> None:
        self._by_locale = {ENGLISH: Language(ENGLISH, gettext.NullTranslations())}

    def add_folder(self, folder: Path) -> None:
        """Read every catalogue below `folder`; a locale that is there already is replaced."""
        for file in sorted(folder.glob("*/LC_MESSAGES/messages.po")):
            locale = file.parent.parent.name
            self._by_locale[locale] = Language(locale, read_catalog(file))

    @property
    def all(self) -> tuple[Language, ...]:
        """All of them, English first and the others by name of locale."""
        others = sorted(locale for locale in self._by_locale if locale != ENGLISH)
        return tuple(self._by_locale[locale] for locale in (ENGLISH, *others))

    def get(self, locale: str) -> Language | None:
        """Return the language of exactly this locale or tag, whatever its case, or None."""
        wanted = locale.replace("-", "_").lower()
        return next((found for name, found in self._by_locale.items() if name.lower() == wanted), None)

    def choose(self, wish: str | None, accept: str | None) -> Language:
        """Return `wish` if there is such a language, else the best of an Accept-Language header."""
        if wish and (wished := self.get(wish)):
            return wished
        matches = (self._match(tag) for tag in _by_preference(accept or ""))
        return next((found for found in matches if found), self._by_locale[ENGLISH])

    def _match(self, tag: str) -> Language | None:
        """Find `tag` or its nearest kin: `fr-CH` finds `fr`; `zh-TW` finds `zh-Hant` by its likely script."""
        parts = tag.split("-")
        for length in range(len(parts), 0, -1):
            if found := self.get("-".join(parts[:length])):
                return found
        wanted = _known(tag)
        return self.get(f"{wanted.language}-{wanted.script}") if wanted and wanted.script else None


@cache
def languages() -> Languages:
    """Return the languages of this process: those of the package, and those added to them."""
    found = Languages()
    found.add_folder(FOLDER)
    return found


def language(locale: str) -> Language:
    """Return the language of a locale; English for one that is not at hand."""
    return languages().get(locale) or languages().choose(None, None)


def read_catalog(file: Path) -> gettext.GNUTranslations:
    """Read one `.po` file; entries marked fuzzy are left out."""
    with file.open("rb") as source:
        catalog = read_po(source)
    compiled = io.BytesIO()
    write_mo(compiled, catalog, use_fuzzy=False)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def _is_sentence(value: object) -> TypeGuard[Sentence]:
    return not isinstance(value, str | int | float) and isinstance(value, Sentence)


def _by_preference(accept: str) -> list[str]:
    """Return the tags of an Accept-Language header, most wanted first; what is malformed is passed over."""
    wanted: list[tuple[float, str]] = []
    for part in accept[:500].split(",")[:_MAX_CHOICES]:
        found = _CHOICE.fullmatch(part.replace(" ", ""))
        if found and found[1] != "*" and float(found[2] or 1) > 0:
            wanted.append((float(found[2] or 1), found[1]))
    return [tag for _, tag in sorted(wanted, key=lambda choice: -choice[0])]


def _known(tag: str) -> Locale | None:
    try:
        return Locale.parse(tag, sep="-", resolve_likely_subtags=True)
    except (UnknownLocaleError, ValueError):
        return None
