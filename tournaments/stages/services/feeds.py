"""Fill the fields of the stages that a finished stage feeds.

Whom a stage sends is decided by the rules of ``tournaments.core.play.feeding`` over its final ranking. A
director looks at the field that came together, notes who declines (the next in the ranking moves up) and
confirms it; then it is drawn like any other, from the seed whose hash was shown before.
"""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.refusals import Remedy
from tournaments.core.formats.groups import interleave
from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.play.feeding import Ranked, by_rule, feed, ranking_of
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.stage import Stage
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import Declined, EntrantRow, Feed, Sent, StageRow, StageStatus
from tournaments.stages.queries.stage_table import table_options
from tournaments.stages.queries.ties import StageTies, may_have_ties, stage_ties
from tournaments.stages.services.locks import lock_stage
from tournaments.stages.services.stages import load

WITHOUT_TABLE = frozenset({"knockout", "double", "ladder"})
FEWEST = 2


def targets_of(stage: StageRow) -> list[StageRow]:
    """The stages it feeds, in order (one query, none if it feeds none)."""
    refs = {rule.into for rule in stage.rules}
    return list(StageRow.objects.with_feeds().filter(ref__in=refs).order_by("position")) if refs else []


def sources_of(stage: StageRow) -> list[StageRow]:
    """The stages that feed it, in order; none for an entry stage (one query)."""
    found = StageRow.objects.with_feeds().filter(pk__in=stage.fed_by.values("stage"))
    return list(found.select_related("flight__event__club").order_by("position"))


def ranking(stage: StageRow, value: Stage) -> tuple[Ranked, ...]:
    """The final ranking of a stage, by its table with tie-breaks if it has one.

    Raises DrawRefused while the stage is in progress.
    """
    if stage.format in WITHOUT_TABLE:
        return ranking_of(value)
    return ranking_of(value, [row.place.entrant for row in stage_table(value, table_options(stage))])


def sent_by(stage: StageRow, value: Stage, declined: Collection[str] = ()) -> dict[str, tuple[Entrant, ...]]:
    """The entrants a finished stage sends to each target, best first."""
    if not format_of(stage.format).finished(value):
        return {}
    return dict(feed(ranking(stage, value), stage.rules, declined=declined))


def pass_on(stage: StageRow, value: Stage) -> None:
    """Record the entrants that a stage sends, or remove them if it reopens.

    A drawn target keeps its field; a target that gets fewer than two from all its sources is not needed. The
    caller has locked the stage and those behind it (``lock_stage``) and publishes the change.
    """
    targets = targets_of(stage)
    if not targets:
        return
    taken: list[list[str]] | None = None
    if stage.status == StageStatus.FINISHED:
        declined = {ref for target in targets for ref in target.declined}
        found = by_rule(ranking(stage, value), stage.rules, declined=declined)
        taken = [[entrant.ref for entrant in each] for each in found]
    for target in targets:
        _receive(target, stage, taken)


def _receive(target: StageRow, source: StageRow, taken: Sequence[Sequence[str]] | None) -> None:
    """Record the entrants taken by each rule of a source (None: not known yet)."""
    of_rules = [n for n, rule in enumerate(source.rules) if rule.into == target.ref]
    refs = None if taken is None else [ref for n in of_rules for ref in taken[n]]
    if target.drawn_at is not None or target.fed.get(source.ref) == refs:
        return
    _write_sent(Feed.objects.filter(stage=source, into=target), taken)
    target = StageRow.objects.with_feeds().get(pk=target.pk)
    target.confirmed_at = None
    complete = {each.ref for each in sources_of(target)} <= target.fed.keys()
    sent = {ref for refs in target.fed.values() for ref in refs}
    skipped = complete and len(sent) < FEWEST
    target.status = StageStatus.SKIPPED if skipped else StageStatus.PLANNED
    target.save(update_fields=["confirmed_at", "status"])
    for behind in targets_of(target):
        _receive(behind, target, [[] for _rule in target.rules] if skipped else None)


def _write_sent(feeds: QuerySet[Feed], taken: Sequence[Sequence[str]] | None) -> None:
    """Replace the sent rows of these feeds, given the entrants by rule number."""
    Sent.objects.filter(feed__in=feeds).delete()
    feeds.update(sent=taken is not None)
    if taken is None:
        return
    rows = [(feed, place, ref) for feed in feeds for place, ref in enumerate(taken[feed.number - 1], 1)]
    known = dict(EntrantRow.objects.filter(ref__in=[ref for *_, ref in rows]).values_list("ref", "pk"))
    Sent.objects.bulk_create(
        Sent(flight_id=feed.flight_id, feed=feed, place=place, entrant_id=known[ref])
        for feed, place, ref in rows
    )


def awaited(stage: StageRow) -> list[StageRow]:
    """The sources that are not finished yet."""
    return [each for each in sources_of(stage) if each.ref not in stage.fed]


def fed_field(stage: StageRow) -> list[str]:
    """Refs sent by the sources so far: all firsts before all seconds."""
    return [ref for row in _rows(list(stage.fed.values())) for ref in row]


def _rows(parts: Sequence[Sequence[str]]) -> list[list[str]]:
    longest = max(map(len, parts), default=0)
    return [[part[n] for part in parts if n < len(part)] for n in range(longest)]


def ties_of(stage: StageRow, value: Stage) -> StageTies:
    """The ties of a drawn stage and the decisions on them (one query if it feeds others)."""
    return stage_ties(stage, value, targets_of(stage))


def require_settled(target: StageRow) -> None:
    """Raise DeskRefused while a tie in a source decides who goes on to ``target``."""
    for source in sources_of(target):
        found = ties_of(source, load(source)).cut_for(target.ref) if may_have_ties(source) else []
        if found:
            known = {each.ref: each.title for each in _entrants(found[0].refs)}
            raise DeskRefused(
                _(
                    "%(names)s are level in %(source)s, and the tie decides who goes on to %(target)s. "
                    "Settle it first: by a tie-break, a playoff or a lot."
                )
                % {
                    "names": ", ".join(known[ref] for ref in found[0].refs),
                    "source": source.name,
                    "target": target.name,
                },
                code="tied",
                remedy=Remedy(_("Settle tie"), "tournaments:stage", "api:stage_ties", (source.ref,)),
            )


def _entrants(refs: Collection[str]) -> QuerySet[EntrantRow]:
    return EntrantRow.objects.filter(ref__in=refs).with_players()


def drawn_field(stage: StageRow) -> list[Entrant]:
    """The field of a fed stage for the draw, with opponents already met.

    Raises DeskRefused while a source is in progress, before a director has confirmed the field and while a
    tie decides who is in it.
    """
    require_field(stage)
    if stage.confirmed_at is None:
        raise DeskRefused(
            _("Confirm the field of %(stage)s before you draw it.") % {"stage": stage.name},
            code="unconfirmed",
        )
    require_settled(stage)
    sources = sources_of(stage)
    declined = {ref for source in sources for target in targets_of(source) for ref in target.declined}
    parts = [sent_by(each, load(each), declined).get(stage.ref, ()) for each in sources]
    return list(interleave(parts))


def require_field(stage: StageRow) -> None:
    """Raise DeskRefused while the field is incomplete or the stage not needed."""
    waiting = awaited(stage)
    if waiting:
        names = ", ".join(each.name for each in waiting)
        raise DeskRefused(
            _("%(stages)s must finish first: the entrants of this draw come from there.") % {"stages": names},
            code="awaited",
        )
    if stage.status == StageStatus.SKIPPED:
        raise DeskRefused(_("This draw is not needed: it has fewer than two entrants."), code="not_needed")


def confirm_field(*, stage: StageRow, user: User | None, refs: Sequence[str] | None = None) -> StageRow:
    """Confirm the field of a fed stage; ``refs`` is the field as shown.

    Raises DeskRefused while it is incomplete or a tie decides who is in it, after the draw, and if it has
    changed.
    """
    with transaction.atomic():
        stage = lock_stage(stage)
        _require_undrawn(stage)
        require_field(stage)
        if refs is not None and list(refs) != fed_field(stage):
            raise DeskRefused(
                _("The field has changed. Check it and confirm it again."), code="field_changed"
            )
        require_settled(stage)
        stage.confirmed_at = now()
        stage.save(update_fields=["confirmed_at"])
        note(
            event=stage.flight.event,
            kind="field_confirmed",
            user=user,
            stage=stage.ref,
            field=fed_field(stage),
        )
    return stage


def decline(*, stage: StageRow, entrant: EntrantRow, user: User | None, declined: bool = True) -> StageRow:
    """Record that an entrant declines a place (or accepts it after all).

    The next in the ranking moves up. Raises DeskRefused after the draw, and for an entrant that no stage
    sent.
    """
    with transaction.atomic():
        sources = sources_of(stage)
        for each in (*sources, stage):
            lock_stage(each)
        stage = lock_stage(stage)
        _require_undrawn(stage)
        known = entrant.ref in fed_field(stage) if declined else entrant.ref in stage.declined
        if not known:
            raise DeskRefused(
                _("%(name)s is not in the field of %(stage)s.")
                % {"name": entrant.title, "stage": stage.name},
                code="not_in_the_field",
            )
        Declined.objects.filter(stage=stage, entrant=entrant).delete()
        if declined:
            Declined.objects.create(flight_id=stage.flight_id, stage=stage, entrant=entrant)
        for source in sources:
            pass_on(source, load(source))
        kind = "declined" if declined else "declined_taken_back"
        note(event=stage.flight.event, kind=kind, user=user, stage=stage.ref, entrant=entrant.ref)
    return StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)


def drawn_from(stage: StageRow) -> list[StageRow]:
    """The stages that this one feeds and that are drawn."""
    return [each for each in targets_of(stage) if each.drawn_at is not None]


def overtaken_by(stage: StageRow, after: Stage, known: Sequence[StageRow] | None = None) -> list[StageRow]:
    """The drawn stages whose field would differ if this one ended as ``after``.

    One query, none if its :func:`targets_of` are ``known``.
    """
    targets = targets_of(stage) if known is None else known
    drawn = [each for each in targets if each.drawn_at is not None]
    if not drawn:
        return []
    declined = {ref for target in targets for ref in target.declined}
    sent = sent_by(stage, after, declined)
    return [
        each
        for each in drawn
        if each.fed.get(stage.ref, []) != [entrant.ref for entrant in sent.get(each.ref, ())]
    ]


def _require_undrawn(stage: StageRow) -> None:
    if stage.drawn_at is not None:
        raise DeskRefused(_("The draw has already been made."), code="drawn")
