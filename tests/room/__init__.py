"""The bot as people meet it: bot, sandbox and database in one process, in simulated time."""
