"""Small drawings in SVG: an interval on a common scale, and a line with its band. No styles here, only classes."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["interval", "over_time"]

_WIDTH, _HEIGHT = 160, 18
_WIDE, _HIGH = 640, 220
_LEFT = 44


def interval(mean: float, half: float | None, low: float, high: float, label: str) -> str:
    """A point and its interval on a line from `low` to `high`; `label` says the same in words, escaped."""
    if high <= low:
        low, high = low - 1, high + 1

    def x(value: float) -> float:
        return round(4 + (value - low) / (high - low) * (_WIDTH - 8), 1)

    middle = _HEIGHT / 2
    parts = [f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{label}">']
    if low < 0 < high:
        parts.append(f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="0" y2="{_HEIGHT}"/>')
    if half is not None:
        parts.append(f'<line x1="{x(mean - half)}" x2="{x(mean + half)}" y1="{middle}" y2="{middle}"/>')
    parts.append(f'<circle cx="{x(mean)}" cy="{middle}" r="4"/></svg>')
    return "".join(parts)


def over_time(points: Sequence[tuple[int, float, float | None]], label: str) -> str:
    """A line through points (deals so far, value, half of its interval or None), with its band, axes and `label`."""
    low = min(value - (half or 0) for _, value, half in points)
    high = max(value + (half or 0) for _, value, half in points)
    pad = max(1.0, (high - low) * 0.05)
    low, high = low - pad, high + pad
    first, last = points[0][0], points[-1][0]

    def x(deals: int) -> float:
        return round(_LEFT + (deals - first) / max(1, last - first) * (_WIDE - _LEFT - 8), 1)

    def y(value: float) -> float:
        return round((high - value) / (high - low) * (_HIGH - 24) + 4, 1)

    band = [(deals, value, half) for deals, value, half in points if half is not None]
    upper = [f"{x(deals)},{y(value + half)}" for deals, value, half in band]
    lower = [f"{x(deals)},{y(value - half)}" for deals, value, half in reversed(band)]
    line = [f"{x(deals)},{y(value)}" for deals, value, _ in points]
    parts = [f'<svg viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" role="img" aria-label="{label}">']
    if low < 0 < high:
        parts.append(f'<line class="zero" x1="{_LEFT}" x2="{_WIDE - 8}" y1="{y(0)}" y2="{y(0)}"/>')
    if len(band) > 1:
        parts.append(f'<path class="band" d="M{" L".join(upper + lower)} Z"/>')
    parts.append(f'<path d="M{" L".join(line)}"/>')
    parts += [f'<circle cx="{x(deals)}" cy="{y(value)}" r="3"/>' for deals, value, _ in points]
    for value in (low + pad, high - pad):
        parts.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4}" text-anchor="end">{value:+.0f}</text>')
    for deals, anchor in ((first, "start"), (last, "end")):
        unit = "deal" if deals == 1 else "deals"
        parts.append(f'<text x="{x(deals)}" y="{_HIGH - 4}" text-anchor="{anchor}">{deals} {unit}</text>')
    return "".join([*parts, "</svg>"])
