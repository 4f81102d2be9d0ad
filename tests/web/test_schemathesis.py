"""The description of the API is held against the running server, with whatever a generator makes of it.

Sent are bodies, ids and headers that the description allows and some that it does not; no answer may be a server
error, or of a status, type or shape that is not described, and nothing that the description excludes is accepted.
The generator always begins at the same place, so that a run finds what the last one found.
"""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import ignored_auth, positive_data_acceptance

from web.serving import PATIENCE, Client, Served
from web.test_openapi import ROUTES

BOUNDED = settings(max_examples=25, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
# Of a player: what the description allows the rules may still refuse, and the check for requests without a secret is
# given one here.
UNTRUE = [positive_data_acceptance, ignored_auth]


@pytest.fixture(scope="module")
def described(served: Served) -> Any:
    return schemathesis.openapi.from_url(f"{served.url}/api/openapi.json")


@pytest.mark.parametrize(("verb", "path"), sorted(ROUTES))
def test_every_answer_to_a_stranger_is_as_described(described: Any, verb: str, path: str) -> None:
    @BOUNDED
    @given(case=described[path][verb].as_strategy())
    def check(case: schemathesis.Case) -> None:
        case.call_and_validate(timeout=PATIENCE)

    check()


@pytest.mark.parametrize(("verb", "path"), sorted(ROUTES - {("get", "/api/tables/{table_id}/events")}))
def test_every_answer_to_a_player_is_as_described(
    described: Any, guest: Client, other: Client, verb: str, path: str
) -> None:
    table = guest.make("duet", "me", "friend")
    other.post(f"{table}/sit", seat=1, name="Ben")
    guest.post(f"{table}/start")

    @BOUNDED
    @given(case=described[path][verb].as_strategy())
    def check(case: schemathesis.Case) -> None:
        if "table_id" in case.path_parameters:
            case.path_parameters["table_id"] = table.rpartition("/")[2]
        case.call_and_validate(
            headers={"authorization": f"Bearer {guest.secret}"}, timeout=PATIENCE, excluded_checks=UNTRUE
        )

    check()
