"""The composition root: everything is wired here, and nothing below imports it."""
