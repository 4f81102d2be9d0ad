"""Scripted people at many tables of a real server, and what they cost it.

In reading order: `wire` (a request, a table followed by event stream or as a page), `people` (one table and
those who play and watch), `server` (its process, time and memory), `run` (a whole measurement).

The people know what the server sends them and nothing else: no rules, no engine. They must cost much less than the
server does, or the measurement is of them; so they read the wire by compiled parsers and take from a look the five
fields that they need.
"""

from overtrick.load.run import Plan, measure
from overtrick.load.server import NoFigures

__all__ = ["NoFigures", "Plan", "measure"]
