"""Inbound: slash commands, buttons, selects and modals, and the actions that they call.

Each command and component goes through one error boundary (`answering`) to one action (`actions`), which
finds the table, lets `tables` decide, and answers. Rules and drawings are made elsewhere, and so is
everything that is sent without being asked for.
"""
