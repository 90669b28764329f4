from clubs.models.user import User

__all__ = ["User"]
