"""``manage.py test``: each kind of test in its own process, with one summary."""
