"""Cleaned names, and keys that show whether two names look alike.

Invisible characters are removed from a name: direction marks (U+202A to U+202E, U+2066 to U+2069, U+200E,
U+200F), zero-width characters and unusual spaces. Two names look alike when their skeletons are equal, as in
Unicode Technical Standard 39, section 4. The table has the letters of its ``confusables.txt`` that resemble
Latin ones in the scripts most often used to fake names: Cyrillic, Greek, Armenian, Cherokee, small capitals.
Other scripts are compared as written. (The one library on PyPI with the whole file,
``confusable_homoglyphs``, had no release after January 2024.)
"""

import unicodedata

# Letters and marks that show nothing, beside the categories of controls and formats.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = frozenset("\u200c\u200d")
# Arabic to Thai, and Tibetan to Mongolian: where a joiner changes how letters are written.
_JOINED = (range(0x0600, 0x0E80), range(0x0F00, 0x1880))

_TABLE = (
    # Cyrillic
    ("АВЕКМНОРСТХУаеорсухіјѕԁԛԝһѵґЅІЈԌԚԜҮүҺ", "ABEKMHOPCTXYaeopcyxijsdqwhvrSIJGQWYyh"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυϲϳγΗͿ", "ABEZHIKMNOPTYXaiKvopucjyHJ"),
    # Armenian
    ("օոսհցզքՕՍՏԼ", "onuhgqpOUSL"),
    # Cherokee
    ("ᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCEHJKLMPRSTVWZ"),
    # small capitals, and Latin letters in other shapes
    ("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡıȷ", "ABCDEGHIJKLMNOPRSTUVWYZagij"),
    # digits, apostrophes, hyphens
    ("0’‘ʼ`´′ʻ‐‑‒–—−", "O'''''''------"),
)
_SHAPES = {ord(one): other for row, shown in _TABLE for one, other in zip(row, shown, strict=True)}
_STROKES = str.maketrans("Il1|ӏӀ", "||||||")


def clean_name(name: str) -> str:
    """Return the name without invisible characters, with single spaces.

    Empty if nothing is left.

    >>> clean_name("\\u202eAna\\u200b  Ruiz\\u3164")
    'Ana Ruiz'
    """
    kept = (letter for at, letter in enumerate(name) if _shows(name, at, letter))
    return " ".join("".join(kept).split())


def skeleton(name: str) -> str:
    """A key that is equal for names that look alike; never shown.

    >>> skeleton("Аlаn") == skeleton("Alan") == skeleton("AIan")
    True
    >>> skeleton("José") == skeleton("Jose")
    False
    """
    shown = unicodedata.normalize("NFKC", clean_name(name))
    letters = unicodedata.normalize("NFD", shown).translate(_SHAPES).translate(_STROKES)
    visible = "".join(letter for letter in letters if letter not in _JOINERS)
    return visible.casefold().replace("rn", "m").replace("vv", "w")


def folded(name: str) -> str:
    """The name without case and compatibility forms: equal for equal spellings."""
    return unicodedata.normalize("NFKC", clean_name(name)).casefold()


def look_alike(one: str, other: str) -> bool:
    """Whether a reader could take one name for the other.

    >>> look_alike("Ian Fox", "Lan Fox"), look_alike("ANA", "ana"), look_alike("Bemard", "Bernard")
    (False, True, True)
    """
    return skeleton(one) == skeleton(other) or folded(one) == folded(other)


def _shows(name: str, at: int, letter: str) -> bool:
    if letter in _BLANK:
        return False
    if letter in _JOINERS:
        return 0 < at < len(name) - 1 and all(_is_joined(name[each]) for each in (at - 1, at + 1))
    if "\ufe00" <= letter <= "\ufe0f":
        return False
    # Controls that separate words are spaces; others, formats and code points that are none show nothing.
    return letter.isspace() or unicodedata.category(letter) not in {"Cc", "Cf", "Cs", "Co", "Cn"}


def _is_joined(letter: str) -> bool:
    return any(ord(letter) in script for script in _JOINED)
