"""A site whose static files were not collected says so, and collects them again where it can."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from deploy import checkout
from deploy.preparing import Preparing
from deploy.supervisor import Supervisor


@pytest.fixture
def not_collected(settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }


@pytest.mark.django_db
def test_the_error_page_is_drawn_without_them(not_collected):
    client = Client(raise_request_exception=False)
    answer = client.get("/nowhere/")
    assert answer.status_code == 500
    assert "A mistake of ours" in answer.content.decode()
    assert 'href="/static/clubs/base.css"' in answer.content.decode()


def test_the_web_process_says_which_command_is_missing(tmp_path: Path):
    told = subprocess.run(
        [sys.executable, "-c", "from deploy import web; web.load(); web.tell_of_missing_static_files()"],
        cwd=checkout.ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "MIDPOINT_VAR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"are not collected in {tmp_path / 'static'}: run manage.py collectstatic" in told.stderr


def test_they_are_collected_again_where_somebody_has_removed_them(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("MIDPOINT_VAR", str(tmp_path))
    collected = tmp_path / "static" / "staticfiles.json"
    collected.parent.mkdir()
    collected.touch()

    def collects() -> bool:
        with Preparing(Supervisor("static", print)) as preparing:
            preparing.stamp.write_text(preparing.wanted)
            return preparing.collects

    assert [collects(), collects()] == [True, False]
    collected.unlink()
    assert collects()
