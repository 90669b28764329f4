"""A browser that reads what is pushed to it, and its push service, for tests of calls."""

import json
from base64 import urlsafe_b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import urandom
from threading import Event, Thread

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class PushBrowser:
    """A browser with its keys, and a push service that answers with ``status``.

    While it ``holds`` it takes what is sent, which ``took`` tells, and answers nothing.
    """

    def __init__(self, status: int = 201) -> None:
        self.private, self.auth = ec.generate_private_key(ec.SECP256R1()), urandom(16)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.holds = False
        self.took = Event()
        browser = self

        class Service(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if browser.holds:
                    browser.took.set()
                    # Until whoever asked is gone.
                    self.rfile.read(1)
                    self.close_connection = True
                    return
                browser.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
        Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self) -> dict[str, str]:
        """What the browser tells whoever is to push to it: the fields of a ``PushAddress``."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        endpoint = f"http://127.0.0.1:{self.server.server_port}/push"
        return {"endpoint": endpoint, "p256dh": _plain(point), "auth": _plain(self.auth)}

    def read(self) -> dict[str, str]:
        """The last message."""
        _headers, body = self.got[-1]
        text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth)
        message: dict[str, str] = json.loads(text)
        return message

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def _plain(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
