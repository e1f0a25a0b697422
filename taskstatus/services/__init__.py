"""What the system can do: one use case a file, each one transaction."""
