"""The help: the Markdown pages of ``docs/`` inside the product."""
