"""The pages, each a pure function from its context to HTML text."""

from __future__ import annotations

from overtrick.web.contexts import (
    DeletePage,
    ErrorPage,
    GamesPage,
    JoinPage,
    LinkPage,
    LobbyPage,
    MePage,
    TablePage,
)
from overtrick.web.present.errors import error_scene
from overtrick.web.present.games import games_scene
from overtrick.web.present.links import join_scene, link_scene
from overtrick.web.present.lobby import lobby_scene
from overtrick.web.present.me import delete_scene, me_scene
from overtrick.web.present.table import table_scene
from overtrick.web.render import render


def lobby_page(page: LobbyPage) -> str:
    """Return the front page."""
    return render("lobby.html", page.locale, lobby_scene(page))


def games_page(page: GamesPage) -> str:
    """Return the page of one person's tables."""
    return render("games.html", page.locale, games_scene(page))


def link_page(page: LinkPage) -> str:
    """Return the page that shows the private link of one's own seat."""
    return render("link.html", page.locale, link_scene(page))


def join_page(page: JoinPage) -> str:
    """Return the page that a private link opens."""
    return render("join.html", page.locale, join_scene(page))


def me_page(page: MePage) -> str:
    """Return the page of one's own account."""
    return render("me.html", page.locale, me_scene(page))


def delete_page(page: DeletePage) -> str:
    """Return the page that asks whether one's data is to be deleted."""
    return render("delete.html", page.locale, delete_scene(page))


def table_page(page: TablePage) -> str:
    """Return the whole page of a table for one viewer."""
    return render("table.html", page.locale, table_scene(page))


def table_fragment(page: TablePage) -> str:
    """Return only `<main id="table">`, byte for byte as it stands inside `table_page`."""
    return render("fragment.html", page.locale, table_scene(page)).strip()


def error_page(page: ErrorPage) -> str:
    """Return the page that says what went wrong."""
    return render("error.html", page.locale, error_scene(page))


def preparing_page(locale: str = "en") -> str:
    """Return the page shown while the engine compiles; it reloads itself."""
    return render("preparing.html", locale, {})
