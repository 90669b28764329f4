"""Ratings as a pure function of the result log: formulas, policies, and the log folded.

Nothing here knows a database or a clock. A correction is followed from the first match that it changes, and
gives the same floats, bit for bit, as a fold of the whole log (``scoring.formulas.streams``).
"""
