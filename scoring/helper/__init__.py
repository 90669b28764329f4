"""The program that lets a member's computer analyse matches of their club, and what server and program share.

It needs an engine and no framework: ``python -m scoring.helper``.
"""

PROTOCOL = 1
"""The version of the wire; another one is refused on both sides."""
