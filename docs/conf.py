"""Sphinx builds the docs as a site from the same Markdown that the product shows at ``/help/``.

``python3 manage.py docs`` runs it. Nothing is fetched: theme, search and fonts are local.
"""

import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]

project = "Midpoint"
author = "the Midpoint authors"
version = release = PROJECT["version"]
language = "en"
root_doc = "index"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["examples", "images"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist", "strikethrough"]
myst_heading_anchors = 4  # as deep as clubs.help.markdown.ANCHORED
suppress_warnings = ["myst.strikethrough"]

html_theme = "furo"
html_title = f"Midpoint {release}"
html_logo = "../clubs/static/clubs/logo.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "native"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f5a54", "color-brand-content": "#0f5a54"},
    "dark_css_variables": {"color-brand-primary": "#74c2b4", "color-brand-content": "#74c2b4"},
}
