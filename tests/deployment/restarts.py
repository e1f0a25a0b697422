"""One server of a deployment is killed under load and started again."""

from tests.deployment.load import Load
from tests.deployment.parts import Deployment


def restart_centrifugo(deployment: Deployment, load: Load) -> None:
    """Reports are acknowledged while it is away."""
    deployment.centrifugo.kill()
    load.more(30)
    deployment.centrifugo.start()


def restart_redis(deployment: Deployment, load: Load) -> None:
    """It keeps nothing on disk, so Centrifugo's histories are gone with it; reports are acknowledged meanwhile."""
    deployment.redis.stop()
    load.more(30)
    deployment.redis.start()


def restart_the_database(deployment: Deployment, load: Load) -> None:
    """Nothing can be acknowledged while it is away; workers ask again and again."""
    deployment.database.kill()
    load.suffer(20)
    deployment.database.start()


RESTARTS = [restart_centrifugo, restart_redis, restart_the_database]
