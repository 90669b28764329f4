"""gammonview (gvanalysis driving bgsage), the default engine.

`adapter` runs in our process and imports no engine; `__main__` is the child; `judge` and `boards` are used
by the child alone.
"""
