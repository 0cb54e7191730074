"""Outbound: keeps the tables' messages in Discord in sync with the log, within Discord's rate limits.

It posts, edits, bumps and deletes messages, with retries. It makes no move and answers no press.
"""
