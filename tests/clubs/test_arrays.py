"""``__in`` and ``prefetch_related`` over more rows than a statement may have parameters."""

import pytest
from django.db import connection
from django.db.models import F, Q, Value
from django.db.models.functions import Lower
from django.test.utils import CaptureQueriesContext

from clubs.models import Club, Membership, Player, Role, Visibility
from scoring.models import Source
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory

pytestmark = pytest.mark.django_db
MOST_PARAMETERS = 65_535  # of one statement, in PostgreSQL


@pytest.fixture
def players():
    return [PlayerFactory.create(name=name) for name in ("Ana", "Ben", "Iker")]


@pytest.mark.long
def test_more_values_than_parameters_are_one_array(players):
    """Failed with: number of parameters must be between 0 and 65535."""
    keys = [*range(10**7, 10**7 + MOST_PARAMETERS + 1), players[0].pk]
    assert [*Player.objects.filter(pk__in=keys)] == [players[0]]
    assert Player.objects.exclude(pk__in=keys).count() == 2
    assert Membership.objects.filter(player__in=keys).count() == 0
    assert [*Player.objects.in_bulk(keys)] == [players[0].pk]
    names = [*(f"nobody {n}" for n in range(MOST_PARAMETERS)), "Ben"]
    assert Player.objects.get(person__name__in=names) == players[1]


@pytest.mark.long
def test_a_prefetch_over_more_rows_than_parameters_is_one_array():
    """Failed with: number of parameters must be between 0 and 65535."""
    count = MOST_PARAMETERS + 1
    players = Player.objects.bulk_create((Player() for _n in range(count)), batch_size=5000)
    MembershipFactory.create(player=players[-1])
    with CaptureQueriesContext(connection) as queries:
        found = list(Player.objects.filter(pk__gte=players[0].pk).prefetch_related("memberships"))
    assert len(queries) == 2
    assert sum(len(player.memberships.all()) for player in found) == 1


@pytest.mark.parametrize("kind", [list, tuple, set, iter])
def test_every_kind_of_values_finds_what_it_found(players, kind):
    club = ClubFactory.create()
    roles = [Role.GUEST, Role.MEMBER, Role.OWNER]
    for player, role in zip(players, roles, strict=True):
        MembershipFactory.create(club=club, player=player, role=role)

    def found(**lookup):
        return [each.player for each in Membership.objects.filter(**lookup).order_by("pk")]

    assert found(role__in=kind([Role.MEMBER, Role.OWNER])) == players[1:]
    assert found(role__in=kind([10, Role.MEMBER])) == players[:2]
    assert found(player__in=kind(players[:2])) == players[:2]
    assert found(player__in=kind([players[0].pk, None])) == players[:1]
    assert found(player__in=kind([])) == []
    assert found(player__person__name__in=kind(["Ana", "Iker"])) == [players[0], players[2]]
    assert found(club__visibility__in=kind([Visibility.PUBLIC, "members"])) == players
    assert found(club__is_demo__in=kind([True])) == []
    assert found(joined_at__in=kind([Membership.objects.get(player=players[1]).joined_at])) == players[1:2]


def test_subqueries_expressions_and_values_outside_a_column_stay_as_they_were(players):
    club = ClubFactory.create()
    MembershipFactory.create(club=club, player=players[0])
    assert Player.objects.get(pk__in=Membership.objects.values("player")) == players[0]
    assert Player.objects.filter(pk__in=[F("pk"), players[0].pk]).count() == 3
    assert Club.objects.filter(Q(slug__in=["a", club.slug]) & ~Q(slug__in=["b"])).count() == 1
    assert Player.objects.filter(person__name__in=["A'na", 'B"en', "{Iker}", "a,b", "\\", ""]).count() == 0
    assert Player.objects.filter(merged_into__in=players).count() == 0


def test_values_that_cannot_be_are_refused_as_before():
    with pytest.raises(ValueError, match="expected a number"):
        Player.objects.filter(pk__in=["many"]).exists()


def test_no_statement_has_a_parameter_for_each_value(players):
    seen: list[int] = []

    def look(execute, sql, params, many, context):
        seen.append(len(params or ()))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        for count in (1, 3, 300):
            list(Player.objects.filter(pk__in=range(count)))
            list(Membership.objects.filter(player__in=range(count)))
    assert set(seen) == {1}


def test_expressions_whose_text_is_a_parameter_stay_expressions():
    """Failed with: syntax error at or near "$1"."""
    club = ClubFactory.create()
    assert Club.objects.filter(slug__in=[Value("nowhere"), club.slug]).get() == club
    lowered = Club.objects.annotate(lowered=Lower("slug"))
    assert lowered.filter(lowered__in=[Value("nowhere"), club.slug]).get() == club
    assert Source.objects.filter(facts__0__in=["a", 1, [1]]).count() == 0
    assert Source.objects.filter(facts__in=[[], [["a"]]]).count() == 0
