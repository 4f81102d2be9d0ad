"""What can go wrong, as a tree; every error is a sentence for a person.

```
OvertrickError
|-- IllegalMove      (ValueError)  a move that the rules refuse
|-- InvalidRecord    (ValueError)  a record, deal or option that is not well formed
|-- tables.Refused                 a command that a table refuses
|-- tables.migrate.Unusable        a database whose schema, or whose server, will not do
`-- tables.database.InvalidDatabase (ValueError)  an address that is no database's
```

A sentence is kept as a message id and its parameters, so that the page can say it in the reader's
language; `str()` says it in English. The clause of the rules, where there is one, follows in brackets.
"""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for "extract, translate later"
    """Mark a message id for extraction and return it unchanged."""
    return message


def NN_(singular: str, plural: str) -> tuple[str, str]:  # noqa: N802 - as `N_`
    """Mark the two forms of a sentence that counts something, and return them unchanged."""
    return singular, plural


class Word(str):
    """A parameter of a sentence that is itself translated; its value is a message id."""

    __slots__ = ()


class OvertrickError(Exception):
    """An error that a person caused and can mend; carries a translatable sentence.

    `msgid` is the English sentence with `%(name)s` places, `params` fills them (those that are `Word`s
    are translated too), `clause` is the rule's
    number (`"L-16"`, `"D-8"`) or empty.
    """

    def __init__(self, msgid: str, *, clause: str = "", **params: object) -> None:
        super().__init__(msgid)
        self.msgid = msgid
        self.clause = clause
        self.params = params

    def __str__(self) -> str:
        sentence = self.msgid % self.params if self.params else self.msgid
        return f"{sentence} ({self.clause})" if self.clause else sentence


class IllegalMove(OvertrickError, ValueError):  # noqa: N818 - it names the thing, like KeyError's siblings
    """A move that the rules do not allow here; the message says why and cites the clause."""


class InvalidRecord(OvertrickError, ValueError):  # noqa: N818
    """A record, deal or option that is not well formed; the message says what was expected."""
