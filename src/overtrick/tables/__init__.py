"""Live tables: each is the log of what happened at it.

In reading order: `commands` (what may be asked), `events` (what happened), `seats`, `texts` and `names` (who sits
where), `chat` (what they write), `table` (a table as a value, folded from its events), `refusals` (every sentence
that says no), `clock`, `timekeeping` and `duties` (time), `agreement` (about an early end), `begun` (what a start
says), `links` (a seat's private link), `checks`, `making`, `decide`, `presence`, `hosting`, `ending` and `talking`
(what follows from a command), `watching` (who may look), `explaining` (which of the bots' reasons are told, and
when), `result` (who has won), `tableview`, `redact` and `views` (what one person may see), `pacing` (how long bots
take), `listing` (a table in the lobby), `mine` and `sitting` (the tables of one person), `record` (a finished
game), `entropy` (where chance comes from), `schema` (the database's tables), `database` (connecting to it),
`migrate` and `migrations` (making and changing its schema), `figures` (what is counted), `outage` (what becomes of
its failing), `rows`, `store` and `front_page` (the log in it, and what is listed), `together` (what is appended at
once shares a transaction), `writer` (how one is written), `people` and `passwords` (accounts), `hub` (telling
watchers), `background` (ending what goes on there), `fanout` (telling other processes), `ledger` (tables in memory,
changed by appending), `leases` and `upkeep` (what a process does by itself: bots' moves, clocks, people away),
`runner` (`House`, the whole of it).

Everything outside this package gets a `TableView`, never a `Table` or a `Position`.
"""

from overtrick.tables import commands
from overtrick.tables.entropy import Entropy, SystemEntropy
from overtrick.tables.links import LinkedSeat
from overtrick.tables.listing import TableSummary
from overtrick.tables.mine import MyTable, MyTables
from overtrick.tables.people import Account
from overtrick.tables.refusals import Refused
from overtrick.tables.runner import Among, House
from overtrick.tables.seats import Person
from overtrick.tables.tableview import SeatView, TableView

__all__ = [
    "Account",
    "Among",
    "Entropy",
    "House",
    "LinkedSeat",
    "MyTable",
    "MyTables",
    "Person",
    "Refused",
    "SeatView",
    "SystemEntropy",
    "TableSummary",
    "TableView",
    "commands",
]
