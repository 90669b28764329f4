"""The address a site listens on, its host names, and errors when it is taken."""

import contextlib
import socket
from dataclasses import dataclass
from pathlib import Path

from deploy import network
from deploy.network import interface_addresses


class UpError(Exception):
    """The site cannot start; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the web process listens."""

    bind: str
    port: int

    @property
    def everywhere(self) -> bool:
        return self.bind in {"0.0.0.0", "::", ""}  # noqa: S104 - compared, not bound

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        host = "127.0.0.1" if self.everywhere else self.bind
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def listen(self) -> socket.socket:
        """The listening socket.

        Raises:
            UpError: the port is taken, or the address is not this machine's.
        """
        try:
            return network.listen(f"{self.bind}:{self.port}")
        except PermissionError:
            raise UpError(
                f"port {self.port} needs root rights; choose one above 1023, such as --port 8000"
            ) from None
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno == 99:
                raise UpError(f"{self.bind} is not an address of this machine; try --bind 0.0.0.0") from None
            raise UpError(
                f"port {self.port} on {self.bind} is taken{holder(self.port)}. "
                f"Stop that program or choose another port: manage.py up --port {free_port(self)}"
            ) from None


def holder(port: int) -> str:
    """`` by NAME (process PID)`` for the listener on a TCP port, else empty.

    Only where Linux shows it.
    """
    with contextlib.suppress(OSError):
        inodes = set()
        for table in ("/proc/net/tcp", "/proc/net/tcp6"):
            rows = [line.split() for line in Path(table).read_text().splitlines()[1:]]
            inodes |= {
                row[9] for row in rows if row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port
            }
        wanted = {f"socket:[{inode}]" for inode in inodes}
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if any(str(link.readlink()) in wanted for link in (entry / "fd").iterdir()):
                    return f" by {(entry / 'comm').read_text().strip()} (process {entry.name})"
    return ""


def free_port(taken: Address) -> int:
    """The next free port above a taken one."""
    for port in range(taken.port + 1, taken.port + 50):
        with contextlib.suppress(OSError), network.listen(f"{taken.bind}:{port}"):
            return port
    return taken.port + 50


def allowed_hosts(address: Address) -> list[str]:
    """The host names that visitors can use: those this machine listens on."""
    hosts = ["localhost", "127.0.0.1", "[::1]"]
    if not address.everywhere:
        bracketed = f"[{address.bind}]" if ":" in address.bind else address.bind
        return list(dict.fromkeys([*hosts, bracketed]))
    name = socket.gethostname()
    hosts += [name, f"{name}.local", socket.getfqdn()]
    with contextlib.suppress(OSError):
        hosts += [str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)]
    hosts += interface_addresses()
    return list(dict.fromkeys(hosts))


def venue_urls(address: Address) -> list[str]:
    """The addresses by which phones in the local network reach this machine.

    None if it listens on loopback only.
    """
    if address.everywhere:
        return [f"http://{host}:{address.port}" for host in interface_addresses()]
    loopback = address.bind == "localhost" or address.bind.startswith("127.") or address.bind == "::1"
    return [] if loopback else [address.url]


def a_host_of(allowed: str) -> str:
    """A host name that the comma-separated ``ALLOWED_HOSTS`` admits."""
    first = allowed.split(",", maxsplit=1)[0].strip()
    return "localhost" if first in {"*", ""} else first.removeprefix(".")
