"""Date and time formats by language; formats not named here are Django's."""
