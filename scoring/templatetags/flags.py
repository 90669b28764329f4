"""What was noticed or guessed in a match file: ``{{ flag|flag_place }}``, ``{{ flag|flag_words }}``."""

from django import template

from scoring.queries import flag_words as words

register = template.Library()
register.filter("flag_place", words.flag_place)
register.filter("flag_words", words.flag_words)
