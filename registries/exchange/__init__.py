"""The definitions file: reading it, loading it, writing it (docs: the registries subsystem)."""
