"""What the columns of a list of entries are, by their headings or by what stands in them.

Headings are recognised in English, Spanish, Basque, German, French and Italian, in their common spellings.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from clubs.lists.cells import CellRow, CellTable
from clubs.lists.values import amount_in, fee_in, folded, name_in, number_in, yes_in

Field = Literal["", "name", "first", "last", "rating", "seed", "club", "email", "fee", "pools", "division"]
FIELDS: tuple[Field, ...] = get_args(Field)
NAMES = frozenset({"name", "first", "last"})

_HEADINGS: dict[Field, str] = {
    "name": """
        name, names, player, players, player name, full name, entrant, participant, entry, partner, player
        1, player 2, nombre completo, nombre y apellidos, apellidos y nombre, jugador, jugadora, jugadores,
        participante, inscrito, pareja, companero, companera, jugador 1, jugador 2, izena, izen abizenak,
        izen-abizenak, jokalaria, jokalari, partaidea, parte-hartzailea, bikotekidea, bikotea,
        vor- und nachname, vorname nachname, name vorname, vorname name, spieler, spielerin, spielername,
        teilnehmer, teilnehmerin, nom, nom complet, nom et prenom, nom prenom, prenom nom, joueur, joueuse,
        joueurs, nome e cognome, cognome e nome, nominativo, giocatore, giocatrice, giocatori, partecipante
    """,
    "first": """
        first name, firstname, given name, forename, nombre, nombre de pila, lehen izena, vorname,
        rufname, prenom, nome
    """,
    "last": """
        last name, lastname, surname, family name, apellido, apellidos, abizena, abizenak,
        nachname, familienname, zuname, nom de famille, cognome
    """,
    "rating": """
        rating, ratings, elo, elo rating, rtg, fibs, fibs rating, puntuacion, puntos elo, puntuazioa, elo
        puntuazioa, wertung, wertungszahl, elo zahl, dwz, classement, cote, punteggio
    """,
    "seed": """
        seed, seeds, seeding, seed no, seed number, cabeza de serie, siembra, preclasificacion, cs,
        multzoburua, serieburua, buruzagia, setzplatz, setzliste, setznummer, tete de serie, testa di serie
    """,
    "club": """
        club, home club, team club, from, town, city, ciudad, localidad, poblacion, kluba, taldea, elkartea,
        herria, hiria, verein, ort, stadt, wohnort, heimatverein, ville, circolo, citta, associazione
    """,
    "email": """
        e-mail, email, mail, email address, e-mail address, mail address, correo, correo electronico,
        direccion de correo, posta, posta elektronikoa, eposta, e-posta, helbide elektronikoa,
        e-mail-adresse, mailadresse, courriel, adresse e-mail, adresse mail, indirizzo e-mail
    """,
    "fee": """
        fee, fees, paid, fee paid, entry fee, payment, paid by, amount, amount paid, cuota, pago, pagado,
        pagada, importe, inscripcion, forma de pago, cuota pagada, kuota, ordaindua, ordainduta, ordainketa,
        zenbatekoa, izen-ematea, matrikula,
        bezahlt, gebuhr, startgeld, nenngeld, startgeld bezahlt, betrag, zahlung, paye, payee, regle,
        reglement, frais, droits, droits d inscription, montant, pagato, pagata, quota, quota pagata, importo
    """,
    "pools": """
        pool, pools, side pool, side pools, sidepool, sidepools, side bet, bote, botes, bote lateral, botes
        laterales, bolsa, bolsas, potea, poteak, alboko potea, alboko poteak, poltsa,
        nebenpool, nebenpools, cagnotte, cagnottes
    """,
    "division": """
        division, flight, category, section, class, level, categoria, grupo, seccion, nivel, maila,
        kategoria, sailkapena, klasse, kategorie, gruppe, niveau, categorie, classe, sezione, livello
    """,
}


def _words(text: str) -> frozenset[str]:
    return frozenset(folded(word) for word in text.split(",") if word.strip())


_BY_HEADING: dict[str, Field] = {word: name for name, text in _HEADINGS.items() for word in _words(text)}
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
LEAST_RATING = 100


@dataclass(frozen=True, slots=True)
class GuessedColumns:
    """What the columns are; ``headed`` says that the first row has their headings."""

    fields: tuple[Field, ...]
    headed: bool


def names_in(row: CellRow, fields: Sequence[Field]) -> list[str]:
    """The names of a row, in order.

    >>> names_in(CellRow(1, ("Gil", "Ana", "1650")), ("last", "first", "rating"))
    ['Ana Gil']
    """
    found: list[str] = []
    parts = {"first": "", "last": ""}
    for name, cell in zip(fields, row.cells, strict=False):
        if name == "name" and cell:
            found.append(name_in(cell))
        elif name in parts:
            parts[name] = name_in(cell) if name == "first" or not parts["first"] else cell
    whole = " ".join(filter(None, (parts["first"], parts["last"])))
    return [each for each in (whole, *found) if each]


def field_of(heading: str) -> Field:
    """The field that a heading names; empty if none.

    >>> field_of("Correo electrónico"), field_of("ABIZENAK"), field_of("Elo:"), field_of("Shoe size")
    ('email', 'last', 'rating', '')
    """
    return _BY_HEADING.get(folded(heading), "")


def has_headings(table: CellTable, pools: Collection[str] = ()) -> bool:
    """Whether the first row has headings: a name's, or two, and nothing but words."""
    if not table.rows:
        return False
    cells = [cell for cell in table.rows[0].cells if cell]
    if any(number_in(cell) is not None or _EMAIL.fullmatch(cell) for cell in cells):
        return False
    if any(field_of(cell) for row in table.rows[1:2] for cell in row.cells):
        return False  # names such as "Player 1"
    known = [field_of(cell) for cell in cells]
    keys = {folded(key) for key in pools}
    count = sum(bool(field) or folded(cell) in keys for cell, field in zip(cells, known, strict=True))
    return bool(NAMES.intersection(known)) or count > 1


def guess_columns(
    table: CellTable,
    *,
    places: int = 1,
    pools: Collection[str] = (),
    divisions: Collection[str] = (),
) -> GuessedColumns:
    """The columns of a list: by its headings, else by what most of their cells are.

    ``places`` is the number of players of an entry, whose names have a column each; ``pools`` and
    ``divisions`` are names that cells can have.
    """
    keys, named = {folded(key) for key in pools}, {folded(name) for name in divisions}
    if has_headings(table, pools):
        heads = [*table.rows[0].cells, *[""] * (table.width - len(table.rows[0].cells))]
        fields: list[Field] = [field_of(head) or ("pools" if folded(head) in keys else "") for head in heads]
        if not NAMES.intersection(fields):
            fields = _with_names(fields, table)
        elif "last" not in fields and "first" in fields:
            # Beside a first name, "name" is the surname; alone, "nombre" is the whole name.
            part: tuple[Field, Field] = ("name", "last") if "name" in fields else ("first", "name")
            fields[fields.index(part[0])] = part[1]
        elif "first" not in fields and "name" in fields and "last" in fields:
            fields[fields.index("name")] = "first"
        return GuessedColumns(tuple(_once(fields, places)), headed=True)
    guessed: list[Field] = []
    for at in range(table.width):
        cells = table.column(at)
        guessed.append(_by_cells(cells, at, guessed, places, keys, named))
    return GuessedColumns(tuple(_once(guessed, places)), headed=False)


def _with_names(fields: Sequence[Field], table: CellTable) -> list[Field]:
    """The fields, with names in the column of words that has most of them, if no heading says "name"."""
    body = CellTable(table.rows[1:])
    words = [
        {cell for cell in body.column(at) if number_in(name_in(cell)) is None and yes_in(cell) is None}
        if not field
        else set()
        for at, field in enumerate(fields)
    ]
    most = max(map(len, words), default=0)
    at = next((at for at, found in enumerate(words) if most and len(found) == most), None)
    return ["name" if here == at else field for here, field in enumerate(fields)]


def _by_cells(
    cells: Sequence[str],
    at: int,
    before: Sequence[Field],
    places: int,
    pools: Collection[str],
    divisions: Collection[str],
) -> Field:
    if not cells:
        return ""
    if _most(bool(_EMAIL.fullmatch(cell)) for cell in cells):
        return "email"
    numbers = [number_in(cell) for cell in cells]
    if _most(each is not None for each in numbers):
        found = [each for each in numbers if each is not None]
        if at == 0 or ("name" in before and all(each == int(each) < LEAST_RATING for each in found)):
            return "seed" if at else ""
        return "rating" if _most(each >= LEAST_RATING * 4 for each in found) else "fee"
    if before.count("name") < places and not all(fee_in(cell) for cell in cells):
        return "name"
    if pools and _most(folded(cell) in pools for cell in cells):
        return "pools"
    if divisions and _most(folded(cell) in divisions for cell in cells):
        return "division"
    if "fee" not in before or _most(amount_in(cell) is not None for cell in cells):
        return "fee"
    return ""


def _most(truths: Iterable[bool]) -> bool:
    found = list(truths)
    return bool(found) and 2 * sum(found) > len(found)


def _once(fields: Sequence[Field], places: int) -> list[Field]:
    """The fields, each in its first column; names and side pools can have several."""
    kept: list[Field] = []
    for each in fields:
        most = places if each == "name" else len(fields) if each in {"", "pools"} else 1
        kept.append(each if kept.count(each) < most else "")
    return kept
