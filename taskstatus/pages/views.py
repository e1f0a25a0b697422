"""The shells of the pages. What is in them comes from the users' API, so that a page and a program see the same."""

from typing import Any

from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView, redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from taskstatus.domain.errors import DomainError
from taskstatus.identity.principals import User
from taskstatus.pages.security import self_contained
from taskstatus.queries.session_users import session_user

login = self_contained(LoginView.as_view(template_name="taskstatus/login.html", redirect_authenticated_user=True))
logout = self_contained(LogoutView.as_view())


@require_safe
@never_cache
@self_contained
def board(request: HttpRequest, task_id: str = "") -> HttpResponse:
    """The list of tasks, or one task: one shell, so that going from one to the other keeps the connection."""
    del task_id  # the page's script reads it from the address
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    try:
        user = session_user(request.user, request.session.session_key or "")
    except DomainError:
        return render(request, "taskstatus/no_profile.html", status=403)
    return render(request, "taskstatus/board.html", {"user_name": user.user_id, "page": page_settings(request, user)})


def page_settings(request: HttpRequest, user: User) -> dict[str, Any]:
    """What the page's scripts need to know: no secret is among it (S06)."""
    is_centrifugo = settings.REALTIME_TRANSPORT == "centrifugo"
    return {
        "language": get_language(),
        "reader": f"{user.tenant}/{user.user_id}",
        "csrfToken": get_token(request),
        "loginUrl": settings.LOGIN_URL,
        "centrifuge": static("taskstatus/centrifuge/index.mjs") if is_centrifugo else None,
    }
