"""Installs packages into ``.venv``: with uv if available, else with pip.

Standard library only. uv takes seconds where pip takes most of a minute. It does not read pip's
configuration, in which many networks name their index, proxy and certificates: :func:`for_uv` translates it
into uv's variables, for one call and never in a file.
"""

import ast
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import Path

QUIET = ("--disable-pip-version-check", "--no-input", "--progress-bar", "off")
# A user's pip can be configured to require virtual environments or to install per user.
HERE_ALONE = {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_USER": "0"}
INDEXES_OF_UV = ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_NO_INDEX")
# pip's setting to uv's variable, for those that both understand alike.
SAME = {
    "client-cert": "SSL_CLIENT_CERT",
    "trusted-host": "UV_INSECURE_HOST",
}
LAST_LINES = 15
"""Lines of a failed installer that are shown."""
KEYRINGS_OF_UV = frozenset({"disabled", "subprocess"})
NO = frozenset({"", "0", "false", "no", "off"})


def say(text: str) -> None:
    """Print progress on standard error: a command's output stays its own."""
    sys.stderr.write(f"midpoint: {text}\n")
    sys.stderr.flush()


class Runner:
    """Runs installers to their end, each inheriting a lock until then."""

    def __init__(self, guard: int | None = None) -> None:
        # The next builder waits for the children of a killed one, which still write.
        self.inherited = [] if guard is None else [guard]

    def run(
        self,
        command: Sequence[str | Path],
        each_line: Callable[[str], None] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> str | None:
        """Run a command; return None on success, else its last lines, and its last error before them."""
        lines: list[str] = []

        def take(line: str) -> None:
            lines.append(line)
            if each_line:
                each_line(line)

        code = self._run(command, take, variables)
        return None if code == 0 else "".join(_that_tell(lines)).strip() or f"exit code {code}"

    def output(self, command: Sequence[str | Path]) -> str | None:
        """What a command prints; None if it fails."""
        lines: list[str] = []
        return "".join(lines) if self._run(command, lines.append) == 0 else None

    def answers(self, program: str | Path) -> bool:
        return self.run([program, "--version"]) is None

    def _run(
        self,
        command: Sequence[str | Path],
        take: Callable[[str], object],
        variables: Mapping[str, str] | None = None,
    ) -> int:
        try:
            with subprocess.Popen(
                [str(word) for word in command],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                env=os.environ | dict(variables or {}),
                pass_fds=self.inherited,
            ) as process:
                for line in process.stdout or ():
                    take(line)
        except OSError as error:
            take(f"{command[0]}: {error.strerror}")
            return 127
        return process.returncode


def _that_tell(lines: Sequence[str]) -> list[str]:
    """The last lines of an installer. pip may list hundreds of hashes after the line that says its error."""
    last = list(lines[-LAST_LINES:])
    if any(line.startswith("ERROR") for line in last):
        return last
    errors = [line for line in lines[:-LAST_LINES] if line.startswith("ERROR")]
    return errors[-1:] + last


def bring_uv(runner: Runner, pip: Sequence[str], folder: Path, lock: Path) -> Path | str:
    """The uv of ``lock``, installed by ``pip`` into ``folder``; else an error text."""
    program = folder / "bin" / "uv"
    if program.exists() and runner.answers(program):
        return program
    new = folder.with_suffix(".new")
    for path in (new, folder):
        _remove(path)
    # Without a network each further try costs seconds, and pip itself will try again.
    words = ["install", *QUIET, "--quiet", "--retries", "1", "--no-deps", "--no-compile", "--require-hashes"]
    words += ["--only-binary", ":all:", "--target", str(new), "-r", str(lock)]
    if (failure := runner.run([*pip, *words], variables=HERE_ALONE)) is not None:
        shutil.rmtree(new, ignore_errors=True)
        return failure
    try:
        new.rename(folder)
    except OSError as error:  # it belongs to another user
        return f"{folder} cannot be replaced: {error.strerror}"
    return runner.run([program, "--version"]) or program


def _remove(path: Path) -> None:
    """Remove a folder, file or link; ignore what cannot be removed."""
    if path.is_symlink() or path.is_file():
        with contextlib.suppress(OSError):
            path.unlink()
    else:
        shutil.rmtree(path, ignore_errors=True)


def working_uv(runner: Runner) -> Path | None:
    """The path of a working uv; version managers leave shims that only fail."""
    uv = shutil.which("uv")
    return Path(uv) if uv and runner.answers(uv) else None


def pips_settings(listed: str) -> dict[str, str]:
    """The output of ``pip config list`` as one value per setting.

    A command's section comes before the global one, and the environment before both.
    """
    found: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in listed.splitlines():
        key, _, value = line.partition("=")
        section, _, name = key.partition(".")
        if section in found and name:
            with contextlib.suppress(ValueError, SyntaxError):  # a warning that looks like a setting
                found[section][name] = str(ast.literal_eval(value))
    return found["global"] | found["install"] | found[":env:"]


def pips_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """pip's settings in the environment, if there is no pip to ask."""
    return {
        name.removeprefix("PIP_").lower().replace("_", "-"): value
        for name, value in environ.items()
        if name.startswith("PIP_")
    }


def for_uv(pip: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    """uv's variables for pip's settings; existing uv variables are kept."""
    said = {name: " ".join(pip[setting].split()) for setting, name in SAME.items() if pip.get(setting)}
    with contextlib.suppress(ValueError, OverflowError):  # pip itself will say what is wrong with it
        said["UV_HTTP_TIMEOUT"] = str(ceil(float(pip["timeout"]))) if pip.get("timeout") else ""
    if pip.get("keyring-provider") in KEYRINGS_OF_UV:
        said["UV_KEYRING_PROVIDER"] = pip["keyring-provider"]
    if not any(environ.get(name) for name in INDEXES_OF_UV):
        said |= _indexes(pip)
    links = [link for link in pip.get("find-links", "").split() if "://" in link or Path(link).exists()]
    if links:  # pip passes over a folder that is not there, uv does not
        said["UV_FIND_LINKS"] = ",".join(links)
    if certificates := pip.get("cert") or environ.get("REQUESTS_CA_BUNDLE") or environ.get("CURL_CA_BUNDLE"):
        said["SSL_CERT_FILE"] = certificates
    if proxy := pip.get("proxy"):
        address = proxy if "://" in proxy else f"http://{proxy}"
        said |= {"HTTP_PROXY": address, "HTTPS_PROXY": address}
    return {name: value for name, value in said.items() if value and not environ.get(name)}


def _indexes(pip: Mapping[str, str]) -> dict[str, str]:
    said = {}
    if index := pip.get("index-url"):
        said["UV_DEFAULT_INDEX"] = index
    if extra := pip.get("extra-index-url", "").split():
        # As pip does: the best version of all indexes. The lock's hashes say which file that may be.
        said |= {"UV_INDEX": " ".join(extra), "UV_INDEX_STRATEGY": "unsafe-best-match"}
    if pip.get("no-index", "").lower() not in NO:
        said["UV_NO_INDEX"] = "1"
    return said


class PipProgress:
    """Turns pip's lines into a count every ten packages."""

    def __init__(self, count: int) -> None:
        self.count, self.seen = count, 0

    def __call__(self, line: str) -> None:
        if line.startswith(("Collecting ", "Requirement already satisfied")):
            self.seen += 1
            if self.seen % 10 == 0:
                say(f"  {self.seen} of at most {self.count}")
        elif line.startswith("Installing collected"):
            say("  writing them into .venv")
