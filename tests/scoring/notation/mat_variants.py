"""Real matches written again in the forms that other programs, systems and copying give them.

Each form takes the text of a file and gives bytes that tell the same match. What the reader has to guess in
such a file is named beside the form.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from scoring.notation.mat_columns import RIGHT_COLUMN

ROW = re.compile(r"(\s*)(\d+)\)(.*)")
DICE = re.compile(r"(?<!\S)([1-6])([1-6]):")
FULL_WIDTH = {ord(str(digit)): 0xFF10 + digit for digit in range(10)}
NAMES = re.compile(r"\s*(\S.*?)? : (\d+)\s+(\S.*?)? : (\d+)\s*")


class Form(NamedTuple):
    """How a text is written again, and the flags that reading it gives besides the file's own."""

    write: Callable[[str], bytes]
    flags: frozenset[str] = frozenset()


def by_line(change: Callable[[str], str]) -> Callable[[str], bytes]:
    """The form in which each line is changed by itself."""
    return lambda text: "\n".join(change(line) for line in text.split("\n")).encode()


def rows_only(change: Callable[[str], str]) -> Callable[[str], bytes]:
    """The form in which the rows of the games are changed, and the results."""
    return by_line(lambda line: change(line) if ROW.fullmatch(line) or " Wins " in line else line)


def body_only(change: Callable[[str], str]) -> Callable[[str], bytes]:
    """The form in which everything below the head is changed."""

    def written(text: str) -> bytes:
        at = re.search(r"^ ?\d+ point match", text, re.MULTILINE)
        assert at is not None
        return (text[: at.start()] + change(text[at.start() :])).encode()

    return written


def without_head(text: str) -> bytes:
    kept = [line for line in text.split("\n") if not line.startswith(";") or "Crawford" in line]
    return "\n".join(kept).encode()


def widened(line: str) -> str:
    """The right column moved to the right, as programs with longer plays write it."""
    return line[:RIGHT_COLUMN] + re.sub(
        r" {4,}", lambda gap: gap.group() + " " * 17, line[RIGHT_COLUMN:], count=1
    )


def tabbed(line: str) -> str:
    """The line with tabs for the spaces that lead up to a tab stop."""
    chunks = [line[at : at + 8] for at in range(0, len(line), 8)]
    short = [re.sub(r" {2,}$", "\t", chunk) if len(chunk) == 8 else chunk for chunk in chunks]
    return "".join(short)


def columns_of(line: str) -> tuple[str, str, str]:
    """The number of a row, what is in its left column, and in its right one."""
    row = ROW.fullmatch(line)
    begin = row.start(3) + 1 if row else 0
    cells = list(re.finditer(r"\S+(?: {1,2}\S+)*", line[begin:]))
    left = " ".join(cell.group() for cell in cells if begin + cell.start() < RIGHT_COLUMN)
    right = " ".join(cell.group() for cell in cells if begin + cell.start() >= RIGHT_COLUMN)
    return row[2] + ")" if row else "", left, right


def tab_a_column(line: str) -> str:
    """The row with a tab before each of its cells, and nothing else between them."""
    number, left, right = columns_of(line)
    return f"{number}\t{left}" + (f"\t{right}" if right else "")


def tab_between_columns(line: str) -> str:
    """The row with a tab before its right cell alone."""
    number, left, right = columns_of(line)
    return f"{number} {left}".lstrip() + (f"\t{right}" if right else "")


def folded(line: str) -> str:
    return re.sub(r" +", " ", line).strip()


def wrapped(line: str) -> str:
    """The last move of a long row on a line of its own."""
    head, _space, last = line.rstrip().rpartition(" ")
    if len(line) < 50 or "/" not in last or not re.search(r"[/*)]\S* \S+/\S*$", line.rstrip()):
        return line
    return f"{head}\n{last}"


def numbered_by_dots(line: str) -> str:
    return re.sub(r"^(\s*\d+)\)", r"\1.", line)


def numbered_by_colons(line: str) -> str:
    return re.sub(r"^(\s*\d+)\)", r"\1:", line)


def without_numbers(line: str) -> str:
    return re.sub(r"^\s*\d+\)", lambda found: " " * len(found.group()), line)


def worded(**words: str) -> Callable[[str], str]:
    def change(line: str) -> str:
        for before, after in words.items():
            line = re.sub(rf"\b{before}\b", after, line)
        return line

    return change


def long_names(text: str) -> bytes:
    """Names that overflow their column."""
    white = "A name of more characters than its column has"

    def change(line: str) -> str:
        found = NAMES.fullmatch(line)
        if found is None:
            return line
        return f" {white} : {found[2]} Another such name as long as that : {found[4]}"

    return by_line(change)(text)


def fused_last_rows(text: str) -> bytes:
    """The row and the result that end the match run together, as Galaxy does with some resignations."""
    lines = [line for line in text.split("\n") if line.strip()]
    row = re.match(r"\s*(\d+)\)", lines[-2])
    if row is None or " Wins " not in lines[-1] or ROW.fullmatch(lines[-1]):
        return text.encode()
    lines[-2:] = [f"{lines[-2]}   {row[1]}) {lines[-1]}"]
    return "\n".join(lines).encode()


def without_opponent(pattern: str, replacement: str) -> Callable[[str], bytes]:
    """The form in which neither the games nor the head name the second player."""

    def change(line: str) -> str:
        if NAMES.fullmatch(line):
            return re.sub(pattern, replacement, line)
        return re.sub(r'(Player 2) ".*"', r'\1 ""', line)

    return by_line(change)


def replaced(pattern: str, replacement: str) -> Callable[[str], bytes]:
    """The form in which a pattern is replaced in every line."""
    return by_line(lambda line: re.sub(pattern, replacement, line))


FORMS: dict[str, Form] = {
    "Windows line ends": Form(lambda text: text.replace("\n", "\r\n").encode()),
    "old Mac line ends": Form(lambda text: text.replace("\n", "\r").encode()),
    "line ends that were converted twice": Form(lambda text: text.replace("\n", "\r\r\n").encode()),
    "a byte-order mark": Form(lambda text: text.encode("utf-8-sig")),
    "UTF-16 with its mark": Form(lambda text: text.encode("utf-16")),
    "UTF-16 little-endian without a mark": Form(lambda text: text.encode("utf-16-le")),
    "UTF-16 big-endian without a mark": Form(lambda text: text.encode("utf-16-be")),
    "zero bytes at the end": Form(lambda text: text.encode() + b"\0" * 512),
    "the end mark of DOS": Form(lambda text: text.encode() + b"\r\n\x1a"),
    "blank lines and spaces at the end": Form(lambda text: text.encode() + b"\n   \n\t\n\n"),
    "blank lines everywhere": Form(lambda text: text.replace("\n", "\n\n").encode()),
    "spaces behind every line": Form(by_line(lambda line: line + "    ")),
    "no last line end": Form(lambda text: text.rstrip().encode()),
    "tabs": Form(body_only(lambda body: "\n".join(tabbed(line) for line in body.split("\n")))),
    "a tab a column": Form(rows_only(tab_a_column)),
    "a tab between the columns": Form(rows_only(tab_between_columns)),
    "a tab for every gap": Form(body_only(lambda body: re.sub(r" {3,}", "\t", body))),
    "wider columns": Form(rows_only(widened)),
    "spaces folded to one": Form(body_only(lambda body: "\n".join(map(folded, body.split("\n"))))),
    "no head": Form(without_head),
    "a head without semicolons": Form(by_line(lambda line: line.removeprefix("; "))),
    "a title above the head": Form(lambda text: f"Match exported on 2024-05-11\n\n{text}".encode()),
    "comments between the rows": Form(replaced(r"^(\s*\d+\).*)$", "\\1\n; a remark")),
    "a length in the plural": Form(replaced(r"(\d+) point match", r"\1 points match")),
    "a length with a hyphen": Form(replaced(r"(\d+) point match", r"\1-point match")),
    "Match to": Form(replaced(r" ?(\d+) point match", r"Match to \1 points")),
    "headings in capitals": Form(by_line(worded(Game="GAME"))),
    "headings with a colon": Form(replaced(r"^( Game \d+)\s*$", r"\1:")),
    "no headings but the names": Form(by_line(lambda line: "" if re.match(r"\s*Game \d+", line) else line)),
    "a blank line under each heading": Form(replaced(r"^( Game \d+)\s*$", "\\1\n")),
    "rows numbered with a dot": Form(rows_only(numbered_by_dots)),
    "rows numbered with a colon": Form(rows_only(numbered_by_colons)),
    "rows without numbers": Form(rows_only(without_numbers)),
    "dice with a hyphen": Form(rows_only(lambda line: DICE.sub(r"\1-\2:", line))),
    "dice in parentheses": Form(rows_only(lambda line: DICE.sub(r"(\1\2):", line))),
    "dice in brackets": Form(rows_only(lambda line: DICE.sub(r"[\1-\2]", line))),
    "dice with an x": Form(rows_only(lambda line: DICE.sub(r"\1x\2:", line))),
    "dice with a dot": Form(rows_only(lambda line: DICE.sub(r"\1.\2:", line))),
    "digits of full width": Form(rows_only(lambda line: line.translate(FULL_WIDTH))),
    "a zero-width space behind every colon": Form(body_only(lambda body: body.replace(":", ":\u200b"))),
    "line ends of Unicode": Form(lambda text: text.replace("\n", "\u2028").encode()),
    "line ends of mainframes": Form(lambda text: text.replace("\n", "\u0085").encode()),
    "Crawford under a heading": Form(replaced(r"^( Game 2)\s*$", "\\1\n Crawford game")),
    "dice with a space before the colon": Form(rows_only(lambda line: DICE.sub(r"\1\2 :", line))),
    "the lower die first": Form(rows_only(lambda line: DICE.sub(r"\2\1:", line))),
    "capitals": Form(rows_only(str.upper)),
    "small letters": Form(rows_only(str.lower)),
    "accepts and rejects": Form(rows_only(worded(Takes="Accepts", Drops="Rejects"))),
    "take and pass": Form(rows_only(worded(Takes="Take", Drops="Pass", Doubles="Double"))),
    "a double without its value": Form(rows_only(lambda line: re.sub(r"Doubles => \d+", "Doubles", line))),
    "redoubles": Form(rows_only(lambda line: re.sub(r"Doubles => (4|8|16)", r"Redoubles to \1", line))),
    "results in the plural": Form(replaced(r"Wins (\d+) points?", r"Wins \1 points")),
    "bar and off by name": Form(rows_only(lambda line: line.replace("25/", "bar/").replace("/0", "/off"))),
    "cannot move in other words": Form(rows_only(worded(**{"Cannot Move": "can't move"}))),
    "no hits marked": Form(rows_only(lambda line: line.replace("*", ""))),
    "long moves on a line of their own": Form(rows_only(wrapped)),
    "names longer than their column": Form(long_names),
    "a text between the rows": Form(
        lambda text: text.replace(" Game 1", " Game 1", 1).rstrip().encode() + b"\nThank you for playing\n",
        frozenset({"line_skipped"}),
    ),
    "the last row and the result in one line": Form(fused_last_rows, frozenset({"fused_rows"})),
    "an unknown opponent": Form(
        without_opponent(r"(: \d+\s+)\S.*? : (\d+)\s*$", r"\1 : \2"), frozenset({"no_name"})
    ),
    "the opponent's column missing": Form(
        without_opponent(r"( : \d+)\s+\S.*$", r"\1"), frozenset({"no_name"})
    ),
    "headings that all say 0": Form(
        by_line(lambda line: re.sub(r" : \d+", " : 0", line) if NAMES.fullmatch(line) else line),
        frozenset({"score_differs"}),
    ),
}  # fmt: skip
