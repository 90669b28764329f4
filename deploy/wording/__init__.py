"""The linter of Midpoint's language: where each text stands, and the rules that hold for it."""
