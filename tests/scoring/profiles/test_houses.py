"""A club's own house rules: kept, changed by one at a time, retired; tables keep what they took."""

import pytest

from scoring.chouettes.services.chouettes import table_state
from scoring.chouettes.services.tables import open_table
from scoring.profiles.queries.houses import BUILT_IN, house_named, houses_of
from scoring.profiles.services.houses import keep_house, retire_house
from scoring.rules.chouette.options import BoxKeeps
from scoring.rules.errors import InvalidValue
from tests.factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_a_house_is_kept_beside_those_built_in():
    club = ClubFactory.create()
    kept = keep_house(club=club, name="ours", title=" Our house ", values={"box_keeps": "net_not_negative"})
    assert (kept.title, kept.options.box_keeps) == ("Our house", BoxKeeps.NET_NOT_NEGATIVE)
    assert [house.name for house in houses_of(club)] == [*BUILT_IN, "ours"]
    assert house_named(club, "ours") == kept
    assert "ours" not in {house.name for house in houses_of(ClubFactory.create())}


def test_a_table_keeps_the_rules_that_it_took():
    club = ClubFactory.create()
    kept = keep_house(club=club, name="ours", title="Our house", values={"max_cube": 8})
    table = open_table(club=club, user=UserFactory.create(), title="x", house=kept)
    keep_house(club=club, name="ours", title="Our house", values={"max_cube": 16})
    assert table_state(table.sheet).options.max_cube == 8


def test_two_directors_do_not_overwrite_each_other():
    club = ClubFactory.create()
    keep_house(club=club, name="ours", title="Our house", values={})
    keep_house(club=club, name="ours", title="Our house", values={"jacoby": False}, seen=1)
    with pytest.raises(InvalidValue, match="someone else"):
        keep_house(club=club, name="ours", title="Our house", values={}, seen=1)
    with pytest.raises(InvalidValue, match="already"):
        keep_house(club=club, name="ours", title="Our house", values={}, new=True)


def test_a_retired_house_is_offered_for_no_new_table_until_it_is_kept_again():
    club = ClubFactory.create()
    keep_house(club=club, name="ours", title="Our house", values={})
    version = retire_house(club=club, name="ours").version
    assert retire_house(club=club, name="ours").version == version
    with pytest.raises(InvalidValue, match="this club has no house rules 'ours': choose from house"):
        house_named(club, "ours")
    retire_house(club=club, name="ours", retired=False)
    assert house_named(club, "ours").title == "Our house"


@pytest.mark.parametrize(
    ("name", "title", "values", "said"),
    [
        ("house", "x", {}, "are built in"),
        ("our house", "x", {}, "is not a short name"),
        ("-", "x", {}, "is not a short name"),
        ("ours", " ", {}, "is not a title"),
        ("ours", "x", {"jacoby": "yes"}, "is not a bool"),
        ("ours", "x", {"jacobi": True}, "there is no field"),
        ("ours", "x", {"max_cube": 3}, "cannot show 3"),
    ],
)
def test_what_no_house_has_is_refused(name, title, values, said):
    with pytest.raises(InvalidValue, match=said):
        keep_house(club=ClubFactory.create(), name=name, title=title, values=values)
