"""Two trick-taking games in which nobody sees everything: Luz and The Fox in the Forest Duet.

In reading order: `errors` (sentences for people), `_jit` (how kernels are compiled), `_cached` (properties that are
worked out once), `rules` (the two games as kernels on record states), `games` (the kind face: `load`, `Position`,
`View`, records), `bots`, `tables` (live games as event logs), `web` (pages and API), `cli`.
"""

__version__ = "0.1.0"
