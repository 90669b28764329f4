"""How dates and times are written, by language; what is not named here is Django's own."""
