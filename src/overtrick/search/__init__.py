"""Thinking about what cannot be seen: worlds that agree with a view, what they have in common, and search over them.

In reading order, each game's own parts first: `luz_sets`, `luz_worlds`, `luz_deduce`, `luz_policy`, `luz_value`;
`duet_worlds`, `duet_deduce`, `duet_policy`, `duet_value`; then what is the same for both: `verbs` (the parts under one
name each), `engine` (the search in kernels), `solver` (endings, exactly), `search` (its face for Python).
"""

from overtrick.search.search import Estimate, Search, Settings

__all__ = ["Estimate", "Search", "Settings"]
