"""Drivers: each opens a kind of database, and runs the store's transactions on it.

`sqlite` is one file and the default; `postgresql` is for an owner whose bot has outgrown a file, or runs as
several processes; `base` is what they share. A driver has what is truly its own: opening and checking, group
commit or retries, pools, locks, fencing, migrations, copying, and removing deleted data from its files. The
SQL and every rule about data are written once, in `bot.store`; a driver knows none of it but the schema.
"""
