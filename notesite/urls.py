"""The site's table of contents."""

from django.contrib import admin
from django.urls import path

from notesite import health, sign_in

urlpatterns = [
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
    path("sign-in/<str:token>/", sign_in.sign_in, name="sign_in"),
    path("admin/set-password/", sign_in.set_password, name="set_password"),
    path("admin/", admin.site.urls),
]
