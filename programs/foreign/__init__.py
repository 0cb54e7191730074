"""Bots in other libraries than ours against the sandbox: `make foreign`."""
