"""The pages behind the lists, one a module: each reads, calls a use case, and renders."""
