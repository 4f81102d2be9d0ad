"""The description of the API covers all of it, and its examples are true to their types."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from overtrick.web import examples, shapes, shapes_me, wishes
from web.serving import ACTS, Served

Json = dict[str, Any]

ROUTES = {
    ("post", "/api/guests"),
    ("get", "/api/tables"),
    ("post", "/api/tables"),
    ("get", "/api/tables/{table_id}"),
    *(("post", f"/api/tables/{{table_id}}/{act}") for act in ACTS),
    ("get", "/api/tables/{table_id}/events"),
    ("get", "/api/tables/{table_id}/record"),
    ("get", "/api/me"),
    ("get", "/api/me/tables"),
    ("get", "/api/me/data"),
    *(
        ("post", f"/api/me/{act}")
        for act in ("claim", "login", "logout", "everywhere", "password", "delete")
    ),
    ("get", "/api/tables/{table_id}/link"),
    ("post", "/api/tables/{table_id}/link"),
    ("post", "/api/tables/{table_id}/join"),
}  # fmt: skip


@pytest.fixture(scope="module")
def described(served: Served) -> Json:
    answer = served.browser().get("/api/openapi.json")
    assert answer.status_code == 200
    found: Json = answer.json()
    return found


def operations(described: Json) -> dict[tuple[str, str], Json]:
    return {(verb, path): what for path, item in described["paths"].items() for verb, what in item.items()}


def test_every_route_is_described_and_no_other(described: Json) -> None:
    assert set(operations(described)) == ROUTES


def test_every_route_says_what_it_does_takes_and_answers(described: Json) -> None:
    for route, operation in operations(described).items():
        assert operation["summary"], route
        assert operation["description"], route
        assert operation["tags"], route
        for status, answer in operation["responses"].items():
            assert answer["description"], (route, status)
            for content in answer["content"].values():
                assert content["schema"], (route, status)
                assert content["examples"], (route, status)
        for parameter in operation.get("parameters", []):
            assert parameter["description"], route
        if "requestBody" in operation:
            content = operation["requestBody"]["content"]["application/json"]
            assert content["schema"], route
            assert content["schema"]["examples"], route


def test_refusals_are_problem_details(described: Json) -> None:
    for route, operation in operations(described).items():
        refusals = {status: answer for status, answer in operation["responses"].items() if status >= "400"}
        assert "503" in refusals, route
        for status, answer in refusals.items():
            assert set(answer["content"]) == {"application/problem+json"}, (route, status)


def test_acts_need_a_secret_and_looking_does_not(described: Json) -> None:
    assert described["components"]["securitySchemes"]["guest"]["scheme"] == "bearer"
    for (verb, path), operation in operations(described).items():
        if (
            (verb == "post" and path not in {"/api/guests", "/api/me/login"})
            or (path.startswith("/api/me") and path != "/api/me/login")
            or path.endswith("/link")
        ):
            assert operation["security"] == [{"guest": []}]
            assert "401" in operation["responses"]
        else:
            assert {} in operation.get("security", [{}])


def test_events_are_described_as_a_stream(described: Json) -> None:
    operation = operations(described)["get", "/api/tables/{table_id}/events"]
    assert set(operation["responses"]["200"]["content"]) == {"text/event-stream"}
    assert "Last-Event-ID" in [parameter["name"] for parameter in operation["parameters"]]


def test_every_reference_leads_somewhere(described: Json) -> None:
    def references(node: Any) -> list[str]:
        if isinstance(node, list):
            return [found for entry in node for found in references(entry)]
        if isinstance(node, dict):
            own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return own + [found for entry in node.values() for found in references(entry)]
        return []

    names = set(described["components"]["schemas"])
    found = references(described)
    assert found
    assert {reference.removeprefix("#/components/schemas/") for reference in found} <= names


@pytest.mark.parametrize(
    ("example", "shape"),
    [
        (examples.GUEST, shapes.Guest), (examples.NEW_TABLE, wishes.NewTable), (examples.SIT, wishes.SitDown),
        (examples.BOT, wishes.PutBot), (examples.MOVE, wishes.MakeMove), (examples.NAMED, wishes.NamedSeat),
        (examples.PROPOSE_END, wishes.ProposeEnd), (examples.ANSWER_END, wishes.AnswerEnd),
        (examples.WRITE, wishes.Write), (examples.PROPOSE, wishes.ProposeForest),
        (examples.TABLE, shapes.Table), (examples.PLAYED_TABLE, shapes.Table),
        (examples.OPEN_TABLES, shapes.OpenTables), (examples.RECORD, shapes.GameRecord),
        (examples.JOIN, wishes.JoinSeat), (examples.SEAT_LINK, shapes_me.SeatLink),
        (examples.MY_TABLES, shapes_me.MyTables), (examples.NAME_AND_PASSWORD, wishes.NameAndPassword),
        (examples.NEW_PASSWORD, wishes.NewPassword), (examples.DELETE_ME, wishes.DeleteMe),
        (examples.ME, shapes_me.Me), (examples.DELETED, shapes_me.Deleted),
        (examples.MY_DATA, shapes_me.MyData),
    ],
)  # fmt: skip
def test_every_example_is_true_to_its_type(example: Json, shape: type[msgspec.Struct]) -> None:
    typed = msgspec.convert(example, shape)
    assert msgspec.to_builtins(typed) | example == msgspec.to_builtins(typed)
