"""Which rows of the access matrix are pages, for the crawl in a browser and the matrix itself."""

from tests.architecture.access_rules import ADMITTED, Row

LEAST_FIRST = ("visitor", "guest", "member", "director", "owner", "admin")
ELSEWHERE = {"clubs:setup"}
"""The first start, before there is an administrator: test_clubs has it."""
FILES = {
    "healthz",
    "readyz",
    "clubs:demo",
    "clubs:find_people",
    "clubs:live",
    "clubs:my_data",
    "clubs:robots",
    "scoring:match_file",
    "scoring:match_ogxm",
    "scoring:match_sgf",
    "scoring:match_json",
    "scoring:match_pdf",
    "scoring:slip_pdf",
    "scoring:deeper",
    "scoring:error_list",
    "scoring:mistakes_apkg",
    "scoring:mistakes_pdf",
    "scoring:mistakes_xgid",
    "scoring:service_worker",
    "scoring:shared_png",
    "scoring:photo_jpg",
    "scoring:step_png",
    "scoring:step_svg",
    "scoring:thumbnail_jpg",
    "scoring:chouette_csv",
    "scoring:chouette_png",
    "scoring:chouette_json",
    "tournaments:event_file",
    "tournaments:archive",
    "tournaments:print_cards",
    "tournaments:event_calendar",
    "tournaments:event_png",
    "tournaments:poster_jpg",
    "tournaments:own_calendar",
    "tournaments:report_csv",
    "tournaments:report_json",
    "tournaments:changes",
    "tournaments:followed",
}
"""What answers with something else than a page: a file, or a part of one."""


def is_given(row: Row, role: str) -> bool:
    return row.rules["GET"].letter(role, hidden=False) == ADMITTED


def has_page(row: Row) -> bool:
    """Whether somebody is given a page there, and not a file or only a way elsewhere."""
    shown = row.rules.get("GET")
    if row.is_api or row.name in ELSEWHERE | FILES or shown is None or shown.status not in {0, 200}:
        return False
    return any(is_given(row, role) for role in LEAST_FIRST)
