"""Engine questions from a chouette game's board record, with the deciders.

Plays are judged at the acting captain's cube, the box's as well; where all cubes against the box
have ended, at the first extra that is still played. Each double and each answer is judged at its own cube.
A turn without a double is a decision of every player who could have doubled: each of the crew for their
cube, the box for each cube, the captain alone where the crew shares one.

Equal decisions in the same situation count once: alike cubes share one question. Forced actions are not
decisions: a take or beaver required by the house rules, the raccoon, the price of an extra, a settlement.
Under Jacoby, gammons count on a turned cube; an engine infers that from the cube's owner.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.engines.chouette_turns import BoardStep, PlacedMoment, TableMoment, is_turn, steps_of
from scoring.engines.questions import can_be_asked, checker_question, situation_of
from scoring.engines.requests import AnalysisRequest, CubeOwner, CubeQuestion, Question, Response, Situation
from scoring.rules.chouette import game as table
from scoring.rules.chouette.costs import Seating
from scoring.rules.chouette.events import Answered, CubeBeavered, Offered, ProxyNamed
from scoring.rules.chouette.game_state import Half, TableCube, TableGame
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.chouette.table import apply_to_table
from scoring.rules.errors import IllegalAction
from scoring.rules.events import Event, NotRolled, Played, PlayStatus, Rolled
from scoring.rules.match_state import MatchState
from scoring.rules.sides import Side


@dataclass(frozen=True, slots=True)
class Decider:
    """Who decided, and at which cubes (keys of :class:`~scoring.rules.chouette.game_state.TableCube`)."""

    player: str
    cubes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Faced:
    """Whose a decision is: ``board_seq`` the board's event at which it shows.

    ``seq`` is the event of the chouette's log by which it was decided, None for a play and for a roll
    without a double. Several deciders have decided the same on alike cubes, each for themselves.
    """

    board_seq: int
    deciders: tuple[Decider, ...]
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class ChouetteRequest:
    """``faced`` tells by a decision's ``ref`` whose it is.

    A decision whose ref is not in it repeats another one and is none. ``left_out`` are the seqs of the
    chouette's doubles that fit no turn on the board; of plays that no engine can be told, the request says.
    """

    request: AnalysisRequest
    faced: Mapping[str, Faced]
    left_out: tuple[int, ...] = ()


def chouette_request(
    seating: Seating,
    options: ChouetteOptions,
    board: Sequence[tuple[int, Event]],
    moments: Sequence[TableMoment],
    *,
    preset: str,
    proxies: Mapping[str, str] | None = None,
) -> ChouetteRequest:
    """All questions of one game of a chouette; the box is White on the board, the crew Black.

    Args:
        seating: who sat where when the game began.
        options: the house's rules of this game.
        board: seq and event of the board's record, corrections applied, from its MatchStarted on: rolls and
            plays, no cube.
        moments: the chouette's events of this game after its beginning, corrections applied.
        preset: how deep to look, e.g. `fast`.
        proxies: who decided for whom when the game began.

    Raises what replaying the two logs raises.
    """
    beavered = _beavered(moments) if options.beavers else frozenset()
    asker = _Asker(table.begin_game(1, seating, options), dict(proxies or {}), beavered)
    for ply, step in enumerate(steps_of(asker.game, board, moments), start=1):
        asker.step(step, ply)
    request = AnalysisRequest(
        tuple(asker.questions),
        preset,
        options.jacoby,
        options.beavers,
        left_out=tuple(str(seq) for seq in asker.untold),
    )
    return ChouetteRequest(request, asker.faced, tuple(asker.left_out))


def _beavered(moments: Sequence[TableMoment]) -> frozenset[tuple[int, str]]:
    """The takes (the seq of the answer, the cube) that were beavers."""
    taken: dict[str, int] = {}
    found = set()
    for moment in moments:
        if isinstance(moment.event, Answered):
            taken |= dict.fromkeys(moment.event.takes, moment.seq)
        # Who gets an extra can beaver it at once: that is not an answer to a double.
        elif isinstance(moment.event, CubeBeavered) and moment.event.cube in taken:
            found.add((taken[moment.event.cube], moment.event.cube))
    return frozenset(found)


@dataclass
class _Deciders:
    """Who decided one thing, in order, each with the cubes; ``seq`` of the first event by which they did."""

    seq: int | None = None
    cubes: dict[str, list[str]] = field(default_factory=dict)

    def add(self, player: str, key: str) -> None:
        keys = self.cubes.setdefault(player, [])
        if key not in keys:
            keys.append(key)

    def faced(self, board_seq: int) -> Faced:
        deciders = tuple(Decider(player, tuple(keys)) for player, keys in self.cubes.items())
        return Faced(board_seq, deciders, self.seq)


@dataclass
class _Turn:
    """What was decided about the cubes in one turn, alike cubes together."""

    doubles: dict[Situation, _Deciders] = field(default_factory=dict)
    answers: dict[tuple[Situation, Response], _Deciders] = field(default_factory=dict)
    rolled: dict[Situation, _Deciders] = field(default_factory=dict)


@dataclass
class _Asker:
    """Walks the two records; collects the questions and whose they are."""

    game: TableGame
    proxies: dict[str, str]
    beavered: frozenset[tuple[int, str]]
    questions: list[Question] = field(default_factory=list)
    faced: dict[str, Faced] = field(default_factory=dict)
    left_out: list[int] = field(default_factory=list)
    untold: list[int] = field(default_factory=list)

    def step(self, step: BoardStep, ply: int) -> None:
        turn = _Turn()
        for placed in step.placed:
            self._table_event(step.state, placed, turn)
        if _rolls(step):
            self._left_alone(step.state, turn)
        self._ask_cubes(step, ply, turn)
        if isinstance(step.event, Played) and step.event.status is not PlayStatus.ILLEGAL_CORRECTED:
            self._ask_play(step, step.event, ply)

    def _table_event(self, state: MatchState, placed: PlacedMoment, turn: _Turn) -> None:
        event, before = placed.moment.event, self.game
        self.game = apply_to_table(before, event)
        if isinstance(event, ProxyNamed):
            self._name_proxy(event)
        elif isinstance(event, Offered) and not placed.in_turn:
            self.left_out.append(placed.moment.seq)
        elif isinstance(event, Offered):
            self._offered(state, placed.moment.seq, event, turn)
        elif isinstance(event, Answered) and placed.in_turn:
            self._answered(state, placed.moment.seq, event, before, turn)

    def _name_proxy(self, event: ProxyNamed) -> None:
        self.proxies.pop(event.player, None)
        if event.proxy is not None:
            self.proxies[event.player] = event.proxy

    def _offered(self, state: MatchState, seq: int, event: Offered, turn: _Turn) -> None:
        for key in event.cubes:
            situation = _offered_at(self.game.cube(key), state)
            turn.doubles.setdefault(situation, _Deciders(seq)).add(self._decides(event.by), key)

    def _answered(self, state: MatchState, seq: int, event: Answered, before: TableGame, turn: _Turn) -> None:
        named = (*event.takes, *event.passes)
        if not _may(table.answer, before, by=event.by, takes=(), passes=named):
            return  # the house demands the take: nobody has decided it
        for key in named:
            response = Response.TAKE if key in event.takes else Response.PASS
            if (seq, key) in self.beavered:
                response = Response.BEAVER
            situation = _offered_at(before.cube(key), state)
            answer = turn.answers.setdefault((situation, response), _Deciders(seq))
            answer.add(self._decides(event.by), key)

    def _left_alone(self, state: MatchState, turn: _Turn) -> None:
        """The cubes that could have been turned before this roll and were not."""
        half = Half.BOX if state.game.on_roll is Side.WHITE else Half.TEAM
        for keys, player in self._could_double(half):
            if _may(table.offer, self.game, by=player, keys=keys):
                for key in keys:
                    situation = _at(self.game.cube(key), state, half)
                    turn.rolled.setdefault(situation, _Deciders()).add(self._decides(player), key)

    def _could_double(self, half: Half) -> list[tuple[list[str], str]]:
        """The cubes that are turned together, and who turns them for this side."""
        game = self.game
        live = [cube for cube in game.cubes if cube.live]
        against_box = [cube for cube in live if cube.against is None]
        alone = [cube for cube in live if game.options.multi_cube or cube.against is not None]
        found = [([cube.key], _player_of(game, cube, half)) for cube in alone]
        if not game.options.multi_cube and game.captain is not None:
            player = game.seating.box if half is Half.BOX else game.captain
            found.append(([cube.key for cube in against_box], player))
        return found

    def _ask_cubes(self, step: BoardStep, ply: int, turn: _Turn) -> None:
        """One question for each situation and answer; a double that was answered both ways is judged once."""
        for situation, doubles in turn.doubles.items():
            responses = [response for each, response in turn.answers if each == situation]
            for number, response in enumerate(responses or (None,)):
                question = self._cube_question(step, ply, situation, response=response, doubled=True)
                if number == 0:
                    self.faced[question.ref] = doubles.faced(step.shows)
                if response is not None:
                    answer = turn.answers[situation, response]
                    self.faced[question.response_ref] = answer.faced(step.shows)
        for situation, rolled in turn.rolled.items():
            question = self._cube_question(step, ply, situation, response=None, doubled=False)
            self.faced[question.ref] = rolled.faced(step.shows)

    def _cube_question(
        self, step: BoardStep, ply: int, situation: Situation, *, response: Response | None, doubled: bool
    ) -> CubeQuestion:
        ref = str(len(self.questions) + 1)
        question = CubeQuestion(
            ref=ref,
            game=1,
            ply=ply,
            side=step.state.game.player,
            situation=situation,
            doubled=doubled,
            response=response,
            response_ref="" if response is None else f"{ref}a",
            response_ply=0 if response is None else ply,
        )
        self.questions.append(question)
        return question

    def _ask_play(self, step: BoardStep, event: Played, ply: int) -> None:
        cube = _judged_at(self.game)
        question = checker_question(step.state, event, str(len(self.questions) + 1), ply)
        if cube is None or question is None:
            return
        half = Half.BOX if question.side is Side.WHITE else Half.TEAM
        question = replace(question, situation=_at(cube, step.state, half))
        if not can_be_asked(question):
            self.untold.append(step.shows)
            return
        decider = Decider(self._decides(_mover(self.game, cube, half)), (cube.key,))
        self.faced[question.ref] = Faced(step.shows, (decider,))
        self.questions.append(question)

    def _decides(self, player: str) -> str:
        return self.proxies.get(player, player)


def _rolls(step: BoardStep) -> bool:
    """Whether this step is a throw before which the player on roll could have doubled."""
    if isinstance(step.event, Rolled):
        return step.event.void is None and is_turn(step.state)
    return isinstance(step.event, NotRolled) and is_turn(step.state)


def _may(change: Callable[..., TableGame], game: TableGame, **how: object) -> bool:
    """Whether the rules of the table let this happen."""
    try:
        change(game, **how)
    except IllegalAction:
        return False
    return True


def _offered_at(cube: TableCube, state: MatchState) -> Situation:
    """What the doubler of a cube faced that waits for its answer."""
    assert cube.offered is not None  # noqa: S101 - the table's rules have been asked
    return _at(cube, state, cube.offered)


def _at(cube: TableCube, state: MatchState, half: Half) -> Situation:
    """The position that the player on roll faces, who is of this half, with this cube."""
    owner = CubeOwner.CENTRED
    if cube.owner is not None:
        owner = CubeOwner.OWN if cube.owner is half else CubeOwner.OPPONENT
    return replace(situation_of(state), cube=cube.value, owner=owner)


def _judged_at(game: TableGame) -> TableCube | None:
    """The cube at which plays are judged: the acting captain's, else the first extra; None without any."""
    if game.captain is not None:
        return game.cube(game.captain)
    return next((cube for cube in game.cubes if cube.live), None)


def _mover(game: TableGame, cube: TableCube, half: Half) -> str:
    """The player who decides this half's plays: the captain or the cube's new holder."""
    if half is Half.TEAM and cube.against is None:
        return cube.player
    return _player_of(game, cube, half)


def _player_of(game: TableGame, cube: TableCube, half: Half) -> str:
    """Who decides for this half of the cube."""
    return cube.holder if half is Half.TEAM else cube.against or game.seating.box
