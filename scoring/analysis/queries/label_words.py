"""The label of an analysis in words."""

import re

from django.utils.translation import gettext, pgettext

from scoring.theory.decisions import FROM_FILE, EngineLabel

SHORT = {"gnubg": "GNU", "gammonview": "GV", "xg": "XG"}
ENGINES = {"gnubg": "GNU Backgammon", "gammonview": "GammonView", "xg": "eXtreme Gammon"}
_SHORT_VERSION = re.compile(r"\d+(\.\d+)?")


def label_words(label: str) -> str:
    """The label as people say it: the program, its version and the preset; "" for none."""
    told = EngineLabel.parse(label)
    if told.version == FROM_FILE:
        return gettext("%(engine)s, from the file") % {"engine": _words(_stated(told))}
    return _words(told)


def _words(told: EngineLabel) -> str:
    named = " ".join(part for part in (engine_name(told.engine), _short_version(told)) if part)
    if not told.preset:
        return named
    return gettext("%(engine)s, %(preset)s") % {"engine": named, "preset": preset_name(told.preset)}


def short_label(label: str) -> str:
    """The label where there is little room: the program's short name, its version and the preset.

    >>> short_label("gnubg 1.08.003 fast@1 Kazaross-XG2"), short_label("xg file analysis Kazaross-XG2")
    ('GNU 1.08 fast', 'XG file')
    """
    told = EngineLabel.parse(label)
    if told.version == FROM_FILE:
        return gettext("%(engine)s file") % {"engine": _short(_stated(told))}
    return _short(told)


def _short(told: EngineLabel) -> str:
    engine = SHORT.get(told.engine, told.engine)
    return " ".join(part for part in (engine, _short_version(told), preset_name(told.preset)) if part)


def _short_version(told: EngineLabel) -> str:
    return found[0] if (found := _SHORT_VERSION.match(told.version)) else told.version


def short_engine(label: str) -> str:
    """The short name of the program of a label."""
    engine = EngineLabel.parse(label).engine
    return SHORT.get(engine, engine)


def _stated(told: EngineLabel) -> EngineLabel:
    """What a file states of its analysis: only the program where that is all."""
    version, _slash, preset = told.preset.rpartition("/")
    if not version:
        return EngineLabel(told.engine, "", "", "")
    return EngineLabel(told.engine, version.strip("-"), preset, "")


def engine_name(engine: str) -> str:
    """The program's own name."""
    return ENGINES.get(engine, engine)


def preset_name(preset: str) -> str:
    """A preset in words, without its revision."""
    name = preset.partition("@")[0]
    words = {
        "estimate": pgettext("depth of an analysis", "estimate"),
        "fast": pgettext("depth of an analysis", "fast"),
        "deep": pgettext("depth of an analysis", "deep"),
        "rollout": pgettext("depth of an analysis", "rollout"),
    }
    return words.get(name, name.replace("_", " "))
