"""How often a process looks for cyclic garbage."""

import gc


def collect_rarely() -> None:
    """Let the collector of cyclic garbage pass over what was loaded at the start, and come less often.

    A full collection of Django's modules takes as long as drawing a large bracket, and that page makes enough
    objects to call for one each time; what it makes has no cycles. An empty database is migrated with a
    quarter less of the processor.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
