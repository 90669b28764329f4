"""Found a club, send in a match file, wait for its analysis, print both error rates. Scopes: own, record.

python3 docs/examples/match_to_error_rates.py http://127.0.0.1:8000 TOKEN match.mat
"""

import json
import sys
import time
import uuid
from pathlib import Path
from urllib import error, request

BOUNDARY = uuid.uuid4().hex


def call(address, token, body=None, kind="application/json"):
    """The JSON at an address; with a body, the answer to its POST, which is safe to repeat."""
    headers = {"Authorization": f"Bearer {token}"}
    if body is not None:
        headers |= {"Content-Type": kind, "Idempotency-Key": str(uuid.uuid4())}
    try:
        with request.urlopen(request.Request(address, body, headers)) as response:
            return json.load(response)
    except error.HTTPError as refusal:
        sys.exit(f"{address}: {json.load(refusal)['detail']}")


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
    file, kind = Path(path), f"multipart/form-data; boundary={BOUNDARY}"
    club = call(f"{site}/api/v1/clubs/", token, json.dumps({"name": "Example Club"}).encode())
    batch = call(f"{club['url']}uploads/", token, form(file), kind)
    batch = wait(f"{site}/api/v1/uploads/{batch['ref']}/", token, lambda found: found["is_complete"])
    upload = batch["uploads"][0]
    if not upload["match"]:
        sys.exit(f"{file.name}: {upload['error'] or upload['report']['error']['message']}")
    match = call(upload["match"], token)
    analysis = call(f"{match['url']}analyses/", token, b"")
    analysis = wait(analysis["url"], token, lambda found: found["status"] not in {"queued", "running"})
    if analysis["status"] != "done":
        sys.exit(f"The analysis is {analysis['status']}: {analysis['error']}")
    for colour in ("white", "black"):
        names, pr = " / ".join(p["name"] for p in match[colour]["players"]), analysis["pr"][colour]
        print(f"{names}: PR {'none' if pr is None else f'{pr:.2f}'}")


main(*sys.argv[1:])
