"""A mail server for tests: speaks enough of RFC 5321 for smtplib, and can refuse, dawdle or hang."""

import socketserver
import threading
import time
from collections import Counter
from email import message_from_bytes
from email.message import Message


class MailServer(socketserver.ThreadingTCPServer):
    """Listens on a free port of 127.0.0.1; ``accepted`` holds what it took responsibility for."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.hangs = threading.Event()  # while set, a message is read but never accepted
        self.reading = threading.Event()  # a message was read
        self.forget()

    def forget(self) -> None:
        """Be as it was at the start."""
        self.accepted: list[tuple[list[str], bytes]] = []
        self.refused: dict[str, int] = {}  # answers to RCPT, by address
        self.pause = 0.0  # seconds before a message is accepted
        self.hangs.clear()
        self.reading.clear()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    @property
    def messages(self) -> list[Message]:
        return [message_from_bytes(data) for _, data in self.accepted]

    @property
    def ids(self) -> Counter[str]:
        return Counter(str(message["Message-ID"]) for message in self.messages)


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())

    def handle(self) -> None:
        try:
            self.converse()
        except (ConnectionError, BrokenPipeError):
            return  # the client was killed: nothing was accepted

    def converse(self) -> None:
        self.say("220 test")
        recipients: list[str] = []
        while line := self.rfile.readline():
            verb, _, rest = line.decode().strip().partition(" ")
            match verb.upper():
                case "EHLO" | "HELO" | "NOOP":
                    self.say("250 test")
                case "MAIL" | "RSET":
                    recipients = []
                    self.say("250 fine")
                case "RCPT":
                    address = rest.partition("<")[2].partition(">")[0]
                    code = self.server.refused.get(address, 250)
                    if code == 250:
                        recipients.append(address)
                    self.say(f"{code} {address}")
                case "DATA":
                    self.say("354 go on")
                    self.take(recipients)
                case "QUIT":
                    self.say("221 bye")
                    return
                case _:
                    self.say(f"502 {verb}?")

    def take(self, recipients: list[str]) -> None:
        data = b""
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return
            data += line
        hangs = self.server.hangs.is_set()
        self.server.reading.set()
        if hangs:
            self.rfile.readline()  # until the client gives up or is killed
            return
        time.sleep(self.server.pause)
        self.server.accepted.append((recipients, data))
        self.say("250 accepted")
