"""Live tables: each is the log of what happened at it.

In reading order:

- what is said: `commands` (asked), `happened` (what every event has), `events` (each of them), `refusals`
  (every sentence that says no)
- who: `seats`, `texts` and `names`, `chat` (what they write)
- a table as a value: `table`, `fold` (what makes it from its events), `begun` (what a start says),
  `agreement` (about an early end)
- what people do beside their moves: `acts` (how often)
- time: `clock`, `timekeeping`, `duties` (what falls due)
- what follows from a command: `checks`, `making`, `decide`, `presence`, `hosting`, `ending`, `talking`,
  `links` (a seat's private link), `entropy` (where chance comes from)
- what one person may see: `watching` (who may look), `explaining` (which of the bots' reasons), `result` (who
  has won), `tableview`, `redact`, `views`, `record` (a finished game)
- lists: `listing` (a table in the lobby), `front_page`, `mine` and `sitting` (the tables of one person)
- the database: `schema`, `database` (connecting), `migrate` and `migrations`, `outage` (what becomes of its
  failing), `figures` (what is counted), `rows`, `appending` (what an append writes), `together` (what comes
  at once shares a transaction), `turns` (of processes that write to one file), `transactions` (each run whole),
  `store` (the log)
- accounts: `people`, `passwords`; what is kept of a person: `mydata`; deleting it: `forgotten`, `traces`,
  `forgetting`
- one process: `hub` and `watch` (telling watchers), `ledger` (tables in memory, changed by appending),
  `pacing` (how long bots take), `leases` and `upkeep` (what a process does by itself: bots' moves, clocks,
  people away), `background` (ending that), `writes` (what is seen to its end)
- and the others: `fanout` (telling them)
- `housekeeping`: what whoever runs it does beside it
- `runner`: `House`, the whole of it

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
from overtrick.tables.watch import Viewer, Watch

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
    "Viewer",
    "Watch",
    "commands",
]
