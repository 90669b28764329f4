"""``verify_sheets`` on a site that goes on: what grew while it was read is no damage, what is damaged is."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from deploy.backup.checking import check
from scoring.models import Sheet, SheetEvent
from scoring.rules.sides import Side
from tests.races import at_once
from tests.scoring.sheets.writing import loaded, two_players, win, write

pytestmark = pytest.mark.django_db(transaction=True)

CHECKS = [lambda: call_command("verify_sheets"), lambda: check().ok]


class Growing:
    """Somebody writes on the sheet just before its log is read for the first time."""

    def __init__(self, match: Any) -> None:
        self.match = match

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.match is not None and f'FROM "{SheetEvent._meta.db_table}"' in sql:
            match, self.match = self.match, None
            (written,) = at_once(lambda: write(loaded(match), win(Side.BLACK)))
            assert not isinstance(written, Exception), written
        return execute(sql, params, many, context)


@pytest.mark.parametrize("verify", CHECKS, ids=["verify_sheets", "restore --verify"])
def test_a_sheet_that_grows_while_it_is_read_is_not_damaged(verify, capsys):
    match = write(two_players(5), win(Side.WHITE))
    before = match.sheet.head_seq
    growing = Growing(match)
    with connection.execute_wrapper(growing):
        assert verify() is not False
    assert growing.match is None
    assert Sheet.objects.get().head_seq > before
    assert "damaged." not in capsys.readouterr().out.replace("0 damaged.", "")


@pytest.mark.parametrize("verify", CHECKS, ids=["verify_sheets", "restore --verify"])
def test_a_sheet_that_is_damaged_is_so_when_it_is_read_again(verify):
    match = write(two_players(5), win(Side.WHITE))
    SheetEvent.objects.filter(sheet=match.sheet, seq=2).update(kind="changed")
    if verify is CHECKS[0]:
        with pytest.raises(CommandError, match="1 of 1 sheets are damaged"):
            verify()
    else:
        assert verify() is False
