"""A child that behaves as badly as a test asks, started like an engine: `run_lines(MODULE, [mode], ...)`."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from scoring.engines.containment import contain

MODULE = "tests.scoring.engines.stand_in"


def echo():
    print(json.dumps({"echo": json.load(sys.stdin)}))


def hang():
    print(json.dumps({"pid": os.getpid()}), flush=True)
    time.sleep(600)


def hang_with_helper():
    helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print(json.dumps({"pid": os.getpid(), "helper": helper.pid}), flush=True)
    time.sleep(600)


def deaf():
    """Ignores the polite signals."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    hang()


def segfault():
    os.kill(os.getpid(), signal.SIGSEGV)


def greedy():
    held = bytearray(8 * 1024**3)
    print(json.dumps({"held": len(held)}))


def babble():
    print("this is not JSON", flush=True)
    time.sleep(600)


def endless_line():
    while True:
        sys.stdout.write("x" * 65536)


def endless_messages():
    message = json.dumps({"answer": ["x" * 16_000]}) + "\n"
    while True:
        sys.stdout.write(message)


def endless_errors():
    while True:
        sys.stderr.write("warning: " + "e" * 65536)


def errors_and_a_message():
    """More on standard error than a pipe holds, before and after what was asked for."""
    for _ in range(2):
        sys.stderr.write("e" * 1024 * 1024)
        print(json.dumps({"said": True}), flush=True)
    sys.stderr.write("\nthe end\n")
    sys.exit(3)


def nested():
    print("[" * 100_000)


def not_a_number():
    print('{"equity": NaN}')


def large_file():
    with tempfile.TemporaryFile() as file:
        while True:
            file.write(b"x" * 1024 * 1024)


def half_line():
    sys.stdout.write('{"half":')


def status():
    print("it went wrong", file=sys.stderr)
    sys.exit(3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--parent", type=int, required=True)
    parser.add_argument("--memory", type=int, required=True)
    parser.add_argument("mode")
    options = parser.parse_args()
    contain(parent=options.parent, memory_limit=options.memory)
    globals()[options.mode]()
