"""The snippet with which another site shows a decision."""

from html import escape

WIDTH, HEIGHT = 480, 720
"""Of the frame in CSS pixels: the board of one decision with its candidates."""


def snippet_of(address: str, title: str, *, width: int | str = WIDTH, height: int = HEIGHT) -> str:
    """HTML for another page: a frame with the address, a size and a title for screen readers."""
    frame = f'src="{escape(address)}" title="{escape(title)}" width="{width}" height="{height}"'
    return f'<iframe {frame} loading="lazy"></iframe>'
