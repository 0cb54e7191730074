"""Inbound: slash commands, buttons, selects and modals, and the actions that they call.

Each press or command is answered within one error boundary (`answering`). Rules and drawings are made
elsewhere.
"""
