"""Packages made on the spot, and the environment in which installers find them and nothing else."""

import hashlib
import zipfile
from pathlib import Path

EXECUTABLE = 0o100755 << 16


class Wheel:
    """The wheel of a package with one module, in a folder; ``program`` is one that it brings."""

    def __init__(
        self, folder: Path, name: str = "midpoint-sample", version: str = "1.0", program: bytes | None = None
    ) -> None:
        self.module = name.replace("-", "_")
        self.path = folder / f"{self.module}-{version}-py3-none-any.whl"
        information = f"{self.module}-{version}.dist-info"
        files: dict[str, bytes] = {
            f"{self.module}.py": b"",
            f"{information}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
            f"{information}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        if program is not None:
            files[f"{self.module}-{version}.data/scripts/{name}"] = program
        names = [*files, f"{information}/RECORD"]
        files[f"{information}/RECORD"] = "".join(f"{name},,\n" for name in names).encode()
        with zipfile.ZipFile(self.path, "w") as archive:
            for filename, content in files.items():
                entry = zipfile.ZipInfo(filename)  # the same bytes at any time: the lock has their hash
                entry.external_attr = EXECUTABLE
                archive.writestr(entry, content)
        digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
        self.locked = f"{name}=={version} --hash=sha256:{digest}\n"
        # Settings that only pip reads: we pass them on to uv.
        self.alone = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}
