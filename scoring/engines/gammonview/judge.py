"""Drive gammonview's own judgement, one decision at a time, with positions that we replayed.

`gvanalysis.game_eval` holds the routing of the presets (screen, close decisions deeper, errors deepest), the
counting and the luck; the figures in docs/reference/theory.md, "How near the engines come to eXtreme Gammon",
were measured with it. We call its evaluators for single decisions, because whole matches go through its own
replay, which orders players by name, knows no Jacoby option and rounds errors. Rows that it would leave out
after an exception are errors here.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import bgsage
from bgsage.board import possible_moves
from bgsage.text_export import compute_move_notation
from gvanalysis import checker_eval, game_eval
from gvanalysis.presets import Preset, PresetConfigError, resolve_preset

from scoring.engines.decisions import (
    CubeValues,
    Five,
    Judged,
    double_decision,
    five,
    play_decision,
    response_decision,
)
from scoring.engines.errors import EngineCrashed, EngineRefused
from scoring.engines.gammonview.boards import board_of, position_of
from scoring.engines.requests import (
    AnalysisRequest,
    CheckerQuestion,
    CubeOwner,
    CubeQuestion,
    Question,
    Response,
    Situation,
)
from scoring.theory.decisions import Candidate, Decision, EngineLabel

_OWNERS = {CubeOwner.CENTRED: "centered", CubeOwner.OWN: "player", CubeOwner.OPPONENT: "opponent"}
_LUCK_LEVEL = "1ply"


@dataclass
class Judge:
    """gammonview set up for one preset and one set of rules."""

    preset: Preset
    jacoby: bool
    beavers: bool
    failures: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._context = self._build_context()

    @classmethod
    def for_request(cls, request: AnalysisRequest) -> "Judge":
        """Raises EngineRefused for a preset that this installation does not have."""
        try:
            preset = resolve_preset(request.preset)
        except (ValueError, PresetConfigError) as error:
            raise EngineRefused(str(error), preset=request.preset) from error
        return cls(preset, jacoby=request.jacoby, beavers=request.beavers)

    @property
    def label(self) -> EngineLabel:
        """Engine, versions of both packages, preset with its revision."""
        versions = f"{version('gammonview')}+bgsage-{version('bgsage')}"
        return EngineLabel("gammonview", versions, self.preset.label)

    def answer(self, question: Question) -> list[Decision]:
        """One decision for a play, one or two for a cube action. Raises EngineCrashed with the reason."""
        self.failures.clear()
        if isinstance(question, CheckerQuestion):
            decisions = [self._checker(question)]
        else:
            decisions = self._cube(question)
        if self.failures:
            raise self.failures[0]
        return decisions

    def _checker(self, question: CheckerQuestion) -> Decision:
        board, played = board_of(question.situation.position), board_of(question.played)
        first, second = question.dice
        faced = {
            **_faced(question.situation, board),
            "kind": "checker",
            "dice": [first, second],
            "board_played": played,
            "player": str(question.side),
            "is_p1": True,
            "no_legal": False,
        }
        result = game_eval._eval_checker_decision(faced, self._context)
        entry = result.entries[0] if result.entries else {"move_options": []}
        if not entry["move_options"]:
            raise self._silence(question)
        # Without a legal play bgsage gives nothing or the unchanged board; staying put is then legal.
        results = {
            compute_move_notation(board, b, first, second): b for b in possible_moves(board, first, second)
        }
        legal = played in (list(results.values()) or [board])
        candidates = _plays(question, entry["move_options"], results)
        if not any(c.played for c in candidates):
            candidates = (*candidates, self._illegal(question, board, played))
        counted = result.p1_dec == 1
        error = result.p1_err if counted else _uncounted_error(candidates, legal=legal)
        return play_decision(
            question, candidates, Judged(error, counted), legal=legal, luck=entry.get("luck")
        )

    def _illegal(self, question: CheckerQuestion, board: list[int], played: list[int]) -> Candidate:
        """An illegal play where gammonview looks at the legal ones only: forced plays and decided games."""
        analyzer = self._context.base_analyzer or self._context.analyzer
        faced = _faced(question.situation, played)
        after = analyzer.post_move_analytics(faced.pop("board"), **faced)
        first, second = question.dice
        return Candidate(
            action=compute_move_notation(board, played, first, second),
            equity=round(float(after.cubeful_equity), 4),
            probabilities=five(game_eval._probs_list(after.probs)),
            level=self._context.eval_label(after.eval_level),
            position=question.played,
            played=True,
        )

    def _cube(self, question: CubeQuestion) -> list[Decision]:
        # A beaver answers the double; the engine knows only take and pass, and a beaver is a take.
        response = "take" if question.response is Response.BEAVER else question.response
        decision = {
            **_faced(question.situation, board_of(question.situation.position)),
            "kind": "cube",
            "doubled": question.doubled,
            "response": None if response is None else str(response),
            "doubler": str(question.side),
            "responder": str(question.side.other),
            "is_doubler_p1": True,
        }
        result = game_eval._eval_cube_decision(decision, self._context)
        entry = result.entries[0] if question.doubled and result.entries else result.pending_cube
        if entry is None:
            raise self._silence(question)
        decisions = [_double(question, entry, result)]
        if question.response is not None:
            decisions.append(_response(question, result))
        return decisions

    def _silence(self, question: Question) -> BaseException:
        if self.failures:
            return self.failures[0]
        text = f"game {question.game}, ply {question.ply}: the engine gave no answer"
        return EngineCrashed(text, signal=None, status=None, detail=text)

    def _build_context(self) -> Any:
        preset = self.preset
        built: dict[str, Any] = {}

        def analyzer(level: str | None) -> Any:
            if level is None:
                return None
            if level not in built:
                built[level] = self._analyzer(level)
            return built[level]

        two_pass = preset.second_pass is not None
        level = preset.second_pass or preset.first_pass
        display = game_eval._LEVEL_DISPLAY
        # game_eval calls this name for screened plays; with our rules bound in, and failures kept.
        game_eval._checker_play = self._kept(
            functools.partial(checker_eval.checker_play, jacoby=self.jacoby, beaver=self.beavers)
        )
        return game_eval._EvalCtx(
            analyzer=analyzer(level),
            base_analyzer=analyzer(preset.first_pass) if two_pass else None,
            base_analyzer_cube=analyzer(preset.first_pass_cube),
            mid_analyzer_checker=analyzer(preset.mid_pass_checker) if two_pass else None,
            mid_analyzer_cube=analyzer(preset.mid_pass_cube) if two_pass else None,
            analyzer_cube=analyzer(preset.second_pass_cube),
            luck_analyzer=analyzer(_LUCK_LEVEL),
            close_threshold_checker=preset.close_threshold_checker if two_pass else None,
            close_threshold_cube=preset.close_threshold_cube if two_pass else None,
            error_threshold_checker=preset.error_threshold_checker if two_pass else 0.0,
            error_threshold_cube=preset.error_threshold_cube if two_pass else 0.0,
            verbose=False,
            all_moves=False,
            count_illegal=False,
            level_display=display.get(level, level),
            level_display_cube=(
                None if preset.second_pass_cube is None else display.get(preset.second_pass_cube)
            ),
            game={"game_number": 0},
            resign_errors=False,
        )

    def _analyzer(self, level: str) -> Any:
        analyzer = bgsage.BgBotAnalyzer(eval_level=level, cubeful=True, parallel_threads=1)
        rules = {"jacoby": self.jacoby, "beaver": self.beavers}
        analyzer.cube_action = self._kept(functools.partial(analyzer.cube_action, **rules))
        analyzer.checker_play = self._kept(_with_defaults(analyzer.checker_play, rules))
        analyzer.post_move_analytics = self._kept(
            functools.partial(analyzer.post_move_analytics, jacoby=self.jacoby)
        )
        return analyzer

    def _kept(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The call, with its exception remembered: gammonview drops the decision and goes on."""

        @functools.wraps(call.func if isinstance(call, functools.partial) else call)
        def kept(*arguments: Any, **options: Any) -> Any:
            try:
                return call(*arguments, **options)
            except Exception as error:
                self.failures.append(error)
                raise

        return kept


def _with_defaults(call: Callable[..., Any], defaults: dict[str, bool]) -> Callable[..., Any]:
    def called(*arguments: Any, **options: Any) -> Any:
        return call(*arguments, **{**defaults, **options})

    return called


def _faced(situation: Situation, board: list[int]) -> dict[str, Any]:
    return {
        "board": board,
        "cube_value": situation.cube,
        "cube_owner": _OWNERS[situation.owner],
        "away1": situation.own_away,
        "away2": situation.opponent_away,
        "is_crawford": situation.crawford,
    }


def _plays(
    question: CheckerQuestion, options: list[dict[str, Any]], results: dict[str, list[int]]
) -> tuple[Candidate, ...]:
    candidates = []
    for option in options:
        board = results.get(option["move"])
        position = question.situation.position if board is None else position_of(board)
        if option.get("illegal_move"):
            position = question.played
        candidates.append(
            Candidate(
                action=option["move"],
                equity=option["equity"],
                probabilities=_chances(option),
                level=option["eval_level"],
                position=position,
                # A forced play is marked as played whatever was played; the positions decide.
                played=position == question.played,
            )
        )
    return tuple(candidates)


def _uncounted_error(candidates: tuple[Candidate, ...], *, legal: bool) -> float | None:
    """None where nothing was to choose; 0 where every choice scored the same; the loss of an illegal play."""
    if legal:
        return None if len(candidates) == 1 else 0.0
    played = next(c.equity for c in candidates if c.played)
    return max(0.0, candidates[0].equity - played)


def _double(question: CubeQuestion, entry: dict[str, Any], result: Any) -> Decision:
    values = CubeValues(entry["equity_no_double"], entry["equity_double_take"], entry["equity_double_pass"])
    judged = _judged(entry, result.p1_dec, result.p1_err)
    return double_decision(question, values, _chances(entry), entry["eval_level"], judged)


def _response(question: CubeQuestion, result: Any) -> Decision:
    entry, doubled = result.entries[1], result.entries[0]
    # The entry's equities and chances are the doubler's.
    values = CubeValues(doubled["equity_no_double"], entry["equity_take"], entry["equity_pass"])
    judged = _judged(entry, result.p2_dec, result.p2_err)
    return response_decision(question, values, _chances(entry), entry["eval_level"], judged)


def _judged(entry: dict[str, Any], counts: int, error: float) -> Judged:
    """gammonview's own word on a cube: whether it enters a rate, and what it lost."""
    counted = counts == 1
    return Judged(error if counted else float(entry["lost_equity"]), counted)


def _chances(entry: dict[str, Any]) -> Five | None:
    chances = entry.get("probs")
    return None if chances is None else five(chances)
