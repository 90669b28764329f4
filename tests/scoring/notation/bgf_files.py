"""Small ``.bgf`` files made for tests: a JSON line, then the match in Smile, as BGBlitz writes them."""

from typing import Any

START_RED = {24: -2, 13: -5, 8: -3, 6: -5, 1: 2, 12: 5, 17: 3, 19: 5}
"""The set-up in Red's numbering, Green's checkers positive."""
GREEN, RED = -1, 1


def smile(value: Any) -> bytes:
    """``value`` in Smile: objects, lists, short text, whole numbers from -16 to 31, booleans and None."""
    return b":)\n\0" + _smile(value)


def _smile(value: Any) -> bytes:
    if isinstance(value, dict):
        body = b"".join(bytes([0x7F + len(key)]) + key.encode() + _smile(item) for key, item in value.items())
        return b"\xfa" + body + b"\xfb"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(_smile, value)) + b"\xf9"
    if isinstance(value, str):
        return bytes([0x3F + len(value)]) + value.encode() if value else b"\x20"
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    zigzag = (value << 1) ^ (value >> 31)
    return bytes([0xC0 + zigzag]) if zigzag < 32 else bytes([0x24, 0x80 + zigzag])


def play(player: int, dice: tuple[int, int], *moves: tuple[int, int]) -> dict[str, Any]:
    """One turn; the four moves are padded as the program pads them."""
    padded = [*moves, *[(-1, -1)] * (4 - len(moves))]
    return {
        "player": player,
        "red": dice[0],
        "green": dice[1],
        "from": [source for source, _ in padded],
        "to": [target for _, target in padded],
    }


def bgf(green: str, red: str, moves: list[dict[str, Any]]) -> bytes:
    """A match to 5 with one game, in which Red resigned a single."""
    points = [START_RED.get(point, 0) for point in range(1, 25)] + [0, 0]
    content = {
        "nameGreen": green,
        "nameRed": red,
        "matchlen": 5,
        "finalGreen": 1,
        "games": [
            {
                "initial": {"points": points, "cube": 1},
                "moves": moves,
                "wonPoints": 1,
                "wasResignation": True,
            }
        ],
    }
    return b'{"format":"BGF","version":"1.0"}\n' + smile(content)
