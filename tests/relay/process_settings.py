"""Settings of a relay process in a test: the suite's, with the publisher that the environment names."""

import os

from tests.settings import *  # noqa: F403 - all of it

OUTBOX_PUBLISHER = os.environ["RELAY_PUBLISHER"]
