"""Found a club, send in a match file, wait for its analysis, print both error rates. Scopes: own, record.

python3 docs/examples/match_to_error_rates.py http://127.0.0.1:8000 TOKEN match.mat
"""

import json
import sys
import time
import urllib.request
import uuid
from pathlib import Path

BOUNDARY = "midpoint-example"


def call(address, token, body=None, kind="application/json"):
    """The JSON at an address; with a body, the answer to its POST, which is safe to repeat."""
    request = urllib.request.Request(address, body, {"Authorization": f"Bearer {token}"})
    if body is not None:
        request.add_header("Content-Type", kind)
        request.add_header("Idempotency-Key", str(uuid.uuid4()))
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def form(file):
    """A multipart form with one match file."""
    part = f'Content-Disposition: form-data; name="match_files"; filename="{file.name}"'
    return f"--{BOUNDARY}\r\n{part}\r\n\r\n".encode() + file.read_bytes() + f"\r\n--{BOUNDARY}--\r\n".encode()


def wait(address, token, ready):
    """Ask every second until it is ready."""
    while not ready(found := call(address, token)):
        time.sleep(1)
    return found


def main(site, token, path):
    api, file = f"{site}/api/v1", Path(path)
    club = call(f"{api}/clubs/", token, json.dumps({"name": "Example Club"}).encode())
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    batch = call(f"{club['url']}uploads/", token, form(file), kind)
    batch = wait(f"{api}/uploads/{batch['ref']}/", token, lambda found: found["is_complete"])
    upload = batch["uploads"][0]
    if not upload["match"]:
        sys.exit(f"{file.name}: {upload['error'] or upload['report']['error']['message']}")
    match = call(upload["match"], token)
    analysis = call(f"{match['url']}analyses/", token, b"{}")
    analysis = wait(analysis["url"], token, lambda found: found["status"] not in {"queued", "running"})
    if analysis["status"] != "done":
        sys.exit(f"The analysis is {analysis['status']}: {analysis['error']}")
    for colour, pr in analysis["pr"].items():
        names = " / ".join(player["name"] for player in match[colour]["players"])
        print(f"{names}: PR {'none' if pr is None else round(pr, 2)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
