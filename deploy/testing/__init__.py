"""``manage.py test``: the tests of one tier, each kind in the process it needs, summed up in one line."""
