"""Hypothesis tries the same examples on every run, and keeps nothing on the disk."""

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "engine",
    database=None,
    deadline=None,
    derandomize=True,
    max_examples=60,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("engine")
