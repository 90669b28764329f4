"""The rules for the texts of Midpoint, as ``docs/engineers/language.md`` explains them.

A rule finds a phrase in the kinds of text that it holds for and says what to write instead. Exceptions
stand in ``EXEMPT``, each with its reason.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from deploy.wording.texts import Kind, Text

READ = frozenset({Kind.BUTTON, Kind.HEADING, Kind.TEXT, Kind.MESSAGE, Kind.DOCS})
SHOWN = frozenset({Kind.BUTTON, Kind.HEADING, Kind.TEXT})
ALL = frozenset(Kind)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A pattern that is never written, and what is written instead."""

    pattern: re.Pattern[str]
    instead: str
    kinds: frozenset[Kind]


def _phrases(kinds: frozenset[Kind], rows: str) -> Iterator[Phrase]:
    """One phrase a line: ``pattern -> instead``."""
    for row in rows.strip().splitlines():
        pattern, instead = row.split(" -> ")
        yield Phrase(re.compile(pattern.strip(), re.IGNORECASE), instead.strip(), kinds)


PHRASES: tuple[Phrase, ...] = (
    # Former sentences of pages that read as translated.
    *_phrases(
        ALL,
        r"""
        waits? for (your|the) yes -> to confirm
        the yes of -> waiting for ... to confirm
        is this how it ended -> Confirm this result
        played out on paper -> simulated
        nine times in ten -> 90% finish within
        empty for enough -> Blank = as many as needed
        whoever (comes|knows|has|is|plays|wins) -> name who is meant: a player, an entrant, anyone with ...
        players an entrant -> Players per team
        only titles from -> Minimum title
        returned of the entry fee -> % of entry fees paid out as prizes
        given back\b -> refunded, returned
        done lately -> Recent activity
        neither came -> Double no-show
        another end\b -> other outcome
        one touch records -> Tap a score to save it
        (can|could|may) be taken back -> You can undo it
        show what it changes -> Preview
        seen it and decide -> name the action
        \banew\b -> again, or a verb with re-
        lie in the cash box -> Expected cash
        what was remarkable -> Statistics
        all draws to check -> Audit file
        nothing waits for -> Nothing to do right now
        keeps out\b -> restricts
        is called like that -> No member has that name
        as it shall\b -> say it plainly
        the own\b -> their own
        the bounds leave none -> These limits exclude everyone
        bring(ing)? matches -> Upload matches
        calls on this device -> Table-call notifications
        something irregular -> Report an irregularity
        as deep as you like -> Choose how much to record
        the largest first -> Biggest errors
        midpoint keeps -> Midpoint runs
        \bhears? of (it|that|this|what)\b -> sends, is notified
        is locked, and the result follows -> imperative: what the function does
        (may|need|must) not be of the -> say it plainly
        """,
    ),
    # Words that are not terms of the field.
    *_phrases(
        READ,
        r"""
        \bsomebody('s| else)?\b -> player, member, guest, director, someone
        \bwhoever\b -> name who is meant
        \bwhomever\b -> name who is meant
        \bnobody (who|is|has|but) -> no player, no member, none
        \bneither side came\b -> Double no-show
        \btak(e|es|en|ing) (it |this |that |them )?back\b -> undo; redraw for a draw
        \bis to be\b -> will be, must be
        \bmay not\b -> cannot
        (?<!there )\bis no (place|move|roll|score|position|play|name|number|match|ladder)\b -> is not a
        \bthere is no such\b -> There is no ... with its name or ref
        \bsmall money\b -> cents, amount
        \bwithout a line\b -> offline
        \bhas (a|no) line\b -> connection
        \bneeds the line\b -> needs a connection
        \bdraw(s)? (was|is|were) made again\b -> redraw
        \bof the own\b -> their own
        \bfor the wall\b -> big screen
        \bthis name is me\b -> claim this name
        \bentrant(s)? who is here\b -> checked in
        """,
    ),
    *_phrases(
        SHOWN,
        r"""
        \bflights?\b -> division
        \blogins?\b -> account; sign in
        \bthe wall\b -> big screen
        \bwaits for\b -> Waiting for ... to ...
        """,
    ),
)

# Names and abbreviations that keep their capital in the middle of a sentence.
PROPER = frozenset(Path(__file__).with_name("names.txt").read_text().split())


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One sentence against a rule: where, the words, and what to write instead."""

    place: str
    words: str
    reason: str

    def __str__(self) -> str:
        shown = self.words if len(self.words) <= 90 else f"{self.words[:89]}…"
        return f"{self.place}: {shown!r}: {self.reason}"


Rule = Callable[[Text], str | None]


def phrase(text: Text) -> str | None:
    """A phrase of the table, with what stands there instead."""
    for one in PHRASES:
        found = one.pattern.search(text.bare) if text.kind in one.kinds else None
        if found:
            return f"“{found[0]}” is not Midpoint's language; write: {one.instead}"
    return None


def button_length(text: Text) -> str | None:
    """Buttons are a verb and an object: at most three words beside what is filled in."""
    words = [word for word in text.bare.replace("…", " ").split() if re.search(r"\w", word)]
    if text.kind == Kind.BUTTON and len(words) > MOST_IN_A_BUTTON:
        return f"a button has at most {MOST_IN_A_BUTTON} words, a verb and an object"
    return None


MOST_IN_A_BUTTON = 3


def sentence_case(text: Text) -> str | None:
    """Headings and buttons have one capital, at the beginning of a sentence, beside names."""
    if text.kind not in SHOWN:
        return None
    for sentence in re.split(r"[.:;!?…–—(“\"/·]\s*", text.bare):
        words = [word.strip("“”‘’'\",.()*") for word in sentence.split()]
        capital = [
            word for word in words[1:] if re.fullmatch(r"[A-Z][a-z]+([’'-]\w+)?", word) and word not in PROPER
        ]
        if capital and len(words) <= LONGEST_TITLE:
            return f"sentence case: {capital[0].lower()}, not {capital[0]}"
    return None


LONGEST_TITLE = 6


def trimmed(text: Text) -> str | None:
    """A text of several lines on a page is trimmed; in a mail, a line break is part of the text."""
    page = text.path.suffix != ".txt"
    return "write {% blocktranslate trimmed %}" if text.untrimmed and page else None


def whole_sentence(text: Text) -> str | None:
    """A text for translators is whole: it neither begins nor ends where a variable is glued to it."""
    if text.kind not in SHOWN:
        return None
    if re.fullmatch(r"(and|or|of|by|to|in|at|on|for|with|against|from|is|are|was|has|the|a|an)", text.words):
        return "a fragment that is glued to others: make one sentence of them, with placeholders"
    if re.search(r"\s(of|to|with|against|from|the|a|an|and|or)$", text.words):
        return "a sentence that ends in the middle: make it whole, with placeholders"
    return None


RULES: tuple[Rule, ...] = (phrase, button_length, sentence_case, trimmed, whole_sentence)

# Texts exempt from the rules: the exact text, and why.
EXEMPT: dict[str, str] = {
    "(in a new tab)": "read aloud after the words of a link, never seen",
    "Starting position, White to play 3-1": "White is the name of a side on the board",
}


def findings(texts: Iterable[Text]) -> Iterator[Finding]:
    """What the rules find in these texts, in their order."""
    for text in texts:
        if text.words in EXEMPT:
            continue
        for rule in RULES:
            reason = rule(text)
            if reason:
                yield Finding(text.place, text.words, reason)
