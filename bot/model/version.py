"""The version of Fifteen Two, set here alone: packaging, log, metrics, `/readyz` and `/crib help` read it."""

VERSION = "1.0.0.dev0"
