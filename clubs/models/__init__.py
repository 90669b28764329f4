from clubs.models.backup import Backup
from clubs.models.club import AnalysesShown, Club, Openness, Visibility
from clubs.models.demo import DemoProgress
from clubs.models.idempotency import IdempotencyKey
from clubs.models.invitation import Invitation
from clubs.models.mail import Delivery, OutgoingMail
from clubs.models.membership import Membership, Role, Title
from clubs.models.merge import Merge
from clubs.models.note import Note
from clubs.models.person import Person
from clubs.models.player import Player
from clubs.models.ref import RefField, RefModel
from clubs.models.setup import SetupToken
from clubs.models.token import ApiToken, Scope
from clubs.models.user import User
from clubs.models.work import Work, WorkStatus, work_models

__all__ = [
    "AnalysesShown",
    "ApiToken",
    "Backup",
    "Club",
    "Delivery",
    "DemoProgress",
    "IdempotencyKey",
    "Invitation",
    "Membership",
    "Merge",
    "Note",
    "Openness",
    "OutgoingMail",
    "Person",
    "Player",
    "RefField",
    "RefModel",
    "Role",
    "Scope",
    "SetupToken",
    "Title",
    "User",
    "Visibility",
    "Work",
    "WorkStatus",
    "work_models",
]
