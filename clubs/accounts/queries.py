"""All data that the site keeps about one user, collected from all apps."""

from collections.abc import Callable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from clubs.models import ApiToken, Membership, Merge, Player, User

Export = Callable[[Player], Any]


_exports: dict[str, Export] = {}


def register_export(name: str, export: Export) -> None:
    """Add an app's data about a player to the data export.

    ``export`` returns what JSON can hold, under ``name``, e.g. ``"matches"``.
    """
    _exports[name] = export


def personal_data(user: User) -> dict[str, Any]:
    """All data kept about a user, for the user.

    JSON values; times in ISO 8601.
    """
    player = Player.objects.with_person().filter(user=user).first()
    return {
        "user": {
            "email": user.email,
            "joined": user.date_joined.isoformat(),
            "last_sign_in": user.last_login and user.last_login.isoformat(),
            "site_administrator": user.is_superuser,
        },
        "email_addresses": [
            {"email": address.email, "verified": address.verified, "primary": address.primary}
            for address in EmailAddress.objects.filter(user=user).order_by("pk")
        ],
        "sign_in_methods": [
            {"kind": method.type, "added": method.created_at.isoformat()}
            for method in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [
            {"label": token.label, "scopes": token.scopes, "created": token.created_at.isoformat()}
            for token in ApiToken.objects.of_user(user).order_by("pk")
        ],
        "player": player and {"ref": player.ref, "name": player.name},
        "merged_names": [
            {"name": merge.name, "at": merge.at.isoformat()}
            for merge in Merge.objects.filter(into__user=user).order_by("pk")
        ],
        "clubs": [
            {
                "club": membership.club.name,
                "ref": membership.club.ref,
                "role": membership.get_role_display(),
                "title": membership.get_title_display() or "",
                "joined": membership.joined_at.isoformat(),
            }
            for membership in Membership.objects.filter(player__user=user)
            .select_related("club")
            .order_by("pk")
        ],
        **({name: export(player) for name, export in _exports.items()} if player else {}),
    }
