"""Choose the piece of a large draw to show: requested, the reader's own, or newest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from clubs.http.numbers import whole_number
from clubs.models import User
from tournaments.models import StageEntrant, StageRow
from tournaments.stages.drawing import Drawing
from tournaments.stages.minimap import minimap
from tournaments.stages.queries.draw_pieces import Piece, newest, piece_of, piece_with
from tournaments.stages.queries.stage_rows import names_in

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


def shown_of(request: HttpRequest, stage: StageRow, drawing: Drawing) -> ShownPiece | None:
    """The piece to show; None for a draw shown whole.

    One query for a signed-in user or a name. Raises Http404 for an unknown piece.
    """
    if not drawing.pieces:
        return None
    pieces = [each.piece for each in drawing.pieces]
    asked = request.GET.get("find", "").strip()
    hits = _found(stage, asked) if asked else {}
    entrant = next(iter(hits)) if len(hits) == 1 else whole_number(request.GET.get("entrant", ""))
    piece = _chosen(request, stage, pieces, entrant)
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


def _chosen(request: HttpRequest, stage: StageRow, pieces: Sequence[Piece], entrant: int | None) -> Piece:
    asked = request.GET.get("part", "")
    if asked:
        named = next((piece for piece in pieces if piece.key == asked), None)
        if named is None:
            raise Http404(_("Part of the draw not found."))
        return named
    with_match = piece_with(pieces, whole_number(request.GET.get("match", "")))
    if with_match is not None:
        return with_match
    own = {entrant} if entrant is not None else _own(request, stage)
    return piece_of(pieces, own) or newest(pieces)


def _own(request: HttpRequest, stage: StageRow) -> set[int]:
    """The reader's own numbers in the draw."""
    if not isinstance(request.user, User):
        return set()
    rows = StageEntrant.objects.filter(stage=stage, entrant__members__player__user=request.user)
    return set(rows.values_list("number", flat=True))


def _found(stage: StageRow, asked: str) -> dict[int, str]:
    """The entrants whose names contain this, ignoring case."""
    wanted = asked.casefold()
    return {n: named.title for n, named in names_in(stage).items() if wanted in named.title.casefold()}
