"""Logs through structlog, and errors to Sentry where ``SENTRY_DSN`` says so."""

import logging
from importlib import import_module
from typing import Any

import structlog

FORMATS = ("text", "json")
FAULT = 500
TIMESTAMP = structlog.processors.TimeStamper(fmt="iso", utc=True)


def logging_configuration(level: str, style: str) -> dict[str, Any]:
    """Django's ``LOGGING``: one line a record on standard error, ours and other packages' alike.

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
    """A request that was refused is told without a traceback: the mistake is the sender's.

    Django adds one where somebody may not, or where it is suspicious. Faults of ours (500 on) keep theirs.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        status = getattr(record, "status_code", None)
        if record.name.startswith("django.") and isinstance(status, int) and status < FAULT:
            record.exc_info = record.exc_text = None
        return True


def rendering(style: str) -> list[structlog.typing.Processor]:
    """Tracebacks without the values of variables: those are people's passwords, addresses and sessions.

    structlog's own choice shows them, as JSON always and as text where ``rich`` is installed; it takes
    seconds of the processor for one error of a page.
    """
    if style == "json":
        tracebacks = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        return [structlog.processors.ExceptionRenderer(tracebacks), structlog.processors.JSONRenderer()]
    return [structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)]


def report_errors(address: str) -> None:
    """Send unexpected errors to a Sentry server; nobody's address, name or cookies go with them.

    Bodies of requests and the values of variables hold all of these: they stay here.
    """
    if address:
        import_module("sentry_sdk").init(
            dsn=address,
            send_default_pii=False,
            max_request_body_size="never",
            include_local_variables=False,
            traces_sample_rate=0.0,
        )
