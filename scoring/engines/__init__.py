"""Analysis engines behind one Protocol, each in its own process.

An engine is never trusted with a position that our rules engine has not replayed, never runs inside a web
process or worker, and its answers are compared with what was sent.
"""
