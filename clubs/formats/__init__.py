"""Localized formats of dates, times, numbers and money.

One module for each kind; ratings, PR and equities stand in ``scoring.drawing.figures``. The patterns of a
language are in its ``formats`` module (``en/formats.py``), which Django finds by ``FORMAT_MODULE_PATH``. A
pattern that a language does not name is Django's own; one that Django does not know is that of English.

- A moment is on the clock of the club or event that it belongs to, in 24 or 12 hours as the language has it.
- A number is rounded half away from zero, with a true minus sign and the decimal mark of the language.
- Programs read ISO 8601 and plain numbers: the API, files, and ``datetime`` attributes (``|date:'c'``).
"""
