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
        return gettext("%(engine)s, from the file") % {"engine": label_words(str(_stated(told)))}
    engine = engine_name(told.engine)
    version = found[0] if (found := _SHORT_VERSION.match(told.version)) else told.version
    named = " ".join(part for part in (engine, version) if part)
    if not told.preset:
        return named
    return gettext("%(engine)s, %(preset)s") % {"engine": named, "preset": preset_name(told.preset)}


def short_label(label: str) -> str:
    """The label where there is little room: the program's short name, its version and the preset.

    >>> short_label("gnubg 1.08.003 fast@1 Kazaross-XG2"), short_label("xg file analysis Kazaross-XG2")
    ('GNU 1.08 fast', 'XG file')
    """
    told = EngineLabel.parse(label)
    engine = short_engine(label)
    if told.version == FROM_FILE:
        return gettext("%(engine)s file") % {"engine": short_label(str(_stated(told)))}
    version = found[0] if (found := _SHORT_VERSION.match(told.version)) else told.version
    return " ".join(part for part in (engine, version, preset_name(told.preset)) if part)


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
