"""Thinking about what cannot be seen: worlds that agree with a view, what they have in common, and search over them.

In reading order, each game's own parts first. Luz: `luz_sets`, `luz_weights`, `luz_model`, `luz_mind`, `luz_beginner`,
`luz_history`, `luz_worlds`, `luz_deduce`, `luz_policy`, `luz_value`, `luz_advice`. Duet: `duet_deduce`, `duet_tables`,
`duet_weigh`, `duet_policy`, `duet_worlds`, `duet_weights`, `duet_value`. Then what is the same for both: `subsets`
(numbered worlds), `verbs` (the parts under one name each), `race` (how actions are compared), `engine` (the search in
kernels), `solver` (endings, exactly), `search` (its face for Python), `measure` (what is timed of it all).
"""

from overtrick.search.search import Estimate, Rival, Search, Settings

__all__ = ["Estimate", "Rival", "Search", "Settings"]
