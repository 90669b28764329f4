"""A small demo club, the same in every test."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from django.apps import apps
from django.db.models import QuerySet

from clubs.models import Club, DemoProgress
from deploy.demo.club import fill_demo, found_demo
from deploy.demo.farm import play
from deploy.demo.plan import Size, demo_plan
from scoring.models import Match, Rating

SIZE = Size(members=6, matches=10, analysed=0)
DAY = date(2026, 11, 21)
PLAN = demo_plan(3, DAY, SIZE)


@cache
def played() -> dict[int, list[Any]]:
    return dict(play(PLAN.games))


def ignore(done: int, total: int) -> None:
    """Progress that nobody watches."""


def founded() -> DemoProgress:
    return found_demo(PLAN, seed=3, day=DAY, size=SIZE)


def made(matches: Mapping[int, list[Any]] | None = None) -> Club:
    progress = founded()
    fill_demo(progress, PLAN, sorted((matches or played()).items()))
    return progress.club


def ratings(club: Club) -> dict[str, float]:
    rows = Rating.objects.filter(list__club=club).select_related("player__person")
    return {row.player.name: row.value for row in rows}


def everything() -> dict[str, list[Any]]:
    """Every row of every table, by primary key."""
    return {
        model._meta.label: sorted(map(str, model._base_manager.values_list("pk", flat=True)))
        for model in apps.get_models()
        if model._meta.managed
    }


def outside_events(club: Club) -> QuerySet[Match]:
    return Match.objects.in_club(club).filter(board=None)
