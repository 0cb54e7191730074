"""Inbound: slash commands, buttons, selects and modals, and the actions that they call.

The table and the features register their commands and components in `registry`. Each request passes one error
boundary (`answering`) to one action (`actions`, or a feature's), which finds the table, lets `tables` decide,
and answers. Rules, drawings, and messages that answer no request belong to other packages.
"""
