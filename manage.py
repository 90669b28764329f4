#!/usr/bin/env python3
"""Midpoint's command line: builds .venv from the lock when that is needed, then runs a command inside it."""

import sys

# This file must compile on any Python 3, or an old one answers with a SyntaxError instead of this sentence.
if not (3, 11) <= sys.version_info[:2] <= (3, 13):  # noqa: UP036, RUF100
    from deploy.old_python import explain

    sys.exit(explain(sys.version_info, sys.executable))

from deploy.bootstrap import ensure_environment

ensure_environment(sys.argv)

# Only .venv has what these import. The supervisor of `up` stays without Django, which is 70 MB.
if sys.argv[1:2] == ["up"]:
    from deploy.up import main
else:
    from deploy.launch import main

main(sys.argv)
