"""A match record with its digest and linked log, ready to be stored."""

from dataclasses import dataclass

from scoring.notation.identity import match_digest
from scoring.notation.record import MatchRecord
from scoring.rules.chain import LinkedLog, linked_log


@dataclass(frozen=True, slots=True)
class ReadyRecord:
    """A record with its digest and its log, linked."""

    record: MatchRecord
    digest: str
    log: LinkedLog


def ready(record: MatchRecord) -> ReadyRecord:
    """Work out what is stored of a record."""
    return ReadyRecord(record, match_digest(record), linked_log(record.events, record.state))
