"""Claims: scoring links that let a guest without an account score one match.

The code is shown once; the row stores its hash. The holder's session keeps the claim until the match's
result is final or the claim expires or is revoked.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.contrib.sessions.backends.base import SessionBase
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.refusals import Refused
from scoring.log.queries.writers import SESSION_KEY, Author, is_final
from scoring.log.services.sheets import require_here
from scoring.models import Claim, ClaimSide, Match, SheetKind

# Without what looks or sounds alike on a sheet of paper at table 7: no 0 O, 1 I L, 5 S, 8 B, U V.
ALPHABET = "ACDEFGHJKMNPQRTWXYZ234679"
LENGTH = 10
LASTS = timedelta(hours=24)


class ClaimRefused(Refused):
    """The claim cannot be created or opened; the message is shown to the user."""


def make_claim(*, match: Match, author: Author, side: str = "") -> tuple[Claim, str]:
    """Create a claim to score the match; returns it with its unstored code.

    ``side`` is the side whose yes to the result the holder may give; empty for a scorer, who gives none. A
    director makes any; a player one for a scorer or for their own side. Raises ClaimRefused, and
    ResultRefused for a match that lives on another machine.
    """
    if author.user is None:
        raise ClaimRefused(_("Sign in to create a scoring link."))
    require_here(match.sheet)
    if match.in_chouette:
        raise ClaimRefused(_("Share the code of the chouette table instead."))
    if is_final(match):
        raise ClaimRefused(_("The result is final. There is nothing left to score."))
    if side not in ClaimSide.values:
        raise ClaimRefused(_("A scoring link can confirm for White, Black, both or neither."))
    if side and not author.directs and side != author.side:
        raise ClaimRefused(_("Only directors can create a link that confirms for the other side."))
    code = new_code()
    claim = Claim.objects.create(
        sheet_id=match.sheet_id,
        code_hash=hash_of(code),
        side=side,
        made_by=author.user,
        expires_at=now() + LASTS,
    )
    return claim, f"{code[:5]}-{code[5:]}"


def new_code() -> str:
    """A random code of 10 characters that are hard to confuse."""
    return "".join(secrets.choice(ALPHABET) for _each in range(LENGTH))


def claim_of(code: str) -> Claim | None:
    """The valid claim of a typed code with its match; None for any other code."""
    claims = Claim.objects.standing().select_related("sheet__match__club", "sheet__match__result")
    claim = claims.filter(code_hash=hash_of(code), sheet__kind=SheetKind.MATCH).first()
    return None if claim is None or is_final(claim.sheet.match) else claim


def open_claim(*, code: str, session: SessionBase) -> Match:
    """Store the claim of a code in the session and return its match.

    Raises ClaimRefused for a code that is mistyped, taken back, expired, or for a match that is over.
    """
    claim = claim_of(code)
    if claim is None:
        raise ClaimRefused(_("This scoring link is mistyped, revoked or expired, or the result is final."))
    match = claim.sheet.match
    keep_claim(session, match.ref, claim)
    return match


def keep_claim(session: SessionBase, ref: str, claim: Claim) -> None:
    """Let the session write the match or chouette of this ref."""
    session[SESSION_KEY] = {**session.get(SESSION_KEY, {}), ref: claim.ref}


def revoke_claims(*, match: Match) -> int:
    """Revoke all claims to the match; returns how many. Raises ResultRefused."""
    require_here(match.sheet)
    return Claim.objects.standing().filter(sheet=match.sheet_id).update(revoked_at=now())


def hash_of(code: str) -> str:
    """SHA-256, in hex, of a code without spaces and hyphens, in capitals."""
    return sha256(plain_code(code).encode()).hexdigest()


def plain_code(code: str) -> str:
    """A code without spaces and hyphens, in capitals."""
    return "".join(code.split()).replace("-", "").upper()
