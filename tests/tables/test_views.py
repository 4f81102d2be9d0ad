"""Views that are made once are the views that each would have got by themselves."""

from __future__ import annotations

import json

from msgspec.structs import replace

from overtrick.tables.chat import Message
from overtrick.tables.redact import table_view
from overtrick.tables.seats import Person
from overtrick.tables.views import KEPT, Views
from tables.setting import ANN, BEN, playing

STRANGER, OTHER = Person("stranger"), Person("other")


def test_who_may_see_the_same_gets_the_same_view_and_nobody_gets_anothers() -> None:
    table = playing().table
    views = Views()
    viewers = [ANN, BEN, STRANGER, OTHER, None, ANN]
    seen = [views.of(table, viewer, now=1, bots_preparing=False) for viewer in viewers]
    for viewer, view in zip(viewers, seen, strict=True):
        assert view == table_view(table, viewer, now=1)
        assert json.loads(view.json) == json.loads(json.dumps(view.to_json()))
    ann, ben, stranger, other, public, again = seen
    assert ann is again
    assert stranger is other is public
    assert len({view.json for view in (ann, ben, public)}) == 3


def test_another_state_and_another_moment_of_the_bots_are_seen_anew() -> None:
    table = playing().table
    views = Views()
    before = views.of(table, ANN, now=1, bots_preparing=False)
    assert views.of(table, ANN, now=1, bots_preparing=True).bots_preparing
    later = replace(table, seq=table.seq + 1)
    assert views.of(later, ANN, now=1, bots_preparing=False).seq == before.seq + 1
    assert views.of(table, ANN, now=1, bots_preparing=False) == before


def test_no_more_are_kept_than_a_change_needs() -> None:
    table = playing().table
    views = Views()
    for number in range(3 * KEPT):
        views.of(replace(table, id=f"t{number}"), ANN, now=1, bots_preparing=False)
    assert len(views._kept) == KEPT


def test_a_stranger_never_gets_what_only_those_who_sit_there_may_see() -> None:
    written = Message(1, 0, ANN.id, "Ann", "between us", "token", 1)
    table = replace(playing().table, watching="nobody", chat=(written,))
    views = Views()
    for viewer in (ANN, STRANGER, BEN, None):
        seen = views.of(table, viewer, now=1, bots_preparing=False)
        assert seen == table_view(table, viewer, now=1)
        assert (b"between us" in seen.json) == (viewer in (ANN, BEN))
