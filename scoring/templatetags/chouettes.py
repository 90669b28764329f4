"""How points and money of a chouette are written on pages. Load with ``{% load chouettes %}``."""

from django import template

from scoring.chouettes.queries.money import signed_amount, signed_minor, signed_points

register = template.Library()
register.filter("points", signed_points)
register.filter("minor", signed_minor)
register.filter("bare_minor", signed_amount)
