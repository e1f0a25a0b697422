"""From state to message: the same functions serve the snapshot and the push. Each lists its members (C15)."""
