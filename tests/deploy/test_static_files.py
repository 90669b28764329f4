"""A site whose static files were not collected says so, and collects them again where it can."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.http import StreamingHttpResponse
from django.test import Client

from clubs.http.compression import CompressAnswers
from deploy import checkout, scripts
from deploy.preparing import Preparing
from deploy.static_files import ShortStaticFiles, shortened
from deploy.supervisor import Supervisor
from tests.node import ROOT


@pytest.fixture
def not_collected(settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "deploy.static_files.ShortStaticFiles"}
    }


@pytest.mark.django_db
def test_the_error_page_is_drawn_without_them(not_collected):
    client = Client(raise_request_exception=False)
    answer = client.get("/nowhere/")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.content.decode()
    assert 'href="/static/clubs/base.css"' in answer.content.decode()


@pytest.mark.long
def test_the_web_process_says_which_command_is_missing(tmp_path: Path):
    told = subprocess.run(
        [sys.executable, "-c", "from deploy import web; web.load(); web.check_static_files()"],
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


def printed(folder: Path) -> dict[str, str]:
    """Each script of the folder as TypeScript prints the program that it read."""
    out = folder / "printed"
    names = [str(path) for path in sorted(folder.rglob("*.js"))]
    words = ("--allowJs", "--noCheck", "--noResolve", "--removeComments", "--ignoreConfig")
    kind = ("--target", "esnext", "--module", "esnext", "--rootDir", str(folder), "--outDir", str(out))
    scripts.call(ROOT, scripts.TSC, *words, *kind, *names)
    return {str(path.relative_to(out)): path.read_text() for path in out.rglob("*.js")}


@pytest.mark.long
def test_a_shortened_script_is_the_same_program(tmp_path: Path):
    sources = {
        name: ROOT / app / "static" / name
        for app in ("clubs", "scoring", "tournaments")
        for path in (ROOT / app / "static").rglob("*.js")
        if "/vendor/" not in (name := path.relative_to(ROOT / app / "static").as_posix())
    }
    for name, source in sources.items():
        text = source.read_text()
        for folder, written in (("source", text), ("short", shortened(name, text))):
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(written)
    assert len(sources) > 60
    read, sent = printed(tmp_path / "source"), printed(tmp_path / "short")
    assert set(read) == set(sources)
    assert sent == read


def test_styles_lose_their_comments_and_nothing_else():
    text = "/* why */\n@layer pages {\n  .a > b :is(c, d) {\n    width: calc(9% - 2rem); /* so */\n  }\n}\n"
    short = shortened("clubs/a.css", text)
    assert short == "@layer pages {\n.a > b :is(c, d) {\nwidth: calc(9% - 2rem);\n}\n}\n"
    assert shortened("clubs/vendor/a.css", text) == shortened("admin/css/a.css", text) == text


def test_scripts_lose_what_has_a_line_for_itself():
    text = "// why\nconst a = 1; // so\n  /**\n   * what\n   */\nconst b = `\n  ${a} //`;\n/** a */ (b);\n"
    assert shortened("scoring/a.js", text) == "const a = 1; // so\nconst b = `\n  ${a} //`;\n/** a */ (b);\n"


def test_what_is_collected_is_whole_and_short_under_every_name(not_collected, settings):
    storage = ShortStaticFiles()
    text = "/* why */\n.a { color: red; }\n"
    storage.save("clubs/a.css", ContentFile(text.encode()))
    paths = {"clubs/a.css": (storage, "clubs/a.css")}
    assert [processed for *_names, processed in storage.post_process(paths)]
    found = sorted(path for path in (settings.STATIC_ROOT / "clubs").iterdir() if path.suffix == ".css")
    assert len(found) == 2
    assert {path.read_text() for path in found} == {".a { color: red; }\n"}


def test_what_pages_ask_for_is_packed_twice_and_all_else_once(not_collected, settings):
    storage = ShortStaticFiles()
    text = b".a { color: red; }" * 100
    for name in ("clubs/a.css", "admin/a.css"):
        storage.save(name, ContentFile(text))
    paths = {name: (storage, name) for name in ("clubs/a.css", "admin/a.css")}
    assert [processed for *_names, processed in storage.post_process(paths)]
    packed = {
        app: sorted({path.suffix for path in (settings.STATIC_ROOT / app).iterdir()} - {".css"})
        for app in ("clubs", "admin")
    }
    assert packed == {"clubs": [".br", ".gz"], "admin": [".gz"]}


@pytest.mark.django_db
def test_a_page_is_sent_compressed_to_who_takes_it(client: Client):
    plain = client.get("/formats/")
    sent = client.get("/formats/", headers={"Accept-Encoding": "gzip"})
    assert sent.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert len(sent.content) < len(plain.content) / 3
    assert b"<h1" in gzip.decompress(sent.content)


def test_a_live_stream_is_not_held_back_to_be_compressed(rf):
    stream = StreamingHttpResponse(iter([b"id: 1\n\n"]), content_type="text/event-stream")
    answer = CompressAnswers(lambda _request: stream)(rf.get("/", headers={"Accept-Encoding": "gzip"}))
    assert answer is stream
    assert "Content-Encoding" not in answer.headers
    assert b"".join(stream) == b"id: 1\n\n"


@pytest.mark.django_db
def test_policies_of_documents_are_said_of_documents_alone(client: Client):
    page, file = client.get("/formats/"), client.get("/static/clubs/tokens.css")
    assert page.headers["Referrer-Policy"] == page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert file.status_code == 200
    assert file.headers["X-Content-Type-Options"] == "nosniff"
    assert not {"Referrer-Policy", "Cross-Origin-Opener-Policy"} & set(file.headers)
    assert file.getvalue().startswith(b"/*")
    file.close()
