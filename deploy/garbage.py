"""How often a process looks for cyclic garbage."""

import gc


def share_what_is_loaded() -> None:
    """Keep what is loaded now shared with the processes forked from here: a collection would write into it.

    What was frozen before stays so: to look through it would take it away from those who share it already.
    """
    gc.collect()
    gc.freeze()


def collect_rarely() -> None:
    """Let the collector of cyclic garbage pass over what was loaded at the start, and come less often.

    A full collection of Django's modules takes as long as drawing a large bracket, and that page makes enough
    objects to call for one each time; what it makes has no cycles. An empty database is migrated with a
    quarter less of the processor.
    """
    share_what_is_loaded()
    gc.set_threshold(50_000, 20, 20)
