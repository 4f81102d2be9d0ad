"""From a page's context to what its template needs: plain dicts and lists, all sentences finished.

* `cards`   how one card of either game is drawn and named
* `people`  who sits where, and what bots are called
* `seen`    what the parts of either game's table are made from
* `luz`     the table of Luz: strips of cards, bets, the trick, the own hand by place
* `luz_parts`, `scores`  its parts
* `duet`    the table of Duet: path, trick, hand, decisions
* `path`, `duet_parts`, `duet_news`  its parts
* `chat`    what people write to each other
* `account` the moves of a finished game, and what bots say of theirs
* `table`   chooses among waiting room, Luz and Duet, and adds what every table has
* `lobby`, `errors`  the other pages

What a scene holds follows from the viewer's `View` alone, so nothing hidden can reach a template.
"""
