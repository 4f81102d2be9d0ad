"""The rules of both games as compiled kernels on record states; no clock, file, network or global random.

In reading order: `bits` (sets of small ints in one int), `rng` (random numbers from a passed state), `cards` (cards as
ints and as text), `tricks` (who must follow, who wins), `luz` and `duet` (one game a file, the same parts in the same
order), `path` (Duet's path), `either` (the same verbs for whichever game's state is passed).
"""
