"""The users' API, /api/v1 (protocol 5)."""
