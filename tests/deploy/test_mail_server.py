"""What ``EMAIL_URL`` means: an address that promises protection gets it."""

import pytest

from deploy.configuration import EMAIL_SCHEMES
from deploy.mail_server import MailServer, read_mail_server


@pytest.mark.parametrize(
    ("url", "port", "protection"),
    [
        ("smtp://mail.example", 25, ""),
        ("smtp+tls://mail.example", 587, "starttls"),
        ("submission://mail.example", 587, "starttls"),
        ("smtps://mail.example", 465, "tls"),
        ("smtp+ssl://mail.example", 465, "tls"),
        ("smtp+ssl://mail.example:2465", 2465, "tls"),
    ],
)
def test_the_scheme_decides_port_and_protection(url, port, protection):
    assert read_mail_server(url) == MailServer("mail.example", port, "", "", protection)


def test_user_and_password_may_have_any_character():
    server = read_mail_server("smtp+tls://club%40example.org:p%2Fw%3A@mail.example")
    assert (server.user, server.password) == ("club@example.org", "p/w:")


def test_another_kind_of_address_is_refused_by_name():
    with pytest.raises(ValueError, match="console: is not one of smtp:, submission:"):
        read_mail_server("console://")


def test_every_scheme_that_the_settings_accept_can_be_read():
    for scheme in EMAIL_SCHEMES:
        assert read_mail_server(f"{scheme}://mail.example").host == "mail.example"
