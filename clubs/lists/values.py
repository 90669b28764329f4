"""What the cells of a list of entries say: names, numbers, amounts, fees."""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

Payment = Literal["open", "paid", "cash", "transfer", "free"]

_LEADING = re.compile(
    r"^(?:(?:[#№]\s*\d{1,4}|\d{1,4}\s*[.)\]:])(?=\D|$)[\s.)\]:-]*|[•·‣▪●◦*–—-]+\s+|[•·‣▪●◦]+)+"
)
_SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "phd", "md"}
_GROUPED = re.compile(r"\d{1,3}(?:[.,' ’]\d{3})+")
_CURRENCY = r"(?:[a-z]{3}|euros?|fr|kr|zł|[€$£¥₺₹])\.?"
_AMOUNT = re.compile(
    rf"^(?:{_CURRENCY}\s?)?(\d[\d.,' ’]*?)(?:[.,]\s?[-–—])?(?:\s?{_CURRENCY})?$", re.IGNORECASE
)

_YES = "yes y x ok true 1 si s bai b in ja oui ✓ ✔ ☑"
_NO = "no n 0 false ez out nein non - – — ☐"
_PAYMENTS: dict[Payment, str] = {
    "cash": "cash efectivo metalico eskudirutan eskudirua dirua bar bargeld especes liquide contanti",
    "transfer": """
        transfer bank banktransfer card paypal transferencia banco tarjeta bizum transferentzia bankua
        txartela uberweisung uberwiesen karte virement carte bonifico carta
    """,
    "free": "free gratis exento exenta invitado invitada doan gonbidatua frei kostenlos gratuit gratuito",
    "open": "open unpaid notpaid pendiente nopagado ordaindugabe zor due offen unbezahlt impaye nonpagato",
    "paid": "paid pagado pagada ordainduta ordaindua bezahlt paye payee regle pagato pagata",
}


def folded(text: str) -> str:
    """A text without case, accents and everything but letters and digits, for comparison.

    >>> folded("E-Mail"), folded("Sí"), folded("Izena:")
    ('email', 'si', 'izena')
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in letters if each.isalnum() or each in "✓✔☑☐")


YES = frozenset(_YES.split())
NO = frozenset(_NO.split())
PAYMENTS: dict[str, Payment] = {word: kind for kind, words in _PAYMENTS.items() for word in words.split()}


def name_in(cell: str) -> str:
    """The name in a cell, without a leading number or bullet, surname last.

    >>> name_in("1. Ana Gil"), name_in("2) Gil, Ana"), name_in("• Ben Roy"), name_in("Davis, Jr.")
    ('Ana Gil', 'Ana Gil', 'Ben Roy', 'Davis, Jr.')
    """
    name = _LEADING.sub("", " ".join(cell.split())).strip()
    last, comma, first = name.partition(",")
    if comma and "," not in first and last.strip() and first.strip() and folded(first) not in _SUFFIXES:
        return f"{first.strip()} {last.strip()}"
    return name


def number_in(text: str) -> Decimal | None:
    """A number with a decimal point or comma, grouped or not; None for something else.

    >>> number_in("1.733"), number_in("1733,5"), number_in("1,234.50"), number_in("about 5")
    (Decimal('1733'), Decimal('1733.5'), Decimal('1234.50'), None)
    """
    plain = text.strip().lstrip("+").strip()
    if _GROUPED.fullmatch(plain):
        plain = re.sub(r"\D", "", plain)
    else:
        at = max(plain.rfind("."), plain.rfind(","))
        whole, rest = (plain, "") if at < 0 else (plain[:at], plain[at + 1 :])
        if _GROUPED.fullmatch(whole):
            whole = re.sub(r"\D", "", whole)
        plain = f"{whole}.{rest}" if rest else whole
    if not re.fullmatch(r"\d{1,12}(?:\.\d{1,6})?", plain, re.ASCII):
        return None
    try:
        return Decimal(plain)
    except InvalidOperation:
        return None


def amount_in(text: str) -> Decimal | None:
    """An amount with or without a currency; None for something else.

    >>> amount_in("20,00 EUR"), amount_in("€ 1.050"), amount_in("20,-"), amount_in("cash")
    (Decimal('20.00'), Decimal('1050'), Decimal('20'), None)
    """
    found = _AMOUNT.match(text.strip())
    return number_in(found[1].rstrip(".,")) if found else None


@dataclass(frozen=True, slots=True)
class FeeCell:
    """What a cell says of the fees: how they were paid, or an amount that was."""

    payment: Payment
    amount: Decimal | None = None


def fee_in(text: str) -> FeeCell | None:
    """What a cell says of the fees; None if it does not speak of them.

    >>> fee_in("efectivo"), fee_in("0"), fee_in("maybe")
    (FeeCell(payment='cash', amount=None), FeeCell(payment='open', amount=None), None)
    >>> fee_in("20,00 EUR")
    FeeCell(payment='paid', amount=Decimal('20.00'))
    """
    word = folded(text)
    if not text.strip():
        return FeeCell("open")
    if word in PAYMENTS:
        return FeeCell(PAYMENTS[word])
    amount = amount_in(text)
    if amount is not None and not (amount == 1 and text.strip() == "1"):
        return FeeCell("paid", amount) if amount else FeeCell("open")
    if word in YES or text.strip() in YES:
        return FeeCell("paid")
    return FeeCell("open") if word in NO or text.strip() in NO else None


def yes_in(text: str) -> bool | None:
    """Whether a cell says yes; None if it says neither yes nor no.

    >>> yes_in("Sí"), yes_in("x"), yes_in(""), yes_in("jackpot")
    (True, True, False, None)
    """
    word = folded(text)
    if not text.strip() or word in NO or text.strip() in NO:
        return False
    return True if word in YES or text.strip() in YES else None


def words_in(text: str) -> list[str]:
    """The parts of a cell that names several things.

    >>> words_in("jackpot / last chance + novices")
    ['jackpot', 'last chance', 'novices']
    """
    return [part for part in (each.strip() for each in re.split(r"[,;/+|&]", text)) if part]
