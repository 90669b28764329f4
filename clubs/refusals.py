"""What a user may hear is named ``...Refused``; ``...Error`` is what a program did wrong."""


class Refused(Exception):
    """Something is not done; the message says why, and what to do, in the reader's language.

    ``code`` tells programs why, where it has one. Pages and the API answer 409 for it
    (``clubs.http.problems``), nothing half done.
    """

    code = ""
