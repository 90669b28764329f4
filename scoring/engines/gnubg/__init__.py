"""GNU Backgammon where it is installed: a separate program, spoken to through a script in its own Python.

`adapter` runs in our process; `__main__` is the child that contains itself and becomes gnubg; `script` is
what gnubg runs (standard library only, imported by nothing of ours).
"""
