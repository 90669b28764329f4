"""GNU Backgammon where it is installed: a separate program, spoken to through a script in its own Python.

`__main__` is the child that contains itself; `evaluator` starts gnubg there and asks it; `script` is what
gnubg runs (standard library only, imported by nothing of ours).
"""
