"""The pages of ``docs/`` inside the product: the same Markdown files, read by the people who use it."""
