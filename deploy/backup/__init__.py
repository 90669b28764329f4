"""Backups of a whole installation: taken while it runs, rotated, read, restored and checked."""
