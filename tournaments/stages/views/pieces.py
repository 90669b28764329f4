"""Choose the piece of a large draw to show: requested, the reader's own, or newest."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from clubs.http.numbers import whole_number
from tournaments.models import StageRow
from tournaments.stages.drawing import Drawing
from tournaments.stages.minimap import minimap
from tournaments.stages.queries.draw_pieces import Piece, newest, piece_of, piece_with
from tournaments.stages.queries.stage_rows import Named, names_in

MOST_FOUND = 20


@dataclass(frozen=True, slots=True)
class PieceLink:
    """A link to another piece, or to an entrant found in the draw."""

    title: str
    address: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """The piece of a large draw on a page, and the links to others."""

    piece: Piece
    html: SafeString
    sections: Mapping[str, Sequence[PieceLink]]
    kept: Mapping[str, str]
    asked: str
    found: Sequence[PieceLink]
    entrant: int | None
    maps: Sequence[SafeString] = ()


def shown_of(
    request: HttpRequest,
    stage: StageRow,
    drawing: Drawing,
    own: Collection[int],
    names: Mapping[int, Named] | None = None,
) -> ShownPiece | None:
    """The piece to show; None for a draw shown whole. ``own`` are the reader's numbers.

    One query for a name, none with the ``names`` just read. Raises Http404 for an unknown piece.
    """
    if not drawing.pieces:
        return None
    pieces = [each.piece for each in drawing.pieces]
    asked = request.GET.get("find", "").strip()
    hits = _found(names_in(stage) if names is None else names, asked) if asked else {}
    entrant = next(iter(hits)) if len(hits) == 1 else whole_number(request.GET.get("entrant", ""))
    piece = _chosen(request, pieces, own if entrant is None else {entrant})
    kept = {key: request.GET[key] for key in ("tab", "stage", "view", "show") if key in request.GET}
    sections: dict[str, list[PieceLink]] = {}
    for each in pieces:
        way = "?" + urlencode(kept | {"part": each.key})
        sections.setdefault(each.section, []).append(PieceLink(each.title, way, each is piece))
    found = [PieceLink(title, "?" + urlencode(kept | {"entrant": n})) for n, title in hits.items()]
    html = next(each.html for each in drawing.pieces if each.piece is piece)
    maps = [_map(pieces, section, links, piece) for section, links in sections.items() if stage.is_bracket]
    return ShownPiece(piece, html, sections, kept, asked, found[:MOST_FOUND], entrant, maps)


def _map(pieces: Sequence[Piece], section: str, links: Sequence[PieceLink], chosen: Piece) -> SafeString:
    own = [piece for piece in pieces if piece.section == section]
    svg = minimap(own, [link.address for link in links], chosen, section)
    return mark_safe(svg)  # noqa: S308 - the map escapes titles and addresses


def _chosen(request: HttpRequest, pieces: Sequence[Piece], entrants: Collection[int]) -> Piece:
    asked = request.GET.get("part", "")
    if asked:
        named = next((piece for piece in pieces if piece.key == asked), None)
        if named is None:
            raise Http404(_("Part of the draw not found."))
        return named
    with_match = piece_with(pieces, whole_number(request.GET.get("match", "")))
    if with_match is not None:
        return with_match
    return piece_of(pieces, set(entrants)) or newest(pieces)


def _found(names: Mapping[int, Named], asked: str) -> dict[int, str]:
    """The entrants whose names contain this, ignoring case."""
    wanted = asked.casefold()
    return {n: named.title for n, named in names.items() if wanted in named.title.casefold()}
