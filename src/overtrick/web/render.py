"""The template engine: one environment for each language, made once.

Templates know `_("...", name=value)` and `ngettext("...", "...", n, name=value)`; both return plain text, which the
engine then escapes. A template never sees anything but the scene it is given, and a name that the scene lacks is an
error, not an empty place.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from minijinja import Environment

from overtrick.web.i18n import Language, language, languages

_TEMPLATES = files("overtrick.web").joinpath("templates")


def render(template: str, locale: str, scene: Mapping[str, object]) -> str:
    """Return a template filled with a scene, in a language; English where that is not at hand."""
    return _environment(language(locale)).render_template(template, **scene)


@cache
def _environment(tongue: Language) -> Environment:
    environment = Environment(
        loader=_source,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined_behavior="strict",
        debug=False,
    )
    environment.add_global("_", tongue.gettext)
    environment.add_global("ngettext", tongue.ngettext)
    environment.add_global("language", tongue.tag)
    environment.add_global("direction", tongue.direction)
    environment.add_global(
        "languages", lambda: [{"tag": one.tag, "name": one.name} for one in languages().all]
    )
    return environment


def _source(name: str) -> str:
    return _TEMPLATES.joinpath(name).read_text(encoding="utf-8")
