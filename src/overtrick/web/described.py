"""How the API describes itself: what each route answers, and what its refusals look like."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, Example, License, SecurityScheme, Tag
from litestar.openapi.spec.base import BaseSchemaObject
from litestar.plugins import OpenAPISchemaPlugin
from msgspec import Struct

from overtrick import __version__
from overtrick.web.shapes import ProblemDetails

if TYPE_CHECKING:
    from litestar._openapi.schema_generation import SchemaCreator
    from litestar.openapi.spec import Schema
    from litestar.typing import FieldDefinition

PROBLEM_JSON = "application/problem+json"
GUEST: list[dict[str, list[str]]] = [{"guest": []}]
ANYBODY: list[dict[str, list[str]]] = [{}, {"guest": []}]

_ABOUT = """\
Play Luz and The Fox in the Forest Duet from a program. Get a secret once (`POST /api/guests`), send it as
`Authorization: Bearer SECRET`, make a table or sit down at one, and follow it by server-sent events. What you
see is what a player in your seat may know, and nothing else.
"""
_REFUSALS: dict[int, tuple[str, str, str, dict[str, Any]]] = {
    400: ("Not well formed.", "malformed", "That request is not well formed.", {}),
    401: ("No secret, or not the form of one.", "unauthorized", "This needs the secret of a guest.", {}),
    403: ("Not yours to do.", "forbidden", "You do not sit at this table.", {}),
    404: ("No such table.", "unknown", "There is no such table.", {}),
    409: (
        "Not now: not your turn, seat taken, table moved on, game over.",
        "not_your_turn",
        "It is not your turn.",
        {},
    ),
    413: ("The body is too large.", "too_large", "That is too much to send at once.", {}),
    415: (
        "The body does not say that it is JSON.",
        "not_json",
        "Send a body as JSON, with the header Content-Type: application/json.",
        {},
    ),
    422: (
        "Readable, but not allowed: an illegal move, a bad name, a missing field.",
        "illegal",
        "You hold a card of the suit that was led, so you must play one.",
        {"clause": "D-8"},
    ),
    429: (
        "Too often, or too many streams at once; Retry-After says in how many seconds to try again.",
        "too_often",
        "That was too often; please try again in 2 s.",
        {},
    ),
    503: (
        "Not now: the engine is being prepared, or the database cannot be read or written to.",
        "preparing",
        "The engine is being prepared; please try again in a moment.",
        {},
    ),
}


class Verbatim(BaseSchemaObject):
    """An example's value as it is: the description's writer would leave out what is null."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def to_schema(self) -> Any:
        """Return the value itself."""
        return self.value


def answers(
    success: type,
    description: str,
    *refusals: int,
    status: int = 200,
    example: object = None,
    media_type: str = "",
) -> dict[int, ResponseSpec]:
    """Return what a route answers: its success, the refusals of these statuses, 400, 429 and 503."""
    examples = [] if example is None else [Example(summary=description, value=Verbatim(example))]
    found = ResponseSpec(
        success,
        generate_examples=False,
        description=description,
        examples=examples,
        media_type=media_type or "application/json",
    )
    return {status: found, **{code: _refusal(code) for code in (400, *refusals, 429, 503)}}


def _refusal(status: int) -> ResponseSpec:
    description, kind, detail, more = _REFUSALS[status]
    title = HTTPStatus(status).phrase
    example = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "kind": kind,
        "detail": detail,
        **more,
    }
    return ResponseSpec(
        ProblemDetails,
        generate_examples=False,
        description=description,
        media_type=PROBLEM_JSON,
        examples=[Example(summary=description, value=Verbatim(example))],
    )


class NothingElse(OpenAPISchemaPlugin):
    """Says of types that refuse unknown fields that they do: `additionalProperties: false`."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Return whether a field's type is one of those."""
        kind = field_definition.annotation
        return (
            isinstance(kind, type)
            and issubclass(kind, Struct)
            and kind.__struct_config__.forbid_unknown_fields
        )

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """Return what the next plugin says of the type, and that there is nothing else."""
        others = (
            plugin
            for plugin in schema_creator.plugins
            if plugin is not self and schema_creator.plugin_supports_field(plugin, field_definition)
        )
        schema = next(others).to_openapi_schema(field_definition, schema_creator)
        schema.additional_properties = False
        return schema


def openapi_config() -> OpenAPIConfig:
    """Return the head of the description; it is served at /api/openapi.json."""
    guest = SecurityScheme(type="http", scheme="bearer", description="A guest's secret.")
    return OpenAPIConfig(
        title="Overtrick",
        version=__version__,
        description=_ABOUT,
        license=License(name="MIT", identifier="MIT"),
        path="/api/openapi.json",
        render_plugins=[JsonRenderPlugin(path="/")],
        components=Components(security_schemes={"guest": guest}),
        tags=[
            Tag("guests", "Who you are."),
            Tag("tables", "Finding, making and seating."),
            Tag("play", "Playing."),
            Tag("me", "What is yours."),
        ],
        use_handler_docstrings=True,
    )
