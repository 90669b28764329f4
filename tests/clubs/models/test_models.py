"""What the database itself refuses."""

import pytest
from django.db import IntegrityError, connection, transaction

from clubs.models import Club, Membership, Note, Person, Player, Role, User
from clubs.models.person import sort_key
from clubs.refs import REF_PATTERN, new_ref
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db


def refused(constraint: str):
    return pytest.raises(IntegrityError, match=constraint)


def test_a_ref_is_ten_unambiguous_characters():
    refs = {new_ref() for _ in range(1000)}
    assert len(refs) == 1000
    assert {len(ref) for ref in refs} == {10}
    assert not set("01ilou") & set("".join(refs))


@pytest.mark.parametrize("ref", ["", "short", "ABCDEFGHJK", "23456789a0", "23456789ab\n", "23456789abc"])
def test_the_database_refuses_a_malformed_ref(ref):
    club = ClubFactory.create()
    sql = "update clubs_club set ref = %s where id = %s"
    with (
        pytest.raises(Exception, match=r"ref_check|too long"),
        transaction.atomic(),
        connection.cursor() as c,
    ):
        c.execute(sql, [ref, club.pk])


def test_a_ref_is_unique():
    player = PlayerFactory.create()
    with refused("ref_key"):
        Player.objects.create(ref=player.ref)


def test_an_email_address_signs_in_once_whatever_its_capitals():
    UserFactory.create(email="ana@example.org")
    with refused("user_email_once"):
        User.objects.create_user("Ana@Example.org")


def test_the_database_refuses_capitals_in_an_email_address():
    user = UserFactory.create()
    with refused("user_email_lower"):
        User.objects.filter(pk=user.pk).update(email="Ana@example.org")


def test_a_user_without_password_has_an_unusable_one():
    assert not User.objects.create_user("ana@example.org").has_usable_password()


def test_a_user_needs_an_address():
    with pytest.raises(ValueError, match="needs an email address"):
        User.objects.create_user("  ")


def test_a_player_has_one_role_per_club():
    membership = MembershipFactory.create()
    with refused("membership_once_per_club"):
        Membership.objects.create(club=membership.club, player=membership.player, role=Role.OWNER)


def test_an_unknown_role_is_refused():
    with refused("membership_role_known"):
        MembershipFactory.create(role=5)


def test_a_player_cannot_be_merged_into_itself():
    player = PlayerFactory.create()
    with refused("player_not_merged_into_itself"):
        Player.objects.filter(pk=player.pk).update(merged_into=player)


def test_a_merged_player_keeps_no_login():
    player, other = PlayerFactory.create(user=UserFactory.create()), PlayerFactory.create()
    with refused("player_with_login_is_current"):
        Player.objects.filter(pk=player.pk).update(merged_into=other)


@pytest.mark.parametrize("slug", ["new", "bcdfghjkmn", "Upper", "with space", ""])
def test_a_slug_never_looks_like_a_ref_or_a_page_of_the_site(slug):
    with refused("club_slug_is_no_ref"):
        ClubFactory.create(slug=slug)


def test_a_club_is_found_by_slug_and_by_ref():
    club = ClubFactory.create()
    ClubFactory.create()
    assert Club.objects.named(club.slug).get() == Club.objects.named(club.ref).get() == club


@pytest.mark.parametrize("currency", ["eur", "EURO", ""])
def test_a_currency_is_three_capitals(currency):
    with pytest.raises(Exception, match=r"club_currency_is_iso_4217|too long"), transaction.atomic():
        ClubFactory.create(currency=currency)


def test_names_sort_without_accents_and_with_enye_after_n():
    names = ["Zuriñe", "Ñausti", "Ángel", "nora", "Nzuri", "  Iker  Ortiz ", "angela"]
    assert sorted(names, key=sort_key) == [
        "Ángel",
        "angela",
        "  Iker  Ortiz ",
        "nora",
        "Nzuri",
        "Ñausti",
        "Zuriñe",
    ]


def test_decomposed_letters_sort_like_composed_ones():
    assert sort_key("n\u0303o") == sort_key("ño")


def test_the_database_sorts_people_by_the_key():
    for name in ("Ñausti", "Nzuri", "Ízaro", "iker"):
        PlayerFactory.create(name=name)
    names = Person.objects.order_by("sort_key").values_list("name", flat=True)
    assert list(names) == ["iker", "Ízaro", "Nzuri", "Ñausti"]


def test_a_player_without_person_has_a_stand_in_and_asks_no_query(django_assert_num_queries):
    Player.objects.create()
    PlayerFactory.create(name="Ana")
    with django_assert_num_queries(1):
        names = {player.name for player in Player.objects.with_person()}
    assert names == {"Erased player", "Ana"}


def test_an_erased_note_is_empty():
    note = Note.objects.create(text="late again")
    with refused("note_erased_is_empty"):
        Note.objects.filter(pk=note.pk).update(erased_at="2026-01-01T00:00Z")


def test_the_digest_of_a_note_needs_its_salt():
    first, second = Note.objects.create(text="late"), Note.objects.create(text="late")
    assert first.digest != second.digest
    first.refresh_from_db()
    assert first.digest == Note(text="late", salt=bytes(first.salt)).digest


def test_the_pattern_is_the_one_in_the_url_converter():
    assert REF_PATTERN == "[23456789abcdefghjkmnpqrstvwxyz]{10}"
