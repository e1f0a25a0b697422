"""Pure words and rules: no Django, no I/O, no clock."""
