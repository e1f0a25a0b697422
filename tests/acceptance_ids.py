"""The numbers of the acceptance list, section by section: what may stand in `@pytest.mark.accepts`."""

from typing import Final

# Section letter and how many sentences it has.
SECTIONS: Final = {
    "C": 35,  # the write path
    "G": 8,  # registries and admin
    "H": 12,  # heartbeats and health
    "R": 21,  # realtime, recovery and the client
    "S": 13,  # security
    "A": 12,  # availability
    "O": 6,  # observability and data life
    "P": 5,  # partitioning
}

ACCEPTANCE_IDS: Final = tuple(
    f"{section}{number:02}" for section, count in SECTIONS.items() for number in range(1, count + 1)
)
