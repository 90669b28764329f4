"""The kinds of problems that the API answers with."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A kind of problem: its code (the end of its ``type``), status and title, and what to do about it."""

    code: str
    status: int
    title: Text
    help: Text = ""


UNREADABLE = ProblemType(
    "unreadable", 400, _("The request could not be read"), _("Send well-formed JSON in UTF-8.")
)


INVALID = ProblemType(
    "invalid",
    400,
    _("Some values are not valid"),
    _("`errors` names each field, the value that was sent, and what is wrong with it."),
)


SIGN_IN = ProblemType(
    "not_signed_in",
    401,
    _("Sign in first"),
    _("Send `Authorization: Bearer <token>`; make a token on your page, under Tokens."),
)


BAD_TOKEN = ProblemType(
    "token_not_valid",
    401,
    _("The token is not valid"),
    _("It was mistyped, revoked or has expired. Make a new one on your page, under Tokens."),
)


FORBIDDEN = ProblemType(
    "forbidden", 403, _("You may not do this"), _("Your role does not allow it; `detail` says which would.")
)


SCOPE = ProblemType(
    "scope_missing",
    403,
    _("The token may not be used for this"),
    _("You may do this, but the token was made without the scope that it needs. Make another token."),
)


NOT_FOUND = ProblemType(
    "not_found",
    404,
    _("There is no such thing"),
    _("It does not exist, or you may not know that it does. Every address ends in a slash."),
)


METHOD = ProblemType(
    "method_not_allowed", 405, _("The address does not know this method"), _("`Allow` lists those it knows.")
)


NOT_ACCEPTABLE = ProblemType(
    "not_acceptable", 406, _("There is no such representation"), _("Accept `application/json`.")
)


CONFLICT = ProblemType(
    "conflict", 409, _("The present state does not allow this"), _("Read it again and decide anew.")
)


BUSY = ProblemType(
    "in_progress",
    409,
    _("The same request is being answered right now"),
    _("Another request with this `Idempotency-Key` has not ended. Send it again after `Retry-After`."),
)


CHANGED = ProblemType(
    "changed_meanwhile",
    412,
    _("It has changed since you read it"),
    _("The `ETag` in `If-Match` is not the present one. Read it again, then repeat the change."),
)


TOO_LARGE = ProblemType("too_large", 413, _("The request is too large"), _("Send less in one request."))


MEDIA = ProblemType("media_type", 415, _("The content type is not supported"), _("Send `application/json`."))


KEY_REUSED = ProblemType(
    "key_reused",
    422,
    _("The Idempotency-Key was used for another request"),
    _("A key stands for one request with one body, for 24 hours. Choose a new one for a new request."),
)


UNPROCESSABLE = ProblemType(
    "refused",
    422,
    _("The rules do not allow this"),
    _("The request was understood; `code` and `parameters` say which rule refused it."),
)


MATCH_NEEDED = ProblemType(
    "if_match_needed",
    428,
    _("Say which version you change"),
    _("Send the `ETag` that you read in `If-Match`, so that nobody's change is lost."),
)


TOO_MANY = ProblemType(
    "too_many_requests", 429, _("Too many requests"), _("Wait as long as `Retry-After` says, in seconds.")
)


FAULT = ProblemType(
    "fault",
    500,
    _("Something went wrong on our side"),
    _("Nothing was saved. `instance` names the occurrence in the installation's log."),
)


KINDS: dict[str, ProblemType] = {
    kind.code: kind
    for kind in (
        UNREADABLE,
        INVALID,
        SIGN_IN,
        BAD_TOKEN,
        FORBIDDEN,
        SCOPE,
        NOT_FOUND,
        METHOD,
        NOT_ACCEPTABLE,
        CONFLICT,
        BUSY,
        CHANGED,
        TOO_LARGE,
        MEDIA,
        KEY_REUSED,
        UNPROCESSABLE,
        MATCH_NEEDED,
        TOO_MANY,
        FAULT,
    )
}
