"""Sizes on every printed page, in millimetres."""

MARGIN = 15
ROW = 8
QR_SIZE = 34
