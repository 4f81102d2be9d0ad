"""Every word that a person reads can be translated, and the catalogue of words is up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overtrick.web import pages

ATTRIBUTES = (
    r"\{% block (?:body_class|skip_to|icon|at_games|referrer) %\}.*?\{% endblock %\}"
    r"|\{% macro live.*?endmacro %\}"
)
"""Parts of templates that make attributes of tags, not text."""
TEMPLATES = sorted((Path(pages.__file__).parent / "templates").glob("*.html"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_bare_words_stand_in_a_template(template: Path) -> None:
    text = re.sub(ATTRIBUTES, "", template.read_text(), flags=re.S)
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", text, flags=re.S)
    text = re.sub(r"<!.*?>|<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>", "", text, flags=re.S)
    words = set(re.findall(r"[^\W\d_]+", text)) - {"Overtrick"}
    assert not words


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_bare_words_stand_in_spoken_attributes(template: Path) -> None:
    for value in re.findall(r"(?:aria-label|alt|title|placeholder)=\"([^\"]*?)\"", template.read_text()):
        rest = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", value)
        assert not re.search(r"[^\W\d_]", rest), value


def test_the_catalogue_of_sentences_is_up_to_date() -> None:
    """script/messages makes it."""
    from babel.messages.extract import extract_from_dir
    from babel.messages.frontend import parse_mapping_cfg
    from babel.messages.pofile import read_po

    locale = Path(pages.__file__).parent / "locale"
    with (locale / "babel.cfg").open() as mapping:
        methods, options = parse_mapping_cfg(mapping)  # type: ignore[no-untyped-call]
    keywords = {"_": None, "N_": None, "gettext": None, "pgettext": ((1, "c"), 2)}
    keywords |= dict.fromkeys(("ngettext", "NN_"), (1, 2))
    package = Path(pages.__file__).parent.parent
    found = {entry[2] for entry in extract_from_dir(str(package), methods, options, keywords)}
    with (locale / "messages.pot").open("rb") as template:
        listed = {message.id for message in read_po(template) if message.id}
    assert {tuple(said) if isinstance(said, tuple) else said for said in found} == listed
