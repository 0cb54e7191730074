"""A server's club events: nights and seasons in which people play games that count for one table.

**What happens.** An organiser (a role that moderators name, or a moderator) opens an event in a channel: so
many rounds of one game each, live or a day a move, a deadline for each round, rules, points, and up to how
many places computers fill. People sign up by a button, and say that they are here; who comes late plays from
the next round on, who leaves plays no more. Where partners play, `teams` says who plays with whom; the
computer plays on for who leaves a team. The organiser starts it. Each game is an ordinary table in a
thread of its own, started from a message that says who meets whom. A round ends when each of its games has a
result; then the next one begins by itself, and after the last the event is over.

**Where it is kept.** In the database: events, entrants, pairings with their outcome. A call of `ClubStore`
is one transaction. A pairing goes through these states, each noted before the next is begun, so
that a killed bot does each once: paired, message known, thread and game known, outcome known. Discord
recognises the nonce of a message that is sent twice, a message can have one thread only, and the game's id is
chosen before its table is opened.

**Who does it.** `bot.features.clubs.nights` has one background task for each event. It looks at what is kept
and takes the next steps, however it is woken: a game that ends, a press, a deadline, a start of the bot. So
nothing gets stuck on a lost event. No round ends before its reminder was told, and a quarter of its time has
passed since, though the bot was away. Nothing waits for one person either: who vanishes is moved for by the
clock, and at the deadline the game is forfeited by whom it waits for; every organiser and every moderator can
run every event of the server; a deleted thread gives its game to nobody, a deleted channel ends the event.
Where Discord refuses the threads, the event's message says so, and they are tried until the deadline.

**What counts** is in `table`: two points for a win and three for a skunk (no more for a double one), as the
American Cribbage Congress counts, or one and two; then games won, then spread, the points pegged minus those
of the opponents.
"""
