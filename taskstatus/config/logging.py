"""Logs: one JSON object a line in production, short text while developing; never a token (convention 22)."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from taskstatus.config.env import Env

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_SECRET = re.compile(
    r"(?i:\bBearer\s+[^\s\"',]+)"
    r"|\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*"
    r"|\bexh_[0-9A-Za-z]{3}_[A-Za-z2-7=]+"
)
_MASK = "[redacted]"


def redact(text: str) -> str:
    """Return ``text`` with everything masked that looks like a JWT, a handle or a Bearer credential."""
    return _SECRET.sub(_MASK, text)


def _redact_value(value: Any) -> Any:  # noqa: ANN401 - whatever a caller logs
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: _redact_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redact_value(item) for item in value]
    return value


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    return {name: _redact_value(value) for name, value in vars(record).items() if name not in _STANDARD}


class TextFormatter(logging.Formatter):
    """A line for a person: time, level, logger, message, then the ids that came with it."""

    default_msec_format = "%s.%03d"

    def __init__(self) -> None:
        """Fix the line's form."""
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Return the redacted line, a traceback below it."""
        ids = "".join(f" {name}={value}" for name, value in _extra(record).items() if isinstance(value, str | int))
        head, newline, traceback = super().format(record).partition("\n")
        return redact(f"{head}{ids}{newline}{traceback}")


class JsonFormatter(logging.Formatter):
    """One JSON object: timestamp, level, logger, message, every ``extra`` member, and the traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the redacted object on one line."""
        entry: dict[str, Any] = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        entry |= {name: value for name, value in _extra(record).items() if name not in entry}
        if record.exc_info:
            entry["exception"] = redact(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False, default=lambda value: redact(str(value)))


def logging_config(env: Env) -> dict[str, Any]:
    """Return Django's ``LOGGING``: everything to standard error, in the form that ``LOG_FORMAT`` names."""
    auto = "text" if env.debug else "json"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"()": f"{__name__}.TextFormatter"},
            "json": {"()": f"{__name__}.JsonFormatter"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": auto if env.log_format == "auto" else env.log_format,
            },
        },
        "root": {"handlers": ["stderr"], "level": env.log_level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # Django repeats every 4xx; the access log and the problem body say it already.
            "django.request": {"level": "ERROR"},
            "django.db.backends": {"level": "INFO"},
            # A line each for every tick of the schedule would bury the rest.
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.worker.request": {"level": "WARNING"},
        },
    }
