"""Properties of the rules are checked without a time limit: a busy machine is no counter-example."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
