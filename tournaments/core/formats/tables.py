"""The table of a stage that is not a bracket: by what its format counts, and its director's decisions."""

from tournaments.core.formats.table import format_of
from tournaments.core.stages.outcomes import Gone
from tournaments.core.stages.results import decisions_of, stage_results
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.tables import TableOptions, TableRow, table


def stage_table(stage: Stage, options: TableOptions) -> tuple[TableRow, ...]:
    """The table with its tie-breaks and decisions; disqualified entrants come last.

    Raises:
        UnknownTieBreak: naming it.
    """
    out = [n for n, how in stage.gone.items() if how is Gone.DISQUALIFIED]
    results, points = stage_results(stage), format_of(stage.format).points(stage)
    decisions, left = decisions_of(stage, results, options), stage.gone.keys()
    return table(results, options, points=points, last=out, decisions=decisions, left=left)
