"""Keys that an installation makes once."""

from tournaments.log.installation_keys import kept


def test_of_two_keys_created_at_once_one_wins_and_no_file_is_partial(settings, tmp_path):
    settings.VAR = str(tmp_path)

    def meanwhile() -> bytes:
        """Another thread of the same process is faster."""
        kept("key", lambda: b"first")
        return b"second, and longer"

    assert kept("key", meanwhile).read_bytes() == b"first"
    assert [each.name for each in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
