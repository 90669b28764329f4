"""Claims: a code, or the QR code that holds it, lets somebody without a login score one match.

The code is shown once; the row keeps its hash. Whoever opens it keeps the claim in their session, until the
match's result is final, the claim expires, or somebody takes it back.
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
    """The claim cannot be made or opened; the message says why and is meant for the reader of a page."""


def make_claim(*, match: Match, author: Author, side: str = "") -> tuple[Claim, str]:
    """A new claim to score the match, and its code, which is not kept.

    ``side`` is the side whose yes to the result the holder may give; empty for a scorer, who gives none. A
    director makes any; a player one for a scorer or for the own side. Raises ClaimRefused, and
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
    """A code that nobody guesses: 10 signs that cannot be taken for one another."""
    return "".join(secrets.choice(ALPHABET) for _each in range(LENGTH))


def claim_of(code: str) -> Claim | None:
    """The standing claim of a code as somebody typed it, with its match; None for every other code."""
    claims = Claim.objects.standing().select_related("sheet__match__club", "sheet__match__result")
    claim = claims.filter(code_hash=hash_of(code), sheet__kind=SheetKind.MATCH).first()
    return None if claim is None or is_final(claim.sheet.match) else claim


def open_claim(*, code: str, session: SessionBase) -> Match:
    """Keep the claim of a code in the session; the match that it is for.

    Raises ClaimRefused for a code that is mistyped, taken back, expired, or for a match that is over.
    """
    claim = claim_of(code)
    if claim is None:
        raise ClaimRefused(_("This scoring link is mistyped or revoked, or the result is final."))
    match = claim.sheet.match
    keep_claim(session, match.ref, claim)
    return match


def keep_claim(session: SessionBase, ref: str, claim: Claim) -> None:
    """Let the session write the match or chouette of this ref."""
    session[SESSION_KEY] = {**session.get(SESSION_KEY, {}), ref: claim.ref}


def revoke_claims(*, match: Match) -> int:
    """End every claim to the match; how many stood. Raises ResultRefused as :func:`make_claim`."""
    require_here(match.sheet)
    return Claim.objects.standing().filter(sheet=match.sheet_id).update(revoked_at=now())


def hash_of(code: str) -> str:
    """SHA-256, in hex, of a code without spaces and hyphens, in capitals."""
    return sha256(plain_code(code).encode()).hexdigest()


def plain_code(code: str) -> str:
    """A code as it is kept: without spaces and hyphens, in capitals."""
    return "".join(code.split()).replace("-", "").upper()
