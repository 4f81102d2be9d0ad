"""Connections go to the worker that has their table, whichever they came to; if there is none, they stay."""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from overtrick.web import neighbours
from overtrick.web.neighbours import MOST_READ, Neighbours

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="the system hands no sockets over so"),
]
SECONDS = 30.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def table_of(slot: int, workers: int = 2) -> str:
    """The id of a table that a worker has."""
    return next(f"t{n}" for n in range(1000) if crc32(b"t%d" % n) % workers == slot)


async def connection() -> tuple[asyncio.Transport, socket.socket]:
    """One end of a connection as a server has it, and the other."""
    ours, theirs = socket.socketpair()
    transport, _ = await asyncio.get_running_loop().create_connection(asyncio.Protocol, sock=ours)
    return transport, theirs


class Taken(asyncio.Queue[tuple[socket.socket, bytes]]):
    """What a worker was handed."""

    def __call__(self, connection: socket.socket, read: bytes) -> None:
        self.put_nowait((connection, read))


async def test_a_connection_is_handed_over_with_what_was_read_of_it(tmp_path: Path) -> None:
    taken, first, second = Taken(), Neighbours(tmp_path, 0, 2), Neighbours(tmp_path, 1, 2)
    second.begin(taken)
    for path in ("/t/%s", "/t/%s/live", "/api/tables/%s?x=y", "/api/tables/%s/move"):
        read = f"GET {path % table_of(1)} HTTP/1.1\r\n".encode()
        transport, theirs = await connection()
        with theirs:
            assert first.hand_over(transport, read)
            assert transport.is_closing()
            here, told = await asyncio.wait_for(taken.get(), SECONDS)
            with here:
                assert told == read
                await asyncio.sleep(0)
                here.sendall(b"hello")
                assert theirs.recv(5) == b"hello", "the connection goes on"
    first.close()
    second.close()


@pytest.mark.parametrize(
    "read",
    [
        f"GET /t/{table_of(0)} HTTP/1.1\r\n".encode(),
        b"GET / HTTP/1.1\r\n",
        b"GET /health HTTP/1.1\r\n",
        f"GET /t/{table_of(1)}".encode(),
        f"GET /t/{table_of(1)} ".encode() + b"x" * MOST_READ,
        f"GET /api/tables/{table_of(1)}%2e HTTP/1.1\r\n".encode(),
        b"\x00\xff" * 20,
        b"",
    ],
    ids=[
        "own table",
        "no table",
        "no table's address",
        "half a line",
        "too much",
        "odd id",
        "junk",
        "nothing",
    ],
)
async def test_all_else_stays(tmp_path: Path, read: bytes) -> None:
    taken, first, second = Taken(), Neighbours(tmp_path, 0, 2), Neighbours(tmp_path, 1, 2)
    second.begin(taken)
    transport, theirs = await connection()
    with theirs:
        assert not first.hand_over(transport, read)
        assert not transport.is_closing()
        transport.close()
    first.close()
    second.close()
    assert taken.empty()


async def test_who_is_not_there_is_done_without_and_found_once_back(tmp_path: Path) -> None:
    first, read = Neighbours(tmp_path, 0, 2), f"GET /t/{table_of(1)} HTTP/1.1\r\n".encode()
    transport, theirs = await connection()
    kept: Any = Kept(transport)
    assert not first.hand_over(kept, read), "it was never there"
    for _ in range(2):
        second, taken = Neighbours(tmp_path, 1, 2), Taken()
        second.begin(taken)
        assert first.hand_over(kept, read)
        (await asyncio.wait_for(taken.get(), SECONDS))[0].close()
        second.close()
        assert not first.hand_over(kept, read), "it has gone"
    transport.close()
    theirs.close()
    first.close()


async def test_what_was_handed_over_before_the_end_is_taken(tmp_path: Path) -> None:
    taken, first, second = Taken(), Neighbours(tmp_path, 0, 2), Neighbours(tmp_path, 1, 2)
    second.begin(taken)
    transport, theirs = await connection()
    assert first.hand_over(transport, f"GET /t/{table_of(1)} HTTP/1.1\r\n".encode())
    second.close()
    taken.get_nowait()[0].close()
    theirs.close()
    first.close()


async def test_one_that_takes_nothing_is_not_waited_for(tmp_path: Path) -> None:
    taken, first, second = Taken(), Neighbours(tmp_path, 0, 2), Neighbours(tmp_path, 1, 2)
    second.begin(taken)
    read = f"GET /t/{table_of(1)} ".encode() + b"x" * 16_000
    transport, theirs = await connection()
    kept: Any = Kept(transport)
    # Nothing is waited for between them, so the other has no chance to take any.
    handed = sum(first.hand_over(kept, read) for _ in range(1000))
    assert 0 < handed < 1000
    transport.close()
    theirs.close()
    first.close()
    second.close()
    assert taken.qsize() == handed
    while not taken.empty():
        taken.get_nowait()[0].close()


async def test_one_that_stands_still_is_done_without_until_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "STUCK_AFTER", 0.2)
    taken, first, second = Taken(), Neighbours(tmp_path, 0, 2), Neighbours(tmp_path, 1, 2)
    second.begin(taken)
    read = f"GET /t/{table_of(1)} HTTP/1.1\r\n".encode()
    transport, theirs = await connection()
    kept: Any = Kept(transport)
    assert first.hand_over(kept, read)
    (await asyncio.wait_for(taken.get(), SECONDS))[0].close()
    assert first.hand_over(kept, read)
    time.sleep(0.5)  # as it is the other's loop, too, it stands still meanwhile
    assert not first.hand_over(kept, read)
    (await asyncio.wait_for(taken.get(), SECONDS))[0].close()
    assert first.hand_over(kept, read)
    (await asyncio.wait_for(taken.get(), SECONDS))[0].close()
    transport.close()
    theirs.close()
    first.close()
    second.close()


class Kept:
    """A transport that stays open, to be handed over again and again."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def get_extra_info(self, name: str) -> Any:
        return self._transport.get_extra_info(name)

    def close(self) -> None:
        pass
