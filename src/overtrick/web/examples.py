"""Examples for the description of the API; a test holds each against its type."""

from __future__ import annotations

from typing import Any

PLAYS: dict[str, Any] = {"stand_in": None, "helped": 0, "flagged": False}
"""Of a seat that plays for itself."""
GUEST: dict[str, Any] = {"secret": "dKqJ0vX1p2m8Zr5uW7yB9cE3gH6jL4nQsT-aF_iOkRw"}
NEW_TABLE: dict[str, Any] = {
    "game": "luz",
    "options": {"players": 3, "bead_supply": None},
    "seats": ["me", "friend", "bot:medium"],
    "name": "Ada",
    "public": True,
    "token": "one-table-please",
}
SIT: dict[str, Any] = {"seat": 1, "name": "Grace"}
BOT: dict[str, Any] = {"seat": 2, "bot": "easy"}
MOVE: dict[str, Any] = {"ply": 12, "move": "play:#4"}
NAMED: dict[str, Any] = {"seat": 1, "name": "Grace"}
PROPOSE_END: dict[str, Any] = {"after": 0}
ANSWER_END: dict[str, Any] = {"number": 1}
WRITE: dict[str, Any] = {"text": "Good luck!", "token": "first-words"}
PROPOSE: dict[str, Any] = {"ply": 34, "end": "low"}
JOIN: dict[str, Any] = {"secret": "q3m5zk7wn2xb4c6vth8jpd9rfs2y"}
SEAT_LINK: dict[str, Any] = {
    "secret": "q3m5zk7wn2xb4c6vth8jpd9rfs2y",
    "url": "https://games.example.org/t/h7k2m9q4wz3xvt/seat/q3m5zk7wn2xb4c6vth8jpd9rfs2y",
}
TABLE: dict[str, Any] = {
    "id": "h7k2m9q4wz3xvt",
    "seq": 3,
    "status": "waiting",
    "game": "luz",
    "options": {"players": 3, "bead_supply": None},
    "public": True,
    "show_played": False,
    "pace": "normal",
    "explain": False,
    "watching": "link",
    "talk": "open",
    "dealer": "random",
    "seats": [
        {"seat": 0, "kind": "person", "name": "Ada", "bot": None, "is_me": True, "is_host": True, **PLAYS},
        {"seat": 1, "kind": "empty", "name": None, "bot": None, "is_me": False, "is_host": False, **PLAYS},
        {"seat": 2, "kind": "bot", "name": None, "bot": "medium", "is_me": False, "is_host": False, **PLAYS},
    ],
    "me": 0,
    "is_host": True,
    "view": None,
    "ply": 0,
    "next_table": None,
    "rules_version": 1,
    "commitments": [],
    "ending": None,
    "cut_short": False,
    "said": None,
    "timing": {"kind": "none", "seconds": 0, "increment": 0, "flag": "bot", "away": 600},
    "time": None,
    "meanwhile": [],
    "swapped": None,
    "shut_out": False,
    "chat": [{"number": 1, "seat": 0, "name": "Ada", "text": "One seat is left."}],
    "may_talk": True,
    "proposals": [],
    "result": None,
}
OPEN_TABLES: dict[str, Any] = {
    "tables": [
        {
            "id": "h7k2m9q4wz3xvt",
            "game": "luz",
            "options": {"players": 3, "bead_supply": None},
            "dealer": "random",
            "names": ["Ada"],
            "bots": 1,
            "free": 1,
            "made_at": 1700000000000,
        }
    ],
    "to_watch": [],
}
MY_TABLES: dict[str, Any] = {
    "going_on": [
        {
            "id": "h7k2m9q4wz3xvt",
            "status": "playing",
            "game": "duet",
            "options": {"level": 1, "dealer": 0, "board": "side-a"},
            "dealer": 0,
            "sitters": [{"name": "Ada"}, {"bot": "medium"}],
            "me": 0,
            "awaits": 0,
            "waits_for_me": True,
            "bot_plays": False,
            "result": None,
            "changed_at": 1700000000000,
        }
    ],
    "over": [],
    "more": None,
}
DUET_VIEW: dict[str, Any] = {
    "game": "duet",
    "seat": 1,
    "options": {"level": 1, "dealer": 0, "board": "side-a"},
    "phase": "move",
    "round": 1,
    "dealer": 0,
    "leader": 0,
    "to_act": 1,
    "decree": "S4",
    "tracker": 5,
    "start": 5,
    "gems": [1, 1, 2, 1, 1, 0, 1, 1, 2, 1, 1],
    "plus": [1, 3, 4, 6, 8],
    "covered": [0, 0],
    "tokens": 4,
    "supply": 10,
    "tricks": [0, 0],
    "trick": ["D1", "D6"],
    "last_trick": None,
    "hands": [None, ["D2", "D9", "R3", "R8", "R10", "S1", "S5", "S6", "S7", "S10"]],
    "hand_sizes": [10, 10],
    "known": [[], []],
    "void": [[], []],
    "gifts": [None, None],
    "played": ["D1", "D6"],
    "legal": ["move:+2", "move:-2"],
    "result": None,
}
COMMITMENTS = [
    "98458af342e38571243f4a45947f7920cbb5102d5a5d3b6dc30ec6eb4e9b2a0f",
    "32f36cbeeb4de65576ac203b73cf81558c390a967ec3b5539707c505dd5330fd",
    "5f02f3a325ca9529044d9fd02ebafb1bab7a3ccf8246a103d4efa2274dd115b8",
]
PLAYED_TABLE: dict[str, Any] = {
    **TABLE,
    "seq": 8,
    "status": "playing",
    "game": "duet",
    "options": {"level": 1, "dealer": 0, "board": "side-a"},
    "dealer": 0,
    "seats": [
        {"seat": 0, "kind": "bot", "name": None, "bot": "strong", "is_me": False, "is_host": False, **PLAYS},
        {"seat": 1, "kind": "person", "name": "Ada", "bot": None, "is_me": True, "is_host": True, **PLAYS},
    ],
    "me": 1,
    "view": DUET_VIEW,
    "ply": 2,
    "commitments": COMMITMENTS,
    "ending": {"proposals": 1, "seat": 1, "agreed": [], "awaited": [], "asked": [1], "may_propose": False},
    "chat": [],
    "may_talk": False,
}
EVENTS = 'retry: 1000\n\nid: 8\ndata: {"id":"h7k2m9q4wz3xvt","seq":8,"status":"playing", ...}\n\n'
DEAL: dict[str, Any] = {"hands": [["D3"], ["D9"]], "decree": "S4"}
RECORD: dict[str, Any] = {
    "overtrick": 1,
    "game": "duet",
    "options": {"level": 1, "dealer": 0, "board": "side-a"},
    "deals": [DEAL],
    "moves": ["play:D9", "resign"],
    "meta": {
        "seats": [{"name": "Ada"}, {"bot": "strong"}],
        "seals": [
            {
                "deal": DEAL,
                "nonce": "3f8a51c07e92d46b1f0e5c8d7a29b6431e4d7f90c2a8b563d1f7e04a9c6b2815",
                "commitment": COMMITMENTS[0],
            }
        ],
        "reasons": ["With this lead the trick ends best for us, as far as I can tell.", None],
    },
}
NAME_AND_PASSWORD: dict[str, Any] = {"name": "Ada", "password": "a long sentence of one's own"}
LOG_IN: dict[str, Any] = {**NAME_AND_PASSWORD, "with_seats": True}
NEW_PASSWORD: dict[str, Any] = {"password": "a long sentence of one's own", "new": "another, just as long"}
ME: dict[str, Any] = {"account": {"name": "Ada", "made_at": 1700000000000}}
DELETE_ME: dict[str, Any] = {"sure": True, "password": "a long sentence of one's own"}
DELETED: dict[str, Any] = {**GUEST, "finished": True}
MY_DATA: dict[str, Any] = {
    **ME,
    "devices": [1700000000000],
    "tables": MY_TABLES["going_on"],
    "records": {"c4w8n2vqk6xz7t": RECORD},
    "looks": {"h7k2m9q4wz3xvt": PLAYED_TABLE},
    "chat": {
        "h7k2m9q4wz3xvt": [
            {"number": 1, "seat": 1, "name": "Ada", "text": "Good luck!", "at": 1700000000000, "mine": True}
        ]
    },
    "left": {},
    "unreadable": [],
}
