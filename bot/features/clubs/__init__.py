"""Club events of a server: nights and seasons whose games count for one table of standings.

**Course.** An organiser (a member of the role that moderators name, or a moderator) opens an event in a
channel, with a number of rounds of one game each, a pace (live, or a day a move), a deadline for each round,
rules, points, and a number of places that computers fill. People sign up and check in by buttons. Late
entrants play from the next round on; those who leave are not paired again. In events for partners, `teams`
makes the teams, and the computer plays on for anybody who leaves one. The organiser starts the event. Each
game is an ordinary table in a thread of its own, started from the message that announces the pairing. A round
ends when all of its games have a result; the next one begins by itself, and the last ends the event.

**State.** The database has events, entrants, and pairings with their outcomes. Each call of `ClubStore` is
one transaction. A pairing passes through four states, each stored before the next step begins: paired,
message known, thread and game known, outcome known. Each step is idempotent, so that a killed process repeats
it safely: Discord deduplicates messages by nonce, a message can have only one thread, and the game's id is
chosen before its table is opened.

**Work.** `bot.features.clubs.nights` runs one background task for each open event. It reconciles Discord with
the stored state whenever it is woken: by the end of a game, a press, a deadline, or a start of the bot. A
lost event blocks nothing. A round ends only after its reminder was sent and a quarter of the round's time has
passed since, even if the bot was away. No round waits for one person: the turn clock moves for absent
players, and at the deadline the side that the game waits for forfeits it. Every organiser and moderator can
run every event of the server. A deleted thread leaves its game without a winner; a deleted channel ends the
event. Where Discord refuses threads, the event's message says so, and they are retried until the deadline. A
new event whose first message Discord refuses is closed, and the organiser's answer, which waits for that
message, says so.

**Weeks** (`weekly`). A weekly event has the time at which the next one opens. Opening it is one transaction,
which takes over the terms and moves that time on, so that it happens once. If nobody has started the one
before by then, it is over in the same transaction, and its message says so before the next one's is posted.
The hour stays the same in the server's time zone.

**Year** (`year`). The nights of a server add up to a calendar year's standings, computed from the stored
outcomes whenever somebody asks.

**Scoring** (`table`): two points for a win and three for a skunk, single or double (American Cribbage
Congress), or one and two. Ties are broken by games won, then by spread: points pegged minus the opponents'.
"""
