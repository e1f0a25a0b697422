"""Reads: snapshots for those who may see them. Nothing here writes or locks."""
