"""The backup file: a tar of compressed tables, keys and a manifest of checksums.

It is written as a stream, so that memory does not grow with a table: a member's header is corrected once its
length is known. The file gets its name, by a link that never replaces another, when it is complete and on
disk.
"""

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import IO, Any

from deploy.backup.errors import BackupError, DamagedBackupError
from deploy.backup.manifest import faults

MANIFEST, MANIFEST_SUM = "manifest.json", "manifest.json.sha256"
FORMAT = 1
PIECE = 256 * 1024
LONGEST_MANIFEST = 64 * 1024 * 1024
DRAFT = ".part"
_LEVEL = 3  # twice as fast as zlib's own choice, for a tenth more bytes
_GZIP = zlib.MAX_WBITS | 16


@dataclass(slots=True)
class ArchiveWriter:
    """Writes a backup."""

    file: FileIO
    taken_at: float
    members: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, name: str, content: bytes) -> None:
        """Add a member from memory."""
        self._member(name, [content])

    def add_compressed(self, name: str, pieces: Iterable[bytes]) -> str:
        """Add a member in pieces; return the SHA-256 of the uncompressed pieces."""
        digest = hashlib.sha256()
        self._member(name, _compressed(pieces, digest))
        return digest.hexdigest()

    def close(self, manifest: dict[str, Any]) -> None:
        """Write the manifest and the end of the tar, and flush all of it to disk."""
        text = json.dumps(manifest | {"format": FORMAT, "members": self.members}, indent=1).encode()
        self._member(MANIFEST, [text])
        self._member(MANIFEST_SUM, [f"{hashlib.sha256(text).hexdigest()}  {MANIFEST}\n".encode()])
        self._write(b"\0" * (2 * tarfile.BLOCKSIZE))
        os.fsync(self.file.fileno())

    def _member(self, name: str, pieces: Iterable[bytes]) -> None:
        header = tarfile.TarInfo(name)
        header.mode, header.mtime = 0o600, int(self.taken_at)
        begin = self.file.tell()
        self._write(header.tobuf(tarfile.GNU_FORMAT))
        digest = hashlib.sha256()
        for piece in pieces:
            digest.update(piece)
            self._write(piece)
        end = self.file.tell()
        header.size = end - begin - tarfile.BLOCKSIZE
        self._write(b"\0" * (-header.size % tarfile.BLOCKSIZE))
        after = self.file.tell()
        self.file.seek(begin)
        self._write(header.tobuf(tarfile.GNU_FORMAT))
        self.file.seek(after)
        self.members[name] = {"bytes": header.size, "sha256": digest.hexdigest()}

    def _write(self, content: bytes) -> None:
        """Write all bytes; unbuffered, so that closing a full disk reports nothing new."""
        left = memoryview(content)
        while left:
            left = left[self.file.write(left) :]


@contextlib.contextmanager
def written(path: Path, *, taken_at: float) -> Iterator[ArchiveWriter]:
    """A new private file that is complete or absent after the block.

    Raises:
        BackupError: the folder is missing or cannot be written, the disk is full, or the file exists.
    """
    draft = path.with_name(f".{path.name}{DRAFT}")
    refuse_existing(path)
    with _begun(draft, path) as file:
        try:
            with _explained(path):
                yield ArchiveWriter(file, taken_at)
                _name(draft, path)
        finally:
            draft.unlink(missing_ok=True)


def _begun(draft: Path, path: Path) -> FileIO:
    """Create an empty draft held by this process.

    A draft left by a killed process is removed and never written to: if it was killed at the very end, the
    same file already has its final name, and is a backup.
    """
    with _explained(path):
        with contextlib.suppress(FileNotFoundError), draft.open("rb") as left_over:
            _hold(left_over, draft, path)
            draft.unlink()
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        file = FileIO(descriptor, "r+")
        try:
            _hold(file, draft, path)
            os.fchmod(descriptor, 0o600)
        except BaseException:
            file.close()
            raise
        return file


def _hold(file: IO[bytes] | FileIO, draft: Path, path: Path) -> None:
    if not holds(file, draft):
        raise BackupError(f"another process is writing {path}")


def holds(file: IO[bytes] | FileIO, draft: Path) -> bool:
    """Lock a draft; False if another process holds it or it was replaced."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(file.fileno()), draft.stat(follow_symlinks=False))
    except (BlockingIOError, FileNotFoundError):
        return False


def refuse_existing(path: Path) -> None:
    if path.is_dir():
        raise BackupError(f"{path} is a folder: name a file in it")
    if path.exists() or path.is_symlink():
        raise BackupError(f"{path} already exists: name another file, or move it away")


def _name(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another file has taken it."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        refuse_existing(path)
        raise
    except OSError as error:  # FAT and some network file systems have no links
        if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS}:
            raise
        refuse_existing(path)
        draft.rename(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """The error with the file it is about, and what to do."""
    try:
        yield
    except OSError as error:
        remedies = {
            errno.ENOENT: "create the folder first",
            errno.ENOTDIR: "name a file in a folder",
            errno.EACCES: "give this user write permission there",
            errno.EROFS: "name a writable folder",
            errno.ENOSPC: "free some space or name another disk",
            errno.EDQUOT: "free some space or name another disk",
            errno.EFBIG: "free some space or name another disk",
        }
        remedy = remedies.get(error.errno or 0, "name another place")
        raise BackupError(
            f"{path} cannot be written: {error.strerror or error}; {remedy}. Nothing was left there"
        ) from error


def _compressed(pieces: Iterable[bytes], digest: Any) -> Iterator[bytes]:
    """The pieces as one gzip stream; ``digest`` is updated with the input."""
    squeeze = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    for piece in pieces:
        digest.update(piece)
        if out := squeeze.compress(piece):
            yield out
    yield squeeze.flush()


class Reader:
    """Reads a backup. Close it, or use it as a context manager.

    Raises:
        DamagedBackupError: no tar, no manifest, or a manifest that is not the one that was written.
        BackupError: the file cannot be read, or is of a later format.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("rb")  # closed by close()
        except OSError as error:
            raise BackupError(f"{path} cannot be read: {error.strerror or error}") from None
        try:
            self._tar = tarfile.open(fileobj=self._file, mode="r:")  # noqa: SIM115 - as the file
            self._infos = {info.name: info for info in self._tar.getmembers()}
            self.manifest = self._manifest()
        except (tarfile.TarError, EOFError, OSError) as error:
            self._file.close()
            raise DamagedBackupError(path, str(error)) from None
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._tar.close()
        self._file.close()

    def check(self) -> None:
        """Check the manifest's parts and each member's checksum.

        Raises DamagedBackupError for the first that is missing or differs.
        """
        if fault := next(faults(self.manifest), None):
            raise DamagedBackupError(self.path, f"{MANIFEST} is not a valid manifest: {fault}")
        named = set(self.manifest["members"])
        if others := sorted(set(self._infos) - named - {MANIFEST, MANIFEST_SUM}):
            raise DamagedBackupError(self.path, f"{others[0]} is not in its manifest")
        for name in sorted(named):
            digest = hashlib.sha256()
            for piece in self._pieces(name):
                digest.update(piece)
            if digest.hexdigest() != self.manifest["members"][name]["sha256"]:
                raise DamagedBackupError(self.path, f"{name} was changed after it was written")

    def content(self, name: str) -> bytes:
        """A small member, in full."""
        return b"".join(self._pieces(name))

    def expanded(self, name: str) -> Iterator[bytes]:
        """A compressed member, expanded in pieces."""
        expand = zlib.decompressobj(_GZIP)
        try:
            for piece in self._pieces(name):
                rest = piece
                while rest:
                    yield expand.decompress(rest, PIECE)
                    rest = expand.unconsumed_tail
            yield expand.flush()
        except zlib.error as error:
            raise DamagedBackupError(self.path, f"{name} cannot be unpacked: {error}") from None

    def _pieces(self, name: str) -> Iterator[bytes]:
        info = self._infos.get(name)
        member = self._tar.extractfile(info) if info else None
        if member is None or info is None:
            raise DamagedBackupError(self.path, f"{name} is missing")
        left = info.size
        with member:
            while piece := self._read(member, name):
                left -= len(piece)
                yield piece
        if left:
            raise DamagedBackupError(self.path, f"it ends in the middle of {name}")

    def _read(self, member: IO[bytes], name: str) -> bytes:
        try:
            return member.read(PIECE)
        except (tarfile.TarError, OSError) as error:
            raise DamagedBackupError(self.path, f"{name} cannot be read: {error}") from None

    def _manifest(self) -> dict[str, Any]:
        info = self._infos.get(MANIFEST)
        if info is None or info.size > LONGEST_MANIFEST:
            raise DamagedBackupError(self.path, f"it has no {MANIFEST}; was it cut off?")
        text = self.content(MANIFEST)
        if self.content(MANIFEST_SUM).split()[:1] != [hashlib.sha256(text).hexdigest().encode()]:
            raise DamagedBackupError(self.path, f"{MANIFEST} was changed after it was written")
        try:
            manifest = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DamagedBackupError(self.path, f"{MANIFEST} cannot be read: {error}") from None
        if not isinstance(manifest, dict) or type(manifest.get("format")) is not int:
            raise DamagedBackupError(self.path, f"{MANIFEST} has no format")
        if manifest["format"] > FORMAT:
            raise BackupError(
                f"{self.path} is of format {manifest['format']}, this Midpoint reads up to {FORMAT}: "
                "restore it with the version that made it, or a newer one"
            )
        return manifest
