"""Logging through structlog, and errors to Sentry if ``SENTRY_DSN`` is set."""

import logging
import re
from importlib import import_module
from typing import Any

import structlog

FORMATS = ("text", "json")
FAULT = 500
SECRET_PATHS = re.compile(r"(/(?:shared|clubs/join|setup|chouettes/seat|calendar)/)[^/\s?#'\"<>\\]+")
"""Addresses whose next part is a secret: who has it can open the page (``tests/deploy``)."""
TIMESTAMP = structlog.processors.TimeStamper(fmt="iso", utc=True)


def logging_configuration(level: str, style: str) -> dict[str, Any]:
    """Django's ``LOGGING``: one line per record on standard error, for all packages.

    Also configures structlog, whose loggers then write through the same handler.
    """
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        TIMESTAMP,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": shared,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering(style)],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "filters": {"refusals": {"()": RefusalsInOneLine}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}
        },
        "root": {"handlers": ["stderr"], "level": level},
        # Django's own handlers would print the same line a second time, or mail it.
        # fontTools tells every table that it leaves out of a PDF's letters.
        "loggers": {"django": {"handlers": [], "propagate": True}, "fontTools": {"level": "WARNING"}},
    }


class RefusalsInOneLine(logging.Filter):
    """Logs refused requests without a traceback: the client is at fault.

    Django adds one for forbidden and suspicious requests. Server errors (500 on) keep theirs.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        status = getattr(record, "status_code", None)
        if record.name.startswith("django.") and isinstance(status, int) and status < FAULT:
            record.exc_info = record.exc_text = None
        return True


def rendering(style: str) -> list[structlog.typing.Processor]:
    """Tracebacks without variables, which hold passwords, addresses and sessions.

    structlog's default shows them, as JSON always and as text where ``rich`` is installed; it takes seconds
    of CPU time for one error of a page.
    """
    if style == "json":
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        return [
            structlog.processors.ExceptionRenderer(tracebacks),
            structlog.processors.JSONRenderer(),
            _masking,
        ]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain), _masking]


def masked(text: str) -> str:
    """The text with secrets in addresses replaced by dots."""
    return SECRET_PATHS.sub(r"\1...", text)


def _masking(_logger: Any, _method: str, line: Any) -> str:
    return masked(str(line))


def _without_secrets(event: Any, _hint: Any) -> Any:
    """A report for Sentry with secrets in addresses masked, wherever they stand."""
    if isinstance(event, str):
        return masked(event)
    if isinstance(event, dict):
        return {name: _without_secrets(value, None) for name, value in event.items()}
    if isinstance(event, list):
        return [_without_secrets(value, None) for value in event]
    return event


def report_errors(address: str) -> None:
    """Report unexpected errors to a Sentry server, without personal data.

    Addresses, names, cookies, request bodies and the values of variables stay here.
    """
    if address:
        import_module("sentry_sdk").init(
            dsn=address,
            send_default_pii=False,
            max_request_body_size="never",
            include_local_variables=False,
            traces_sample_rate=0.0,
            before_send=_without_secrets,
        )
