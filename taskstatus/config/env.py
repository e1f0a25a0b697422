"""Every setting of the service: its name, type, reader and default, in one table.

A field's name in capitals is the name of the setting. ``settings.py`` maps the table to Django's
names and adds nothing. Text that can't be understood stops the start here; a value that is missing
or unsafe stops it in ``checks.py``.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar, cast

from limits import RateLimitItem

from taskstatus.config import parsing
from taskstatus.config.devsecrets import development_secrets
from taskstatus.config.source import Source, process_source

BASE_DIR = Path(__file__).resolve().parents[2]
Value = TypeVar("Value")


def setting(parse: Callable[[str], Value], default: str = "") -> Value:
    """Declare one setting: how its text is read, and the text that stands for an unset one."""
    return cast("Value", dataclasses.field(metadata={"parse": parse, "default": default}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Env:
    """The settings of one process."""

    debug: bool = setting(parsing.parse_switch, "off")
    var_dir: Path = setting(BASE_DIR.joinpath, "var")
    log_level: str = setting(parsing.parse_choice("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
    log_format: str = setting(parsing.parse_choice("auto", "json", "text"), "auto")

    secret_key: str = setting(str)
    allowed_hosts: tuple[str, ...] = setting(parsing.parse_list)
    csrf_trusted_origins: tuple[str, ...] = setting(parsing.parse_list)
    https_only: bool = setting(parsing.parse_switch, "off")
    trust_proxy_headers: bool = setting(parsing.parse_switch, "off")

    service_token_secret: str = setting(str)
    service_token_jwks: str = setting(str)
    service_token_issuer: str = setting(str)
    client_certificate_header: str = setting(str)
    user_token_secret: str = setting(str)
    user_token_jwks: str = setting(str)
    user_token_issuer: str = setting(str)
    execution_token_keys: tuple[tuple[str, str], ...] = setting(parsing.parse_signing_keys)
    execution_token_ttl: timedelta = setting(parsing.parse_duration, "3600")
    execution_handle_ttl: timedelta = setting(parsing.parse_duration, "86400")

    database_url: str = setting(str)
    db_lock_wait_seconds: int = setting(parsing.parse_whole(1, 60), "4")
    test_db_name: str = setting(str)
    redis_url: str = setting(parsing.parse_url("redis", "rediss", "unix"))

    bind_address: str = setting(str, "127.0.0.1")
    port: int = setting(parsing.parse_whole(1, 65_535), "8000")
    web_workers: int = setting(parsing.parse_whole(1, 64), "2")
    web_threads: int = setting(parsing.parse_whole(1, 256), "8")

    static_root: str = setting(str)

    realtime_transport: str = setting(parsing.parse_choice("sse", "centrifugo"), "sse")
    centrifugo_api_url: str = setting(parsing.parse_url("http", "https"))
    centrifugo_api_key: str = setting(str)
    centrifugo_public_url: str = setting(parsing.parse_url("ws", "wss", "http", "https"))
    centrifugo_token_secret: str = setting(str)
    centrifugo_subscription_token_secret: str = setting(str)
    max_detail_subscriptions: int = setting(parsing.parse_whole(1, 1_000), "20")
    max_watched_tasks: int = setting(parsing.parse_whole(1, 1_000), "20")
    watch_set_ttl: timedelta = setting(parsing.parse_duration, "600")
    max_streams_per_user: int = setting(parsing.parse_whole(1, 10_000), "100")

    outbox_batch_size: int = setting(parsing.parse_whole(1, 1_000), "500")
    outbox_lease_seconds: int = setting(parsing.parse_whole(1, 3_600), "30")
    outbox_publish_deadline_seconds: int = setting(parsing.parse_whole(1, 3_600), "10")

    rate_limit_reports: RateLimitItem | None = setting(parsing.parse_rate_limit, "5000/s")
    rate_limit_registrations: RateLimitItem | None = setting(parsing.parse_rate_limit, "500/s")
    rate_limit_heartbeats: RateLimitItem | None = setting(parsing.parse_rate_limit, "5000/s")

    builtin_profile_off: frozenset[tuple[str, str]] = setting(parsing.parse_scopes)
    health_scan_seconds: int = setting(parsing.parse_whole(1, 60), "1")
    retention_tasks: timedelta = setting(parsing.parse_duration, "90d")
    retention_events: timedelta = setting(parsing.parse_duration, "30d")
    retention_dedup: timedelta = setting(parsing.parse_duration, "30d")
    retention_outbox: timedelta = setting(parsing.parse_duration, "7d")


def load_env(source: Source | None = None) -> Env:
    """Read every setting; raise ``ImproperlyConfigured`` with the name of one that can't be understood.

    While ``DEBUG`` is on, a secret that is not set is taken from the checkout's own
    development secrets, made at the first start.
    """
    source = source or process_source(BASE_DIR)
    values = {field.name: _read(source, field) for field in dataclasses.fields(Env)}
    if values["debug"]:
        for name, text in development_secrets(values["var_dir"]).items():
            field = Env.__dataclass_fields__[name.lower()]
            values[field.name] = values[field.name] or field.metadata["parse"](text)
    return Env(**values)


def _read(source: Source, field: "dataclasses.Field[Any]") -> Any:  # noqa: ANN401 - the field knows its type
    return source.read(field.name.upper(), field.metadata["parse"], field.metadata["default"])
