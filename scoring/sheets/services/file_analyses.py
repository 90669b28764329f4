"""Store a match file's analysis and comments, separate from our own analyses."""

from collections.abc import Sequence

from scoring.engines.annotated import annotated
from scoring.engines.conversion import annotations_bounded
from scoring.log.queries.sheets import events_of
from scoring.models import FileAnalysis, FileDecision, FileProgram, Match, Source
from scoring.models.file_analysis import own_label
from scoring.notation.annotations import Annotations
from scoring.signals import file_analysed
from scoring.theory.decisions import Decision, EngineLabel
from scoring.theory.performance import by_game, by_side, sums_of


def keep_annotations(*, source: Source, match: Match, annotations: Annotations | None) -> None:
    """Store a file's analysis, comments and facts once with its source.

    Load the match with its sheet; the caller holds both. A file that was erased stays erased.
    """
    if (
        annotations is None
        or source.content is None
        or source.facts
        or source.comments
        or hasattr(source, "analysis")
    ):
        return
    _put(source, match, annotations)


def put_to_sheet(*, source: Source, match: Match) -> None:
    """Attach a file's analysis to the sheet of the match it now belongs to.

    A file that has been erased keeps no analysis: nothing tells to which entries of this sheet it belongs.
    """
    FileAnalysis.objects.filter(source=source).delete()
    annotations = annotations_bounded(bytes(source.content)) if source.content else None
    if annotations is not None:
        _put(Source.objects.get(pk=source.pk), match, annotations)


def _put(source: Source, match: Match, annotations: Annotations) -> None:
    log = events_of(match.sheet)
    told = annotated(annotations, [each.event for each in log], [str(each.seq) for each in log])
    source.facts = [list(fact) for fact in annotations.facts]
    source.comments = [
        {"game": comment.game, "event_seq": int(comment.ref) if comment.ref else None, "text": comment.text}
        for comment in told.comments
    ]
    source.save(update_fields=["facts", "comments"])
    if not annotations.is_analysed:
        return
    program, label = _named(annotations)
    analysis = FileAnalysis.objects.create(
        source=source,
        program=program,
        exact_label=label,
        head_hash=match.sheet.head_hash,
        left_out=told.left_out,
        summary={
            "match": sums_of(by_side(told.decisions)),
            "games": {game: sums_of(sides) for game, sides in by_game(told.decisions).items()},
        },
    )
    FileDecision.objects.bulk_create(_rows(analysis, told.decisions, told.positions))
    file_analysed.send(sender=FileAnalysis, analysis=analysis)


def _named(annotations: Annotations) -> tuple[str, str]:
    """The program and the exact label of an analysis in a file."""
    if not annotations.stated:
        return annotations.program, own_label(annotations.program)
    label = str(EngineLabel.parse(annotations.stated).in_file)
    programs = {own_label(each): each for each in (FileProgram.XG, FileProgram.GNUBG)}
    return programs.get(label, FileProgram.STATED), label


def _rows(
    analysis: FileAnalysis, decisions: Sequence[Decision], positions: Sequence[str]
) -> list[FileDecision]:
    return [
        FileDecision.of(
            decision,
            number=number,
            event_seq=int(decision.ref),
            analysis=analysis,
            played=decision.played[:80],
            position=position,
        )
        for number, (decision, position) in enumerate(zip(decisions, positions, strict=True))
    ]
