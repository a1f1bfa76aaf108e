from unittest import mock

import pytest
from django.db import DatabaseError
from django.test import Client

from notesite import health


def test_live_asks_no_database():
    # Without the mark that allows the database, asking it would fail the test.
    response = Client().get("/health/live")
    assert response.json() == {"status": "live"}


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.MEDIA_ROOT.mkdir()
    return settings.MEDIA_ROOT


@pytest.mark.django_db
def test_ready_when_all_is_there_and_leaves_no_file(client, media):
    response = client.get("/health/ready")
    assert (response.status_code, response.json()) == (200, {"status": "ready"})
    assert "no-store" in response["Cache-Control"]
    assert list(media.iterdir()) == []


@pytest.mark.django_db
def test_not_ready_without_a_media_folder(client, media):
    media.rmdir()
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json()["missing"] == ["The media folder can't be written to."]


@pytest.mark.django_db
def test_not_ready_while_the_database_is_away(client, media):
    with mock.patch.object(health.connection, "cursor", side_effect=DatabaseError("gone")):
        response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json()["missing"] == ["The database can't be asked."]


@pytest.mark.django_db
def test_not_ready_before_migrations_and_ready_after_them(client, media):
    health.tables_are_current.cache_clear()
    with mock.patch.object(health.MigrationExecutor, "migration_plan", return_value=["a", "b"]):
        response = client.get("/health/ready")
    assert response.json()["missing"] == ["2 migrations are not applied: run manage.py migrate."]
    assert client.get("/health/ready").status_code == 200
