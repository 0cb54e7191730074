"""Whole games with everything going wrong: `make soak`, and `python -m programs.soak.processes`."""
