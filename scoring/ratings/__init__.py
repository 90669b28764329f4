"""Ratings as a pure function of the result log: formulas, policies and replay.

Nothing here knows a database or a clock. A rating list is `replay(results, formula=...)`; a correction is
the same call from the snapshot before the corrected match, and gives the same floats bit for bit.
"""
