"""One write at a time, as a use case would send it among others."""

from taskstatus.services.writes import Writes


def insert_rows(rows):
    writes = Writes()
    writes.insert(rows)
    writes.send()


def update_rows(rows, columns, guard, guards):
    writes = Writes()
    writes.update(rows, columns, guard, guards)
    writes.send()


def delete_rows(model, keys):
    writes = Writes()
    writes.delete(model, keys)
    writes.send()
