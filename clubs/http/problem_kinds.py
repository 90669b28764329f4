"""The problem types of the API."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A problem type: code (the end of its ``type``), status, title and help."""

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
    _("Sign-in required"),
    _("Send `Authorization: Bearer <token>`. Create a token under Me, API tokens."),
)


BAD_TOKEN = ProblemType(
    "token_not_valid",
    401,
    _("The token is not valid"),
    _("It was mistyped or revoked, or it has expired. Create a new one under Me, API tokens."),
)


FORBIDDEN = ProblemType(
    "forbidden", 403, _("You do not have access"), _("`detail` says which role you need.")
)


SCOPE = ProblemType(
    "scope_missing",
    403,
    _("The token does not have the required scope"),
    _("Create a token with this scope."),
)


NOT_FOUND = ProblemType(
    "not_found",
    404,
    _("Not found"),
    _("It does not exist, or you do not have access to it. Every address ends with a slash."),
)


METHOD = ProblemType(
    "method_not_allowed",
    405,
    _("This address does not support the method"),
    _("`Allow` lists the methods it supports."),
)


NOT_ACCEPTABLE = ProblemType(
    "not_acceptable", 406, _("This format is not available"), _("Accept `application/json`.")
)


CONFLICT = ProblemType(
    "conflict", 409, _("The current state does not allow this"), _("Read it again, then decide.")
)


BUSY = ProblemType(
    "in_progress",
    409,
    _("The same request is still in progress"),
    _("A request with this `Idempotency-Key` has not finished. Retry after `Retry-After` seconds."),
)


GONE = ProblemType("gone", 410, _("It has ended"), _("It does not come back. Ask for a new address."))


CHANGED = ProblemType(
    "changed_meanwhile",
    412,
    _("It has changed since you read it"),
    _("The `ETag` in `If-Match` is out of date. Read it again, then repeat the change."),
)


TOO_LARGE = ProblemType("too_large", 413, _("The request is too large"), _("Send less in one request."))


MEDIA = ProblemType("media_type", 415, _("The content type is not supported"), _("Send `application/json`."))


KEY_REUSED = ProblemType(
    "key_reused",
    422,
    _("The Idempotency-Key was used for another request"),
    _("A key identifies one request with one body for 24 hours. Use a new key for a new request."),
)


UNPROCESSABLE = ProblemType(
    "refused",
    422,
    _("The rules do not allow this"),
    _("`code` and `parameters` say which rule refused the request."),
)


MATCH_NEEDED = ProblemType(
    "if_match_needed",
    428,
    _("Send the version you are changing"),
    _("Send the `ETag` you read in `If-Match`, so that no change is lost."),
)


TOO_MANY = ProblemType("too_many_requests", 429, _("Too many requests"), _("Wait for `Retry-After` seconds."))


FAULT = ProblemType(
    "fault",
    500,
    _("Something went wrong on our side"),
    _("Nothing was saved. `instance` is the ID of the error in the server's log."),
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
        GONE,
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
