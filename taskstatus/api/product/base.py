"""What every view of the users' API shares: who the user is (protocol 2)."""

from django.http import HttpResponse
from rest_framework.authentication import CSRFCheck
from rest_framework.request import Request

from taskstatus.api.base import ProblemView, plain
from taskstatus.domain.errors import DomainError
from taskstatus.identity.bearer import read_user
from taskstatus.identity.principals import User
from taskstatus.queries.session_users import session_user


class ProductView(ProblemView):
    """A path under /api/v1."""

    def user(self, request: Request) -> User:
        """The user by bearer token, else by Django session; a session's unsafe call needs its CSRF token."""
        self.principal = user = _read_user(request)
        return user


def _read_user(request: Request) -> User:
    authorization = request.headers.get("Authorization")
    account = plain(request).user
    if authorization is not None or not account.is_authenticated:
        return read_user(authorization)
    _require_csrf(request)
    return session_user(account, plain(request).session.session_key or "")


def _require_csrf(request: Request) -> None:
    check = CSRFCheck(lambda _request: HttpResponse())
    check.process_request(plain(request))
    if check.process_view(plain(request), HttpResponse, (), {}) is not None:
        raise DomainError("PERMISSION_REQUIRED", "The call came without the session's CSRF token.")
