"""Programs for developers that are no tests; their own tests are in `tests/programs`.

- `make look` (`programs.look`): a game each way in headless Chromium, what it asks of players, and pictures
  of what they see.
- `make simulate` (`programs.simulate`): a thousand games from seeds, in simulated time and in one process,
  with faults of database, network, process, Discord and clocks; each seed can be played again exactly.
- `make soak` (`programs.soak.long`): hundreds of games with injected faults.
- `python -m programs.soak.processes`: games on several processes on PostgreSQL, of which one is killed or
  replaced.
- `make kills` (`programs.sweep`): whole games in which the bot is killed at every point.
- `make foreign` (`programs.foreign`): bots in other libraries against the sandbox, and the record of what
  they send.
- `make words` (`programs.words`): the catalogues of what is said to people, for translators.
- `make costs` (`programs.costs`): the processor seconds of each test.
- `python -m programs.breaks`: which tests see the code broken at random.

They play with the people, the bot's process and the checks of `tests/end_to_end` and `tests/page`.
"""
