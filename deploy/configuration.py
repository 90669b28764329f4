"""Reads and checks environment variables; reports each invalid one and why."""

import ipaddress
import os
import re
import zoneinfo
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from environs import Env, EnvValidationError
from marshmallow import ValidationError

from deploy import mail_server

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LARGEST_POOL = 1000
DATABASE_SCHEMES = ("postgres", "postgresql")
BROKER_SCHEMES = ("redis", "rediss", "redis+socket", "amqp", "amqps")
CACHE_SCHEMES = ("redis", "rediss", "unix")
EMAIL_SCHEMES = tuple(mail_server.SCHEMES)


class ConfigurationError(Exception):
    """Invalid environment variables; the message has a line for each."""


class Variables(Env):
    """Environment variables; an empty one counts as unset."""

    def _get_value(self, env_key: str, default: Any) -> Any:
        return super()._get_value(env_key, default) or default


def seal(env: Env) -> None:
    """Finish reading variables.

    Raises:
        ConfigurationError: naming every variable that could not be used.
    """
    try:
        env.seal()
    except EnvValidationError as error:
        problems = error.error_messages
        lines = problems.items() if isinstance(problems, dict) else [("the environment", problems)]
        raise ConfigurationError(
            "\n".join(f"{name}={shown(name)}: {'; '.join(map(str, messages))}" for name, messages in lines)
            + "\nEvery variable is described in docs/operators/configuration.md."
        ) from None


def shown(name: str) -> str:
    """A variable's value for messages: without the password of an address."""
    return repr(re.sub(r"(//[^:/@]*):[^@]*@", r"\1:***@", os.environ.get(name, "")))


def address(*schemes: str) -> Callable[[str], None]:
    """A validator: a value, if any, is an address of one of the schemes."""

    def check(value: str) -> None:
        if value and urlsplit(value).scheme not in schemes:
            raise ValidationError(
                f"must be an address that begins with {' or '.join(f'{name}:' for name in schemes)}"
            )

    return check


def web_address(value: str) -> None:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValidationError("must be a web address such as https://club.example")


def networks(values: list[str]) -> None:
    for value in values:
        try:
            ipaddress.ip_network(value.strip())
        except ValueError:
            raise ValidationError("must be addresses or networks such as 127.0.0.1,172.16.0.0/12") from None


def folder(value: str) -> None:
    if value and not os.path.isabs(value):  # noqa: PTH117 - the processes have other working directories
        raise ValidationError("must be the absolute path of a folder")


def numbers_kept(value: str) -> None:
    if not re.fullmatch(r"[1-9]\d{0,3},\d{1,4},\d{1,4}", value):
        raise ValidationError(
            "must be the number of days, weeks and months to keep backups, such as 7,4,6; at least one day"
        )


def time_zone(value: str) -> None:
    try:
        zoneinfo.ZoneInfo(value)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise ValidationError("must be a time zone such as Europe/Berlin") from None
