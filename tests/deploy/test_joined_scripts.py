"""Scripts that a page loads together are one file, and what cannot be joined is refused where it stands."""

import re
import subprocess
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError

from deploy.joined_scripts import CannotJoin, joined
from deploy.static_files import ShortStaticFiles
from tests.joined_scripts import sources
from tests.node import ROOT, node

PAGE = {
    "a/first.js": 'import { count, said } from "./shared.js";\nimport { said as told } from "./shared.js";\n'
    "said.push(`first ${count()}`);\nglobalThis.told = told;\n",
    "a/second.js": 'import { Two } from "../b/own.js";\nimport { said } from "./shared.js";\n'
    "said.push(`second ${new Two().count()}`);\n",
    "a/shared.js": "// Shared.\nlet n = 0;\n/** Counts. */\n"
    "export const count = () => {\n  n += 1;\n  return n;\n};\n"
    "export const said = [];\n",
    "b/own.js": 'import "./early.js";\nimport { count } from "../a/shared.js";\n\nconst n = "own";\n'
    "export class Two {\n  count() {\n    return `${n} ${count()}`;\n  }\n}\n",
    "b/early.js": 'import { said } from "../a/shared.js";\nconst n = "early";\nsaid.push(n);\n',
    "b/alone.js": '"use strict";\nconst alone = 1;\n',
}


def written(folder: Path, files: dict[str, str]) -> None:
    (folder / "package.json").write_text('{"type": "module"}')
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run(folder: Path, entries: list[str]) -> str:
    """What these entries of one page have said after they ran."""
    loads = "".join(f'await import("./{name}");' for name in entries)
    words = [str(node()), "--input-type=module", "--eval", f"{loads}console.log(globalThis.told.join());"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def test_a_module_of_two_scripts_of_a_page_runs_once_and_each_keeps_its_scope(tmp_path: Path):
    files = joined(PAGE)
    assert sorted(files) == ["a/first.js", "a/second.js", "a/shared.js", "b/alone.js"]
    assert files["b/alone.js"] == PAGE["b/alone.js"]
    for name, found in (("sources", PAGE), ("joined", files)):
        (tmp_path / name).mkdir()
        written(tmp_path / name, found)
    entries = ["a/first.js", "a/second.js"]
    assert run(tmp_path / "sources", entries) == "first 1,early,second own 2"
    assert run(tmp_path / "joined", entries) == "first 1,early,second own 2"


def test_an_entry_asks_for_every_file_itself():
    files = joined(
        {
            "one.js": 'import { a } from "./a.js";\na();\n',
            "two.js": 'import { a } from "./a.js";\nimport { b } from "./b.js";\na(b);\n',
            "three.js": 'import { b } from "./b.js";\nb();\n',
            "a.js": 'import { b } from "./b.js";\nexport const a = () => b();\n',
            "b.js": "export const b = () => 1;\n",
        }
    )
    assert [line for line in files["one.js"].splitlines() if line.startswith("import")] == [
        'import "./b.js";',
        'import { a } from "./a.js";',
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('import * as all from "./b.js";', "a form that is not joined"),
        ('import b from "./b.js";', "a form that is not joined"),
        ('import { b } from "b";', "a form that is not joined"),
        ('export { b } from "./b.js";', "a form that is not joined"),
        ("export default 1;", "a form that is not joined"),
        ("export let later = 1;", "a form that is not joined"),
        ("export const { c } = { c: 1 };", "a form that is not joined"),
        ('const late = () => import("./b.js");', "neither loads others while it runs"),
        ("const here = import.meta.url;", "neither loads others while it runs"),
        ("await fetch('/');", "nor waits while it is loaded"),
        ('const x = 1;\nimport { b } from "./b.js";', "imports stand before everything else"),
        ('import { c } from "./b.js";', "b.js does not export 'c'"),
        ('import { b } from "./missing.js";', "missing.js is no script of ours"),
    ],
)
def test_what_cannot_be_joined_is_refused_with_its_line(line: str, why: str):
    with pytest.raises(CannotJoin, match=re.escape(why)) as refused:
        joined({"a.js": f"// why\n\n{line}\n", "b.js": "export const b = 1;\n"})
    assert str(refused.value).startswith(f"a.js:{3 + line.count(chr(10))}: ")


def test_modules_in_a_circle_are_refused_with_the_way():
    circle = {f"{one}.js": f'import "./{two}.js";\n' for one, two in ("ab", "bc", "ca")}
    for files in (circle, circle | {"page.js": 'import "./b.js";\n'}):
        with pytest.raises(CannotJoin, match=r"in a circle: (\w)\.js → \w\.js → \w\.js → \1\.js"):
            joined(files)


def test_words_in_comments_and_text_are_no_imports():
    text = '/** @type {import("./b.js").B} */\nconst a = "export it";\n// import("./b.js")\n  // await it\n'
    assert joined({"a.js": text}) == {"a.js": text}


def test_collecting_fails_for_a_script_that_cannot_be_joined(settings, tmp_path: Path):
    settings.STATIC_ROOT = tmp_path
    storage = ShortStaticFiles()
    storage.save("scoring/a.js", ContentFile(b'\nimport all from "./b.js";\n'))
    with pytest.raises(CommandError, match=r"cannot be joined: scoring/a\.js:2: .*: import all from"):
        list(storage.post_process({"scoring/a.js": (storage, "scoring/a.js")}))


def test_a_collected_script_names_what_it_imports_by_its_content(settings, tmp_path: Path):
    settings.STATIC_ROOT = tmp_path
    storage = ShortStaticFiles()
    modules = {
        "scoring/page.js": 'import { b } from "../clubs/b.js";\nb();\n',
        "tournaments/other.js": 'import { b } from "../clubs/b.js";\nb();\n',
        "clubs/b.js": 'import { c } from "./c.js";\nexport const b = () => c;\n',
        "clubs/c.js": "export const c = 1;\n",
    }
    for name, text in modules.items():
        storage.save(name, ContentFile(text.encode()))
    list(storage.post_process({name: (storage, name) for name in modules}))
    named = {name: Path(storage.stored_name(name)) for name in storage.hashed_files}
    assert set(named) == {"scoring/page.js", "tournaments/other.js", "clubs/b.js"}
    page = (tmp_path / named["scoring/page.js"]).read_text()
    assert page == f'import {{ clubs$b }} from "../{named["clubs/b.js"]}";\nconst {{ b }} = clubs$b;\nb();\n'
    assert not (tmp_path / "clubs/c.js").exists()


def test_templates_name_scripts_that_no_other_imports():
    named = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r"""\{% static ['"]([^'"]+\.js)['"] %\}""", path.read_text())
        if name in sources()
    }
    assert len(named) > 15
    imported = {
        name for name, text in joined(sources()).items() if re.search(r"^export \{", text, re.MULTILINE)
    }
    assert named <= joined(sources()).keys() - imported


def test_a_scoresheet_is_a_few_files():
    text = joined(sources())["scoring/sheets/scoresheet.js"]
    assert len(re.findall(r"^import ", text, re.MULTILINE)) < 10


def test_every_joined_script_can_be_read(tmp_path: Path):
    files = joined(sources())
    written(tmp_path, files)
    every = "".join(
        f'try {{ new vm.SourceTextModule(fs.readFileSync("{name}", "utf8")); }} catch (error) {{ '
        f'console.log("{name}", error.message); }}'
        for name in files
    )
    script = f'import fs from "node:fs";import vm from "node:vm";{every}'
    options = ["--experimental-vm-modules", "--no-warnings", "--input-type=module"]
    words = [str(node()), *options, "--eval", script]
    answer = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert answer.stdout == ""
