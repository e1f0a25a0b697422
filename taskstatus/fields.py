"""The column type of every identifier, key and code: compared as bytes on each supported database."""

from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

# `utf8mb4_bin` pads with spaces on both servers: there 'a' equals 'a '. These two are binary without padding.
MYSQL_COLLATION: Final = "utf8mb4_0900_bin"
MARIADB_COLLATION: Final = "utf8mb4_nopad_bin"


def binary_collation(connection: BaseDatabaseWrapper) -> str | None:
    """The collation without case, accents or padding; None where bytes are compared anyway (SQLite)."""
    if connection.vendor != "mysql":
        return None
    return MARIADB_COLLATION if getattr(connection, "mysql_is_mariadb", False) else MYSQL_COLLATION


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Set = TypeVar("Set", default=Any)
    Get = TypeVar("Get", default=Any)

    # Django's fields are generic to the checker only. A class of its own, not another name for CharField:
    # the checker follows a foreign key to its column's class.
    class IdentifierField(models.CharField[Set, Get]):
        """What the checker sees of the class below."""

else:

    class IdentifierField(models.CharField):
        """A CharField whose values differ as soon as one byte does: case, accent, trailing space (ruling 3).

        The collation is chosen for the server when the column is made, so one migration serves every
        database. Joined with another IdentifierField it compares bytes; a join with a plain CharField,
        or with raw SQL that names another collation, the server may refuse.
        """

        def db_parameters(self, connection: BaseDatabaseWrapper) -> dict[str, str | None]:
            """Return the column's type and check, and the server's own binary collation."""
            return {**super().db_parameters(connection), "collation": binary_collation(connection)}
