"""gammonview's engine, bgsage.

`__main__` is the child; `evaluator`, `sparring` and `boards` are used by children alone.
"""
