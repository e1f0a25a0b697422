"""The paths that people open."""

from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.i18n import JavaScriptCatalog, set_language

from taskstatus.pages import views

# The page asks for it with its language in the address, so a copy may be kept.
words = cache_control(max_age=300)(JavaScriptCatalog.as_view())

urlpatterns = [
    path("", views.board, name="board"),
    path("tasks/<str:task_id>", views.board, name="task"),
    path("login", views.login, name="login"),
    path("logout", views.logout, name="logout"),
    path("i18n/language", set_language, name="set_language"),
    path("i18n/words.js", words, name="words"),
]
