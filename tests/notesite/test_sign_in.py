from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from notesite.models import SignInLink
from notesite.sign_in import administrator_without_password, make_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin():
    return get_user_model().objects.create_superuser("admin")


def address(link):
    return link.removeprefix(settings.SITE_URL)


def signed_in_as(client):
    return client.session.get("_auth_user_id")


def test_looking_at_the_link_uses_nothing_up(client, admin):
    link = address(make_link(admin))
    for _ in range(3):
        response = client.get(link)
        assert response.status_code == 200
        assert "Sign in as admin" in response.content.decode()
    assert signed_in_as(client) is None


def test_the_button_signs_in_and_asks_for_a_password(client, admin):
    response = client.post(address(make_link(admin)), follow=True)
    assert response.redirect_chain == [("/admin/", 302)]
    assert signed_in_as(client) == str(admin.pk)
    assert 'href="/admin/set-password/"' in response.content.decode()


def test_the_link_works_once(client, admin):
    link = address(make_link(admin))
    client.post(link)
    second = Client()
    assert second.post(link).status_code == 410
    assert signed_in_as(second) is None
    assert second.get(link).status_code == 410


def test_a_newer_link_takes_its_place(client, admin):
    old, new = address(make_link(admin)), address(make_link(admin))
    assert client.post(old).status_code == 410
    assert client.post(new).status_code == 302


def test_the_link_lasts_an_hour(client, admin):
    link = address(make_link(admin))
    with time_machine.travel(timezone.now() + timedelta(minutes=59)):
        assert client.get(link).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(minutes=61)):
        assert client.post(link).status_code == 410


def test_a_closed_account_stays_closed(client, admin):
    link = address(make_link(admin))
    admin.is_active = False
    admin.save()
    assert client.post(link).status_code == 410


def test_the_database_does_not_hold_the_token(admin):
    token = make_link(admin).rstrip("/").rsplit("/", 1)[1]
    assert len(token) >= 43
    assert token not in str(SignInLink.objects.values_list())


def test_the_page_is_stored_found_and_leaked_nowhere(client, admin):
    response = client.get(address(make_link(admin)))
    assert "no-store" in response["Cache-Control"]
    assert response["Referrer-Policy"] == "strict-origin"
    assert "noindex" in response["X-Robots-Tag"]


def test_the_button_needs_its_own_page(admin):
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(address(make_link(admin))).status_code == 403


def test_a_password_is_set_without_an_old_one(client, admin):
    client.post(address(make_link(admin)))
    words = {"new_password1": "violet-harbour-41", "new_password2": "violet-harbour-41"}
    assert client.post("/admin/set-password/", words).status_code == 302
    assert signed_in_as(client) == str(admin.pk)
    assert Client().login(username="admin", password="violet-harbour-41")
    assert administrator_without_password() is None


def test_a_weak_password_is_refused_with_the_reason(client, admin):
    client.post(address(make_link(admin)))
    words = {"new_password1": "short", "new_password2": "short"}
    response = client.post("/admin/set-password/", words)
    assert response.status_code == 200
    assert "at least 12 characters" in response.content.decode()
    admin.refresh_from_db()
    assert not admin.has_usable_password()


def test_who_signed_in_by_password_gives_the_old_one(client, admin):
    admin.set_password("violet-harbour-41")
    admin.save()
    client.force_login(admin)
    response = client.get("/admin/set-password/")
    assert response["Location"] == "/admin/password_change/"


def user_tools(client):
    page = BeautifulSoup(client.get("/admin/").content, "html.parser")
    links = page.select("#user-tools a")
    return {link.get_text(strip=True): link["href"] for link in links}


def test_every_page_offers_a_password_until_there_is_one(client, admin):
    client.force_login(admin)
    for _ in range(2):
        assert user_tools(client)["Set a password"] == "/admin/set-password/"
        assert "Change password" not in user_tools(client)
    assert client.get("/admin/password_change/")["Location"] == "/admin/set-password/"
    words = {"new_password1": "violet-harbour-41", "new_password2": "violet-harbour-41"}
    client.post("/admin/set-password/", words)
    assert user_tools(client)["Change password"] == "/admin/password_change/"
    assert "Set a password" not in user_tools(client)
    assert "id_old_password" in client.get("/admin/password_change/").content.decode()


def test_who_forgot_the_password_and_came_by_the_link_is_asked_for_no_old_one(client, admin):
    admin.set_password("violet-harbour-41")
    admin.save()
    client.post(address(make_link(admin)))
    assert user_tools(client)["Set a password"] == "/admin/set-password/"
    assert client.get("/admin/password_change/")["Location"] == "/admin/set-password/"


def test_a_stranger_changes_no_password(client):
    assert client.get("/admin/password_change/")["Location"].startswith("/admin/login/")


def test_a_stranger_sets_no_password(client):
    assert client.get("/admin/set-password/")["Location"].startswith("/admin/login/")


def run(*arguments):
    out = StringIO()
    call_command("sign_in_link", *arguments, stdout=out)
    return out.getvalue().strip()


def test_the_command_prints_a_link_that_works(client, admin):
    assert client.post(address(run())).status_code == 302


def test_the_command_takes_a_user_and_names_those_there_are(client, admin):
    writer = get_user_model().objects.create_user("writer", is_staff=True)
    client.post(address(run("writer")))
    assert signed_in_as(client) == str(writer.pk)
    with pytest.raises(CommandError, match="Nobody named “nobody” may sign in.*admin, writer"):
        run("nobody")
