"""Analyses and comments in a match's files, for its page."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.analysis.queries.analyses import decision_of, performance_of
from scoring.analysis.queries.judgements import Judgement
from scoring.analysis.queries.label_words import label_words, short_engine
from scoring.models import Colour, FileAnalysis, FileDecision, Match, Source
from scoring.notation.transcript import Step
from scoring.theory.decisions import DecisionKind
from scoring.theory.performance import DEFAULT_THRESHOLDS, Performance


@dataclass(frozen=True, slots=True)
class FileJudgement:
    """A file's judgement of one decision, and the decision's position."""

    shown: Judgement
    position: str

    def fits(self, step: Step) -> bool:
        """Whether the step is still the judged decision, despite corrections."""
        game, decision = step.before, self.shown.decision
        if game.on_roll is None or game.seen_by(game.on_roll).key != self.position:
            return False
        if decision.kind is DecisionKind.CHECKER:
            made = next((each.position for each in decision.candidates if each.played), None)
            return step.after is None or made in (None, step.after.key)
        if decision.kind is DecisionKind.RESPONSE:
            return step.kind == decision.played
        return (step.kind == "double") == (decision.played == "double")


@dataclass(frozen=True, slots=True)
class FileWord:
    """One file's judgements and comments on one step."""

    label: str
    filename: str
    judgements: tuple[Judgement, ...]
    comments: tuple[str, ...]
    short: str = ""

    @property
    def worst(self) -> Judgement | None:
        """The judgement for a one-line summary: the largest error, else the last."""
        return max(reversed(self.judgements), key=lambda judgement: judgement.error, default=None)


@dataclass(frozen=True, slots=True)
class FileOpinion:
    """One file with its analysis, if any; performances for White, then Black."""

    source: Source
    label: str
    performances: tuple[Performance, Performance] | None
    is_corrected: bool
    """Whether the scoresheet has changed since the analysis was attached."""
    judged: Mapping[int, tuple[FileJudgement, ...]]
    commented: Mapping[int, tuple[str, ...]]

    @property
    def remarks(self) -> list[tuple[int, str]]:
        """Comments on the match (game 0) and on games, without a step."""
        return [(each["game"], each["text"]) for each in self.source.comments if each["event_seq"] is None]

    def word_on(self, step: Step) -> FileWord | None:
        """The file's judgements and comments on a step; None without any that fit."""
        seqs = [step.roll_seq, step.seq] if step.roll_seq else [step.seq]
        here = (each for seq in seqs for each in self.judged.get(seq, ()))
        judgements = tuple(each.shown for each in here if each.fits(step))
        comments = tuple(text for seq in seqs for text in self.commented.get(seq, ()))
        if not judgements and not comments:
            return None
        analysis = getattr(self.source, "analysis", None)
        short = short_engine(analysis.exact_label) if analysis else ""
        return FileWord(self.label, self.source.filename, judgements, comments, short or self.source.filename)


def sources_of(match: Match) -> list[Source]:
    """The match's files with their analyses, oldest upload first (one query)."""
    sources = Source.objects.filter(match=match).select_related("analysis").defer("content")
    return list(sources.order_by("at", "pk"))


def opinions_of(
    match: Match, sources: Sequence[Source], step: Step | None, *, shown: object = None
) -> list[FileOpinion]:
    """What the match's files say, with their judgements of ``step``, without those of the analysis ``shown``.

    Load the sheet with the match. One query if a file has another analysis.
    """
    analyses = (source.analysis for source in sources if hasattr(source, "analysis"))
    analysed = [analysis for analysis in analyses if analysis != shown]
    seqs = [step.seq, step.roll_seq] if step and step.roll_seq else [step.seq] if step else []
    rows = FileDecision.objects.filter(analysis__in=analysed, event_seq__in=seqs)
    rows = rows.order_by("analysis", "number")
    judged: dict[int, dict[int, list[FileJudgement]]] = defaultdict(lambda: defaultdict(list))
    for row in rows if analysed and seqs else ():
        decision = decision_of(row)
        shown = Judgement(decision, DEFAULT_THRESHOLDS.mark(decision))
        judged[row.analysis_id][row.event_seq].append(FileJudgement(shown, row.position))
    return [_opinion(source, match, judged) for source in sources]


def _opinion(
    source: Source, match: Match, judged: Mapping[int, Mapping[int, list[FileJudgement]]]
) -> FileOpinion:
    analysis: FileAnalysis | None = getattr(source, "analysis", None)
    rows = judged.get(analysis.pk, {}) if analysis else {}
    return FileOpinion(
        source,
        label_words(analysis.exact_label) if analysis else "",
        (
            (performance_of(analysis.summary, Colour.WHITE), performance_of(analysis.summary, Colour.BLACK))
            if analysis
            else None
        ),
        analysis is not None and analysis.head_hash != match.sheet.head_hash,
        {seq: tuple(found) for seq, found in rows.items()},
        dict(_comments(source)),
    )


def _comments(source: Source) -> Iterator[tuple[int, tuple[str, ...]]]:
    by_event: dict[int, list[str]] = defaultdict(list)
    for comment in source.comments:
        if comment["event_seq"] is not None:
            by_event[comment["event_seq"]].append(comment["text"])
    return ((seq, tuple(texts)) for seq, texts in by_event.items())
