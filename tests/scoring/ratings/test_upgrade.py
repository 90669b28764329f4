"""What an installation has when it gets stricter about names, strangers and windows."""

import pytest
from django.utils.timezone import now

from tests.migrating import migrate_to, migrate_to_newest

OLD = [("clubs", "0005_titles"), ("scoring", "0008_chouette_boards")]
NEW = [("clubs", "0006_trust"), ("scoring", "0010_trust")]


@pytest.mark.long  # it takes the test database back, where a failure would leave it
@pytest.mark.django_db(transaction=True)
def test_strangers_leave_names_are_cleaned_and_directors_matches_keep_their_window():
    apps = migrate_to(*OLD).loader.project_state(OLD).apps
    club = apps.get_model("clubs", "Club").objects.create(slug="bar-point", name="Bar Point")
    users = {}
    members = apps.get_model("clubs", "Membership").objects
    for name, role in (("Dora", 30), ("Mia", 20)):
        users[name] = apps.get_model("clubs", "User").objects.create(email=f"{name.lower()}@example.org")
        player = apps.get_model("clubs", "Player").objects.create(user=users[name])
        members.create(club=club, player=player, role=role)
    people = apps.get_model("clubs", "Person").objects
    guests = {}
    for name in ("\u202eAna\u200b", "Leo", "Eva"):
        player = guests[name] = apps.get_model("clubs", "Player").objects.create()
        people.create(player=player, name=name, sort_key=name.lower())
        members.create(club=club, player=player, role=10)
        if name != "Leo":
            alias = {"name": name, "key": "eva" if name == "Eva" else "ana"}
            apps.get_model("scoring", "Alias").objects.create(club=club, player=player, **alias)
    sheets = apps.get_model("scoring", "Sheet").objects
    opened = {name: sheets.create(club=club, opened_by=user).pk for name, user in users.items()}
    called = sheets.create(club=club, directed=True)
    match = apps.get_model("scoring", "Match").objects.create(
        club=club, sheet=called, length=5, played_at=now()
    )
    side = apps.get_model("scoring", "Side").objects.create(match=match, colour="white")
    apps.get_model("scoring", "Seat").objects.create(match=match, side=side, player=guests["Eva"])
    apps = migrate_to(*NEW).loader.project_state(NEW).apps
    kept = apps.get_model("clubs", "Membership").objects.filter(role=10)
    # Eva stands for a name of a file, and an event called her to a table.
    assert sorted(kept.values_list("player__person__name", flat=True)) == ["Eva", "Leo"]
    cleaned = apps.get_model("clubs", "Person").objects.order_by("pk")
    assert list(cleaned.values_list("name", "sort_key", "skeleton")) == [
        ("Ana", "ana", "ana"),
        ("Leo", "leo", "leo"),
        ("Eva", "eva", "eva"),
    ]
    marked = apps.get_model("scoring", "Sheet").objects
    assert {name: marked.get(pk=pk).opened_by_director for name, pk in opened.items()} == {
        "Dora": True,
        "Mia": False,
    }
    migrate_to_newest()
