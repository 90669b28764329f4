"""What a match file says or shows, in words: ``flag_place``, ``flag_words`` and ``fact_name``."""

from django import template

from scoring.files.queries import flag_words as words

register = template.Library()
register.filter("flag_place", words.flag_place)
register.filter("flag_words", words.flag_words)
register.filter("fact_name", words.fact_name)
