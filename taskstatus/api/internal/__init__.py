"""The services' API, /internal/v1 (protocol 4)."""
