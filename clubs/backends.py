"""Django backends: outgoing mail in ``OutgoingMail``, fast sessions."""

from collections.abc import Sequence

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.utils.timezone import now

from clubs.mail.services import keep_mail
from clubs.tasks import wake


class OutgoingMailBackend(BaseEmailBackend):
    """Stores messages in the caller's transaction and wakes a worker on commit."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        addressed = [message for message in email_messages if message.recipients()]
        for message in addressed:
            wake(keep_mail(message))
        return len(addressed)


class SessionStore(db.SessionStore):
    """Django's database sessions, read by a prepared statement.

    Sessions stay in the database only: a cache in each web process would miss a sign-out in another.
    """

    def _get_session_from_db(self) -> Session | None:
        with connection.cursor() as cursor:
            cursor.execute(_SESSION, [self.session_key, now()])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return None
        return Session(session_key=row[0], session_data=row[1], expire_date=row[2])


_SESSION = f"""
    SELECT session_key, session_data, expire_date FROM {Session._meta.db_table}
    WHERE session_key = %s::text AND expire_date > %s
"""  # noqa: S608 - the table's name is Django's own
