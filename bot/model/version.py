"""The version of Fifteen Two, set here alone: packaging, log, metrics, `/readyz` and `/crib help` read it."""

VERSION = "0.2.0"
