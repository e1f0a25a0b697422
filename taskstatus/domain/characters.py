"""Which characters each kind of member may hold, as regular expressions (protocol 1).

Every pattern is written in the subset that Python's `re`, Rust's `regex` (behind pydantic) and ECMAScript
read alike: ASCII classes spelled out, no look-around, `^…$`. In Python use `re.fullmatch`: with `search` or
`match` a `$` also accepts one trailing line feed, which the other engines refuse. Lengths are checked apart.

Control characters are Unicode's category Cc: C0, DEL and C1. The line and paragraph separators (U+2028,
U+2029) and the bidirectional marks are none, and right-to-left titles need the latter: all are accepted, and
whatever shows a text isolates its direction. Lone surrogates never get here: `strict_json` refuses the body.
"""

from typing import Final

CALLER_KEY: Final = r"^[A-Za-z0-9._:-]+$"
"""Keys that callers choose: eventId, commandId, stepId, client…Key, broadcastId."""

CODE: Final = r"^[A-Z][A-Z0-9_.]*$"
"""Machine-readable codes: operations, event types, statuses, phases, errors, actions, task types."""

NAME: Final = r"^[A-Za-z0-9._-]+$"
"""Names of identities: tenants, users, projects, producers, scopes; they become part of channel names."""

PRINTABLE: Final = r"^[!-~]+$"
"""Foreign references: printable ASCII without the space."""

TITLE_TEXT: Final = r"^[^\x00-\x1f\x7f-\x9f]+$"
"""One line of human text: anything but control characters."""

FREE_TEXT: Final = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]+$"
"""Several lines of human text: line feed and tab are the only control characters."""
