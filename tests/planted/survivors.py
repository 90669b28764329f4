"""Mutants of the rules that no test notices, by the tool's name: the line as changed, and why it may stay."""

AT_IMPORT = (
    "the guards are built at import, before the tool switches a mutant on; the tests of what may happen next "
    "fail when it is changed by hand"
)

GUARD = "scoring.rules.guards.x__in_phase__mutmut_"

SURVIVORS: dict[str, tuple[str, str]] = {
    f"{GUARD}1": ("return None if (game.phase in phases) and False else not_now(game, what)", AT_IMPORT),
    f"{GUARD}2": ("return None if (game.phase in phases) or True else not_now(game, what)", AT_IMPORT),
    f"{GUARD}3": ("return None if game.phase not in phases else not_now(game, what)", AT_IMPORT),
    f"{GUARD}4": ("return None if game.phase in phases else not_now(None, what)", AT_IMPORT),
    f"{GUARD}5": ("return None if game.phase in phases else not_now(game, None)", AT_IMPORT),
    f"{GUARD}6": ("return None if game.phase in phases else not_now(what)", AT_IMPORT),
    f"{GUARD}7": ("return None if game.phase in phases else not_now(game, )", AT_IMPORT),
}
