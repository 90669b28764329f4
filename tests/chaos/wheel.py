"""A package made on the spot, and the environment in which installers find it and nothing else."""

import hashlib
import zipfile
from pathlib import Path

NAME, VERSION = "midpoint-sample", "1.0"


class Wheel:
    """The wheel of a package with one module, in a folder."""

    module = "midpoint_sample"

    def __init__(self, folder: Path) -> None:
        path = folder / f"{self.module}-{VERSION}-py3-none-any.whl"
        information = f"{self.module}-{VERSION}.dist-info"
        files = {
            f"{self.module}.py": "",
            f"{information}/METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n",
            f"{information}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        files[f"{information}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{information}/RECORD"])
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in files.items():
                archive.writestr(
                    zipfile.ZipInfo(name), text
                )  # the same bytes at any time: the lock has their hash
        self.locked = f"{NAME}=={VERSION} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"
        no_network = {"NO_INDEX": "1", "FIND_LINKS": str(folder)}
        self.alone = {f"{tool}_{name}": value for tool in ("PIP", "UV") for name, value in no_network.items()}
