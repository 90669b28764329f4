"""International English formats: day before month, month by name, 24 hours."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j M Y, H:i"
MONTH_DAY_FORMAT = "j M"
YEAR_MONTH_FORMAT = "M Y"
FIRST_DAY_OF_WEEK = 1

# Patterns of our own, in the characters of Django's ``date`` filter.
WEEKDAY_DATE_FORMAT = "D j M Y"
WEEKDAY_TIME_FORMAT = "D H:i"
WEEKDAY_MONTH_DAY_FORMAT = "D j M"
WEEKDAY_MOMENT_FORMAT = "D j M, H:i"
PERCENT_FORMAT = "%s%%"
