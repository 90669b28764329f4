"""Backups of a whole site: taken while it runs, rotated, restored, checked."""
