"""Inbound: slash commands, buttons, selects and modals, and the actions that they call.

Each command and component is found in the `registry`, where the table and the features register theirs. It
goes through one error boundary (`answering`) to one action (`actions`, or a feature's), which finds the
table, lets `tables` decide, and answers. Rules and drawings are made elsewhere, and so is everything that is
sent without being asked for.
"""
