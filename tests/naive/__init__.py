"""Naive twins: each game once more, slow and obvious, straight from the clauses of docs/rules.md.

```
luz.py         Luz as a history of deals; every question is answered by walking that history
duet.py        Duet as a board in plain lists and a log of what happened this round
replaying.py   a record played through on a twin
```

They share no code with the engine, on purpose, and trust their input except for the legality of a move.
"""
