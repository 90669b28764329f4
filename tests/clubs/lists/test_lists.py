"""Lists pasted from spreadsheets: cells, columns, and what the cells say."""

from decimal import Decimal

import pytest

from clubs.lists.cells import read_cells
from clubs.lists.columns import guess_columns
from clubs.lists.values import FeeCell, amount_in, fee_in, name_in, number_in, words_in, yes_in


@pytest.mark.parametrize(
    ("text", "fields", "headed"),
    [
        ("Name\tRating\tClub\tFee paid\nAna\t1733\tPorto\tyes", "name rating club fee", True),
        ("Player;E-Mail;Seed;Division;Side pools\nAna;;1;Open;", "name email seed division pools", True),
        ("Apellidos;Nombre;Correo electrónico;Cuota\nGil;Ana;a@b.es;sí", "last first email fee", True),
        ("Jugador,Puntuación,Categoría\nAna,1.733,A", "name rating division", True),
        ("Izen-abizenak;Kluba;Ordaindua;Maila\nAna;Bilbo;bai;A", "name club fee division", True),
        ("Abizena,Izena,Eposta\nGil,Ana,a@b.eus", "last first email", True),
        ("No;Nombre;ELO\n1;Ana;1733,5", "- name rating", True),
        ("Nr.;Vor- und Nachname;Verein;Bezahlt\n1.;Ana;BC;ja", "- name club fee", True),
        ("Name;Vorname;Ort\nGil;Ana;Köln", "last first club", True),
        ("Nom;Prénom;Payé\nGil;Ana;oui", "last first fee", True),
        ("Nome;Cognome\nAna;Gil", "first last", True),
        ("Lp.;Tak;Zawodnik;Elo;E-Mail\n1.;x;Ana;1;a@b.pl\n2.;x;Ben;2;b@b.pl", "- - name rating email", True),
        ("Elo;Club;Rank\n1500;BC;3", "rating club -", True),
        ("PLAYER 1\tPlayer 2\nAna\tBen", "name name", True),
        ("Name;jackpot\nAna;x", "name pools", True),
        ("1\tAna\t1733\ta@b.es\n2\tBen\t1650\tb@b.es", "- name rating email", False),
        ("Ana Gil; cash\nBen Roy; transfer", "name fee", False),
        ("Ana Gil\nBen Roy", "name", False),
        ("Ana;Gold\nBen;silver", "name division", False),
        ("", "", False),
    ],
)
def test_columns_are_recognised_by_headings_in_six_languages_or_by_their_cells(text, fields, headed):
    table = read_cells(text, most=100)
    places = 2 if "PLAYER 1" in text else 1
    found = guess_columns(table, places=places, pools=["jackpot"], divisions=["Gold", "Silver"])
    assert [each or "-" for each in found.fields] == fields.split()
    assert found.headed == headed


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("\ufeffAna\t1733\r\n\r\nBen\t1650\r\n", [(1, "Ana", "1733"), (3, "Ben", "1650")]),
        ('"Gil,\nAna";cash\nBen;', [(1, "Gil, Ana", "cash"), (2, "Ben", "")]),
        ("Ana\u00a0Gil\u200b;\u202f1\u00a0050,00", [(1, "Ana Gil", "1 050,00")]),
        ('"Ace Smith;free\nBen;cash', [(1, "Ace Smith", "free"), (2, "Ben", "cash")]),
        (
            "Weiss, Daniel;cash\nLund, Greta;20,00",
            [(1, "Weiss, Daniel", "cash"), (2, "Lund, Greta", "20,00")],
        ),
        ("x" * 140_000 + ";cash", [(1, "x" * 140_000, "cash")]),
    ],
    ids=["bom", "newline in quotes", "blanks", "open quote", "commas", "long"],
)
def test_cells_of_any_spreadsheet_are_read(text, cells):
    assert [(row.number, *row.cells) for row in read_cells(text, most=100).rows] == cells


def test_no_more_rows_are_read_than_asked_for():
    table = read_cells("\n".join(f"P{n}" for n in range(501)), most=500)
    assert (len(table.rows), table.more, table.width) == (500, True, 1)


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        *(
            (f"{lead}Ana Gil", "Ana Gil")
            for lead in ("1.", "1. ", "12) ", "3 . ", "#4 ", "• ", "- ", "– ", "1.- ")
        ),
        ("Gil, Ana", "Ana Gil"),
        ("7. Gil,  Ana", "Ana Gil"),
        ("Sammy Davis, Jr.", "Sammy Davis, Jr."),
        ("3 Musketeers", "3 Musketeers"),
        ("1.5 Ana", "1.5 Ana"),
        ("O’Neil-Smith", "O’Neil-Smith"),
        ("Ñ" * 60, "Ñ" * 60),
    ],
)
def test_a_leading_number_is_no_part_of_a_name(cell, name):
    assert name_in(cell) == name


@pytest.mark.parametrize(
    ("cell", "amount"),
    [
        *(
            (cell, "20")
            for cell in ("20", "20,00 EUR", "EUR 20.00", "€20", "20 €", "20,-", "20.00€", "Fr. 20")
        ),
        ("1.050,00 EUR", "1050"),
        ("1,050.00", "1050"),
        ("1 050,50 €", "1050.5"),
        ("12,5", "12.5"),
        *((cell, None) for cell in ("", "twenty", "20/40", "-20", "1.2.3,4,5x")),
    ],
)
def test_amounts_are_read_as_people_write_them(cell, amount):
    assert amount_in(cell) == (None if amount is None else Decimal(amount))


def test_ratings_with_a_decimal_comma_or_groups_are_numbers():
    cells = ("1733,5", "1.733", "1,733.5", "16.89", "+1500", "n/a", "٣")
    assert [str(number_in(cell)) for cell in cells] == [
        *("1733.5", "1733", "1733.5", "16.89", "1500", "None", "None"),
    ]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        *(
            (cell, "open")
            for cell in ("", "no", "0", "0,00 EUR", "ez", "-", "unpaid", "Not paid", "pendiente")
        ),
        *((cell, "paid") for cell in ("yes", "Sí", "bai", "x", "✓", "paid", "PAGADO", "1")),
        *((cell, "paid") for cell in ("bezahlt", "Payé", "pagato")),
        *((cell, "cash") for cell in ("cash", "Efectivo", "eskudirutan", "bar", "Contanti")),
        *((cell, "transfer") for cell in ("transfer", "Transferencia", "bizum", "Überweisung")),
        *((cell, "free") for cell in ("free", "gratis", "doan")),
    ],
)
def test_fees_are_read_in_words(cell, said):
    assert fee_in(cell) == FeeCell(said)


def test_what_does_not_speak_of_fees_or_pools_is_not_guessed():
    assert fee_in("maybe") is None
    assert fee_in("20,50 EUR") == FeeCell("paid", Decimal("20.50"))
    assert [yes_in(cell) for cell in ("bai", "ez", "", "jackpot")] == [True, False, False, None]
    assert words_in("jackpot, last chance / novices") == ["jackpot", "last chance", "novices"]
