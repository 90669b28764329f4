"""How numbers of scoring are written."""

from django.template.defaultfilters import floatformat


def signed(value: float, places: int = 1) -> str:
    """A gain or a loss with its sign; the minus is a real one: +8.2, −11.0, ±0.0."""
    size = floatformat(abs(value), places)
    if float(f"{value:.{places}f}") == 0:
        return f"±{size}"
    return f"{'+' if value > 0 else '−'}{size}"
