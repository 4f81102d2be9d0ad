"""A network that dies without a word: streams say something now and then, and who takes nothing is let go."""

from __future__ import annotations

import ctypes
import socket
import struct
import sys
import time
from collections.abc import Iterator
from itertools import islice

import pytest

from web.serving import PATIENCE, Served, serving, settings_for

HEARTBEAT = 1.5
"""Seconds; whoever answers none for as long is cut off, so a busy machine needs some room."""
BEATS = 3
"""Signs of life in more time than a viewer is kept who takes none."""


@pytest.fixture(scope="module")
def lively(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose hearts beat fast, and that counts streams."""
    folder = tmp_path_factory.mktemp("lively")
    with serving(settings_for(folder, heartbeat=HEARTBEAT, limit_streams=10)) as running:
        yield running


def deafen(line: socket.socket) -> None:
    """Let the system drop all that comes in for a socket, as a network does that is no longer there.

    Nothing is acknowledged, and no end is told. It is a filter of one instruction: take 0 bytes.
    """
    instruction = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    program = struct.pack("HP", 1, ctypes.addressof(instruction))
    line.setsockopt(socket.SOL_SOCKET, 26, program)  # SO_ATTACH_FILTER


def await_nobody(served: Served) -> None:
    """Wait until the server holds no stream any more."""
    deadline = time.monotonic() + PATIENCE
    while served.site.services.limits.streams.clients:
        assert time.monotonic() < deadline, "the stream is still held"
        time.sleep(0.02)


def test_an_event_stream_on_which_nothing_happens_gives_signs_of_life(lively: Served) -> None:
    guest = lively.client()
    path = guest.make()
    with guest.http.stream("GET", f"{path}/events") as answer:
        lines = answer.iter_lines()
        assert list(islice((line for line in lines if line.startswith(":")), BEATS)) == [":"] * BEATS
        guest.post(f"{path}/bot", seat=1, bot="easy")
        assert "easy" in next(line for line in lines if line.startswith("data:"))
    await_nobody(lively)


def test_a_live_line_on_which_nothing_happens_gives_signs_of_life_that_a_script_can_hear(
    lively: Served,
) -> None:
    ann = lively.browser()
    path = ann.make()
    with ann.live(path) as line:
        assert line.recv(PATIENCE)
        assert [line.recv(PATIENCE) for _ in range(BEATS)] == [""] * BEATS
        ann.post(f"{path}/bot", seat=1, bot="easy")
        told = next(text for text in iter(lambda: line.recv(PATIENCE), None) if text)
        assert str(told).startswith('<main id="table"')
    await_nobody(lively)


@pytest.mark.skipif(sys.platform != "linux", reason="packets are dropped by a filter of Linux")
def test_a_viewer_whose_network_vanishes_without_a_word_is_let_go(lively: Served) -> None:
    ann, guest = lively.browser(), lively.client()
    path, table = ann.make(), guest.make()
    await_nobody(lively)
    with (
        ann.live(path) as line,
        socket.create_connection(("127.0.0.1", lively.port), PATIENCE) as stream,
    ):
        assert line.recv(PATIENCE)
        asked = f"GET /api{table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {guest.secret}\r\n\r\n"
        stream.sendall(asked.encode())
        assert stream.recv(1000).startswith(b"HTTP/1.1 200")
        assert lively.site.services.limits.streams.clients
        line.close_timeout = 0.1
        deafen(line.socket)
        deafen(stream)
        await_nobody(lively)


def test_the_page_is_told_how_often_to_expect_one(lively: Served) -> None:
    ann = lively.browser()
    assert f'data-heartbeat="{HEARTBEAT}"' in ann.get(ann.make()).text
