"""Database work of streams: in threads of their own, with a connection that is given back at once."""

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
R = TypeVar("R")

THREADS: Final = 4


class LoanDesk:
    """Runs functions in a few threads; none of them keeps a connection for as long as a stream lasts."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stream")

    async def run(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The function's result; it raises what the function raises."""
        call = functools.partial(_with_a_connection, function, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    def close(self) -> None:
        """End the threads when their work is done."""
        self._threads.shutdown(wait=False)


def _with_a_connection(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return function(*args, **kwargs)
    finally:
        connections.close_all()
