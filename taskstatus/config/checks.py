"""What must be set, and safely, before any process of the service starts.

Each message names the setting and what to do about it. Text that can't even be read is refused
earlier, in ``env.py``; what only a connection can tell is in ``database_checks.py``.
"""

from collections import Counter

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured

from taskstatus.config.jwks import jwks_fault

SECRET_KEY_MIN_CHARACTERS = 50
SECRET_KEY_MIN_DISTINCT = 5
# HS256 keys shorter than the hash weaken it (RFC 7518, 3.2).
HS256_MIN_BYTES = 32
CENTRIFUGO_SETTINGS = (
    "CENTRIFUGO_API_URL",
    "CENTRIFUGO_API_KEY",
    "CENTRIFUGO_PUBLIC_URL",
    "CENTRIFUGO_TOKEN_SECRET",
    "CENTRIFUGO_SUBSCRIPTION_TOKEN_SECRET",
)
MAKE_A_SECRET = "Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"  # noqa: S105 - advice


def check_secret_key(**_kwargs: object) -> list[CheckMessage]:
    """E001: Django's own key is set, long and no placeholder."""
    try:
        key = settings.SECRET_KEY
    except ImproperlyConfigured:
        key = ""
    long_enough = len(key) >= SECRET_KEY_MIN_CHARACTERS and len(set(key)) >= SECRET_KEY_MIN_DISTINCT
    if long_enough and not key.startswith("django-insecure-"):
        return []
    return [_error("E001", "SECRET_KEY is missing or easy to guess (50 characters at least).", MAKE_A_SECRET)]


def check_allowed_hosts(**_kwargs: object) -> list[CheckMessage]:
    """E002: outside development the service knows by which names it is called."""
    if settings.DEBUG or settings.ALLOWED_HOSTS:
        return []
    return [_error("E002", "ALLOWED_HOSTS is empty.", "Name the hosts, as ALLOWED_HOSTS=tasks.example.com")]


def check_token_keys(**_kwargs: object) -> list[CheckMessage]:
    """E003, E004: there is a key for the tokens of services and of users, and each secret is long enough."""
    return [
        *_token_key_faults("SERVICE_TOKEN", "E003", "E005"),
        *_token_key_faults("USER_TOKEN", "E004", "E006"),
    ]


def _token_key_faults(prefix: str, missing_id: str, unsafe_id: str) -> list[CheckMessage]:
    secret, jwks = getattr(settings, f"{prefix}_SECRET"), getattr(settings, f"{prefix}_JWKS")
    if not secret and not jwks:
        hint = f"Set {prefix}_JWKS to a file or URL, or {prefix}_SECRET. {MAKE_A_SECRET}"
        return [_error(missing_id, f"{prefix}_SECRET and {prefix}_JWKS are both missing.", hint)]
    faults: list[CheckMessage] = []
    if secret and len(secret.encode()) < HS256_MIN_BYTES:
        faults.append(_error(unsafe_id, f"{prefix}_SECRET is shorter than 32 bytes.", MAKE_A_SECRET))
    if jwks and (fault := jwks_fault(jwks, debug=settings.DEBUG)):
        faults.append(_error(unsafe_id, f"{prefix}_JWKS {fault}.", "Name a readable JWKS file or an https URL."))
    return faults


def check_execution_token_keys(**_kwargs: object) -> list[CheckMessage]:
    """E007: the keys of execution tokens are there, long enough, and named once each."""
    keys = settings.EXECUTION_TOKEN_KEYS
    hint = f"Write EXECUTION_TOKEN_KEYS=kid:secret,kid:secret; the first signs. {MAKE_A_SECRET}"
    if not keys:
        return [_error("E007", "EXECUTION_TOKEN_KEYS is missing.", hint)]
    repeated = [kid for kid, count in Counter(kid for kid, _ in keys).items() if count > 1]
    short = [kid for kid, secret in keys if len(secret.encode()) < HS256_MIN_BYTES]
    return [
        *(_error("E007", f"EXECUTION_TOKEN_KEYS names the kid {kid} twice.", hint) for kid in repeated),
        *(_error("E007", f"EXECUTION_TOKEN_KEYS: the secret of {kid} is under 32 bytes.", hint) for kid in short),
    ]


def check_outbox_lease(**_kwargs: object) -> list[CheckMessage]:
    """E008: a claimed message can't be claimed again while it may still be being published."""
    if settings.OUTBOX_LEASE_SECONDS > settings.OUTBOX_PUBLISH_DEADLINE_SECONDS:
        return []
    return [
        _error(
            "E008",
            "OUTBOX_LEASE_SECONDS is not longer than OUTBOX_PUBLISH_DEADLINE_SECONDS.",
            "Give the lease more time than a publish may take, or messages go out twice.",
        ),
    ]


def check_realtime_transport(**_kwargs: object) -> list[CheckMessage]:
    """E009: Centrifugo, where it is chosen, can be reached and its tokens signed."""
    if settings.REALTIME_TRANSPORT != "centrifugo":
        return []
    hint = "Set it, or REALTIME_TRANSPORT=sse to do without Centrifugo."
    missing = [name for name in CENTRIFUGO_SETTINGS if not getattr(settings, name)]
    return [_error("E009", f"{name} is missing for REALTIME_TRANSPORT=centrifugo.", hint) for name in missing]


def _error(number: str, message: str, hint: str) -> CheckMessage:
    return Error(message, hint=hint, id=f"taskstatus.{number}")


SETTINGS_CHECKS = (
    check_secret_key,
    check_allowed_hosts,
    check_token_keys,
    check_execution_token_keys,
    check_outbox_lease,
    check_realtime_transport,
)
