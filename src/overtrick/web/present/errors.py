"""The page that says what went wrong."""

from __future__ import annotations

from overtrick.errors import N_
from overtrick.web.contexts import ErrorPage
from overtrick.web.i18n import language
from overtrick.web.present.cards import Scene

HEADINGS = {
    403: N_("That is not allowed"),
    404: N_("There is nothing here"),
    405: N_("That is not possible here"),
    413: N_("That is too much at once"),
    429: N_("That was too quick"),
    500: N_("Something broke on our side"),
    503: N_("Not ready yet"),
}
"""What a heading says for each HTTP status; any other is just an error."""


def error_scene(page: ErrorPage) -> Scene:
    """Return the heading for a status, the sentence of what to do, and whose record there is to have."""
    tongue = language(page.locale)
    heading = page.heading or HEADINGS.get(page.status, N_("That did not work"))
    return {
        "status": page.status,
        "heading": tongue.gettext(heading),
        "sentence": page.sentence,
        "record": page.record,
    }
