"""Who calls: services, users and executions, proven by tokens and handles (protocol 2)."""
