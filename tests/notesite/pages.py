"""A few pages that do what pages of the site may do, for the tests of what stands around them."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache


def page(request):
    return HttpResponse("word " * 500)


def asks_who_reads(request):
    return HttpResponse(f"{request.user.is_authenticated} " * 100)


def sets_a_cookie(request):
    request.session["visited"] = True
    return HttpResponse("hello " * 100)


def breaks(request):
    raise ValueError("the secret of this request")


@never_cache
def holds_a_token(request):
    return HttpResponse("token " * 100)


def clock(request):
    zone, language = timezone.get_current_timezone_name(), translation.get_language()
    return HttpResponse(f"{request.site.name}, {zone}, {language}")


urlpatterns = [
    path("page", page),
    path("who", asks_who_reads),
    path("cookie", sets_a_cookie),
    path("breaks", breaks),
    path("token", holds_a_token),
    path("clock", clock),
    path("leads", lambda request: redirect("/page")),
]

# Pages of their own, without the site's templates.
handler404 = "tests.notesite.pages.not_there"
handler400 = "tests.notesite.pages.not_understood"
handler500 = "tests.notesite.pages.broken"


def not_there(request, exception):
    return HttpResponse("Not there.", status=404)


def not_understood(request, exception):
    return HttpResponse("Not understood.", status=400)


def broken(request):
    return HttpResponse("Broken.", status=500)
