"""Transitions of one chouette game.

Cubes against the box, and extras in the crew.

Each function returns the game after one event, or raises
:class:`~scoring.rules.errors.IllegalAction` with the reason. Source: docs/reference/chouettes.md, "Cubes".
"""

from collections.abc import Sequence
from dataclasses import replace

from scoring.rules.chouette.costs import CubeResult, Payment, Seating
from scoring.rules.chouette.game_state import Fresh, Half, TableCube, TableGame
from scoring.rules.chouette.options import Automatic, ChouetteOptions, Extras, ThreePlayers
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction
from scoring.rules.match import Win

CREW_OF_TWO = 2


def begin_game(number: int, seating: Seating, options: ChouetteOptions) -> TableGame:
    return TableGame(number, seating, options, tuple(TableCube(player) for player in seating.crew))


def tie(game: TableGame, *, doubled: bool) -> TableGame:
    """Equal opening dice.

    Raises IllegalAction if the house rules forbid or require the doubling.
    """
    rule = game.options.automatic
    if any(cube.turned or cube.offered or not cube.live for cube in game.cubes):
        raise IllegalAction("begun", "the opening is over: a cube has been turned")
    room = _room(game.options, game.cubes[0])
    if doubled and (rule is Automatic.NEVER or not room):
        raise IllegalAction("automatic", "equal opening dice do not double the cubes here")
    if not doubled and rule is Automatic.FIRST_ALWAYS and game.ties == 0 and room:
        raise IllegalAction("automatic", "the first equal opening dice always double the cubes here")
    factor = 2 if doubled else 1
    cubes = tuple(replace(cube, value=cube.value * factor) for cube in game.cubes)
    return replace(game, cubes=cubes, ties=game.ties + 1)


def offer(game: TableGame, *, by: str, keys: Sequence[str]) -> TableGame:
    """``by`` doubles cubes. Raises IllegalAction if not allowed."""
    _no_beaver_due(game)
    cubes = [game.cube(key) for key in dict.fromkeys(keys)]
    if not cubes:
        raise IllegalAction("no_cube", "choose the cubes to double")
    sides = {_doubling_side(game, cube, by) for cube in cubes}
    side = sides.pop()
    if sides or side is None:
        raise IllegalAction("not_own", "{player} can double only their own cubes", player=by)
    for cube in cubes:
        _may_offer(game, cube, side)
    _all_together(game, cubes)
    waiting = game.offered
    if any(cube.offered is not side for cube in waiting):
        raise IllegalAction("answer_first", "a double has not been answered yet")
    settled = tuple(replace(cube, fresh=Fresh.NO) for cube in game.cubes)
    named = {cube.key for cube in cubes}
    return replace(
        game,
        cubes=tuple(replace(cube, offered=side) if cube.key in named else cube for cube in settled),
        round_offered=len(waiting) + len(cubes),
        round_passed=game.round_passed if waiting else (),
    )


def answer(game: TableGame, *, by: str, takes: Sequence[str], passes: Sequence[str]) -> TableGame:
    """``by`` takes and passes doubles.

    Raises IllegalAction with the house rule against it.
    """
    named = [*takes, *passes]
    if not named or len(set(named)) != len(named):
        raise IllegalAction("answer", "answer each double once: take or pass")
    for key in named:
        cube = game.cube(key)
        if cube.asked is None or game.side_of(cube, by) is not cube.asked:
            raise IllegalAction(
                "not_asked", "the cube of {cube} was not offered to {player}", cube=key, player=by
            )
    if by == game.seating.box:
        _box_answers(game, takes, named)
    for key in passes:
        game = _passed(game, game.cube(key))
    game = replace(game, round_passed=(*game.round_passed, *passes))
    game = _with(
        game,
        *(
            replace(
                cube, value=cube.value * 2, owner=cube.asked, turned=True, offered=None, fresh=Fresh.TAKEN
            )
            for cube in (game.cube(key) for key in takes)
        ),
    )
    return _lone_taker(game) if not game.offered else game


def beaver(game: TableGame, *, by: str, key: str) -> TableGame:
    """The taker doubles back and keeps the cube. Raises IllegalAction if not allowed."""
    cube = game.cube(key)
    if not game.options.beavers and game.must_beaver != key:
        raise IllegalAction("beaver", "the house rules do not allow beavers")
    if cube.fresh is not Fresh.TAKEN or game.side_of(cube, by) is not cube.owner:
        raise IllegalAction("beaver", "only the player who just took a double can beaver it")
    _require_room(game, cube)
    turned = _turned_with(game, cube)
    beavered = (replace(each, value=each.value * 2, fresh=Fresh.BEAVERED) for each in turned)
    due = None if game.must_beaver == key else game.must_beaver
    return replace(_with(game, *beavered), must_beaver=due)


def raccoon(game: TableGame, *, by: str, key: str) -> TableGame:
    """The beavered player doubles again. Raises IllegalAction if not allowed."""
    cube = game.cube(key)
    if not game.options.raccoons:
        raise IllegalAction("raccoon", "the house rules do not allow raccoons")
    if (
        cube.fresh is not Fresh.BEAVERED
        or cube.owner is None
        or game.side_of(cube, by) is not cube.owner.other
    ):
        raise IllegalAction("raccoon", "only the player who was just beavered can raccoon")
    _require_room(game, cube)
    turned = _turned_with(game, cube)
    return _with(game, *(replace(each, value=each.value * 2, fresh=Fresh.NO) for each in turned))


def refuse_extra(game: TableGame, *, payer: str, holder: str) -> TableGame:
    """The taker refuses an extra. Raises IllegalAction if extras are compulsory."""
    if game.options.extras is Extras.COMPULSORY:
        raise IllegalAction(
            "extra_must",
            "{holder} took and must hold the extra against {payer}",
            holder=holder,
            payer=payer,
        )
    hold_extra(game, payer=payer, holder=holder)
    return replace(game, refused_extras=(*game.refused_extras, f"{payer}>{holder}"))


def hold_extra(game: TableGame, *, payer: str, holder: str) -> TableGame:
    """A taker holds an extra against a player who passed the same double.

    The price is the points that player lost. Neither player's cube can have been taken over: then another
    player passed or took.
    """
    if game.options.extras is Extras.NONE:
        raise IllegalAction("extra", "the house rules do not allow extras")
    passed, taken = game.cube(payer), game.cube(holder)
    lost = passed.result
    together = payer in game.round_passed and taken.fresh is not Fresh.NO and taken.owner is Half.TEAM
    own = all(cube.against is None and cube.account is None for cube in (passed, taken))
    if lost is None or not lost.box_won or not together or not own:
        raise IllegalAction(
            "extra",
            "{payer} has not passed a double that {holder} just took",
            payer=payer,
            holder=holder,
        )
    further = TableCube(
        holder, against=payer, value=lost.cube * 2, owner=Half.TEAM, turned=True, fresh=Fresh.TAKEN
    )
    if any(cube.key == further.key for cube in game.cubes):
        raise IllegalAction(
            "extra_twice", "{holder} already holds an extra against {payer}", holder=holder, payer=payer
        )
    if further.key in game.refused_extras:
        raise IllegalAction(
            "extra_refused", "{holder} has refused an extra against {payer}", holder=holder, payer=payer
        )
    paid = Payment(payer, holder, lost.cube)
    return replace(game, cubes=(*game.cubes, further), payments=(*game.payments, paid))


def settle_cube(game: TableGame, *, key: str, points: int) -> TableGame:
    """Settle a cube: the crew's side gets ``points``.

    At 0 points, the box counts as the winner.
    """
    cube = _for_sale(game, key)
    return _ended(
        game, cube, cube.outcome(box_won=points <= 0, win=Win.SINGLE, how=GameEnd.RESIGNATION, agreed=-points)
    )


def take_over(game: TableGame, *, key: str, by: str, points: int) -> TableGame:
    """Another player takes over the crew's side of a cube and gets ``points``."""
    cube = _for_sale(game, key)
    if by not in game.seating.players:
        raise IllegalAction("not_seated", "{player} is not at this table", player=by)
    if game.side_of(cube, by) is not None:
        raise IllegalAction("own_cube", "{player} already plays this cube", player=by)
    game = _with(game, replace(cube, account=by))
    if points == 0:
        return game
    payer, receiver = (cube.holder, by) if points > 0 else (by, cube.holder)
    return replace(game, payments=(*game.payments, Payment(payer, receiver, abs(points))))


def finish(game: TableGame, *, box_won: bool, win: Win, how: GameEnd) -> TableGame:
    """End every live cube with the board's result.

    Raises IllegalAction while an answer is due.
    """
    _no_beaver_due(game)
    if game.offered:
        raise IllegalAction("answer_first", "a double has not been answered yet")
    if how is GameEnd.PASS:
        raise IllegalAction("pass", "a pass ends only its own cube")
    for cube in game.cubes:
        if cube.live:
            game = _ended(game, cube, cube.outcome(box_won=box_won, win=win, how=how))
    return game


def _may_offer(game: TableGame, cube: TableCube, side: Half) -> None:
    if not cube.live:
        raise IllegalAction("cube_over", "the cube of {cube} is no longer in play", cube=cube.key)
    if cube.offered is not None:
        raise IllegalAction("answer_first", "a double has not been answered yet")
    if cube.owner not in {None, side}:
        raise IllegalAction("not_owner", "the other side owns the cube of {cube}", cube=cube.key)
    _require_room(game, cube)


def _doubling_side(game: TableGame, cube: TableCube, by: str) -> Half | None:
    """The side of a cube that ``by`` doubles for; the captain doubles a shared cube."""
    if not game.options.multi_cube and cube.against is None and by != game.seating.box:
        return Half.TEAM if by == game.captain else None
    return game.side_of(cube, by)


def _all_together(game: TableGame, cubes: Sequence[TableCube]) -> None:
    """Refuse a double of a shared cube that leaves out live crew players."""
    named = {cube.key for cube in cubes if cube.against is None}
    if game.options.multi_cube or not named:
        return
    if any(cube.live and cube.against is None and cube.key not in named for cube in game.cubes):
        raise IllegalAction("one_cube", "the crew shares one cube: it is doubled for everyone still in")


def _turned_with(game: TableGame, cube: TableCube) -> list[TableCube]:
    """The cubes that turn together.

    A shared cube has the keys of all live crew players.
    """
    if game.options.multi_cube or cube.against is not None:
        return [cube]
    if any(each.against is None for each in game.offered):
        raise IllegalAction("answer_first", "a double has not been answered yet")
    return [each for each in game.cubes if each.live and each.against is None]


def _box_answers(game: TableGame, takes: Sequence[str], named: Sequence[str]) -> None:
    """Check the box's answer to all doubles offered together against the house rules."""
    options, asked = game.options, [cube for cube in game.offered if cube.against is None]
    if {cube.key for cube in asked} - set(named):
        raise IllegalAction("answer_all", "the box must answer all doubles together")
    if not options.multi_cube:
        if len({key in takes for key in named}) > 1:
            raise IllegalAction("one_cube", "the crew shares one cube: the box takes or passes it")
        return
    if options.takes_captain and takes:
        captain = game.captain
        held = any(cube.owner is Half.BOX for cube in game.cubes if cube.live and cube.against is None)
        if captain in named and captain not in takes and not held:
            raise IllegalAction(
                "takes_captain",
                "a box that takes any cube must take that of the captain, {captain}",
                captain=captain,
            )
    _first_doubles_together(game, asked, takes)


def _first_doubles_together(game: TableGame, asked: Sequence[TableCube], takes: Sequence[str]) -> None:
    """Check the box's answer when the whole crew offers its first doubles together."""
    options, crew = game.options, len(game.seating.crew)
    if len(asked) < crew or any(cube.turned for cube in asked):
        return
    taken = len(takes)
    if crew == CREW_OF_TWO and options.three_players is not ThreePlayers.FREE:
        if options.three_players is ThreePlayers.BOTH and taken < CREW_OF_TWO:
            raise IllegalAction("both", "with three players, the box must take both doubles")
        if taken == 1:
            raise IllegalAction("both_or_none", "with three players, the box must take or pass both doubles")
    elif options.takes_half and 0 < 2 * taken < crew:
        raise IllegalAction(
            "takes_half",
            "the box must take at least half of {crew} doubles or none, not {taken}",
            crew=crew,
            taken=taken,
        )


def _passed(game: TableGame, cube: TableCube) -> TableGame:
    box_won = cube.offered is Half.BOX
    return _ended(game, cube, cube.outcome(box_won=box_won, win=Win.SINGLE, how=GameEnd.PASS))


def _lone_taker(game: TableGame) -> TableGame:
    """Note a lone taker of the box's double to the whole crew, who must beaver."""
    if not game.options.lone_taker_beavers or game.round_offered < len(game.seating.crew):
        return game
    takers = [
        cube
        for cube in game.cubes
        if cube.fresh is Fresh.TAKEN and cube.owner is Half.TEAM and cube.against is None
    ]
    if len(takers) != 1 or not _room(game.options, takers[0]):
        return game
    return replace(game, must_beaver=takers[0].key)


def _no_beaver_due(game: TableGame) -> None:
    if game.must_beaver is not None:
        raise IllegalAction(
            "must_beaver", "{player} is the lone taker and must beaver", player=game.must_beaver
        )


def _for_sale(game: TableGame, key: str) -> TableCube:
    if not game.options.settlements:
        raise IllegalAction("settlement", "the house rules do not allow settlements")
    cube = game.cube(key)
    if not cube.live:
        raise IllegalAction("cube_over", "the cube of {cube} is no longer in play", cube=key)
    if cube.offered is not None:
        raise IllegalAction("answer_first", "a double has not been answered yet")
    return cube


def _room(options: ChouetteOptions, cube: TableCube) -> bool:
    return options.max_cube is None or cube.value * 2 <= options.max_cube


def _require_room(game: TableGame, cube: TableCube) -> None:
    if not _room(game.options, cube):
        raise IllegalAction("max_cube", "cubes stop at {most} here", most=game.options.max_cube)


def _with(game: TableGame, *changed: TableCube) -> TableGame:
    by_key = {cube.key: cube for cube in changed}
    return replace(game, cubes=tuple(by_key.get(cube.key, cube) for cube in game.cubes))


def _ended(game: TableGame, cube: TableCube, result: CubeResult) -> TableGame:
    over = replace(cube, offered=None, fresh=Fresh.NO, result=result)
    due = None if game.must_beaver == cube.key else game.must_beaver
    return replace(_with(game, over), results=(*game.results, result), must_beaver=due)
