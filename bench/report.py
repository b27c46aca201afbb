"""Figures, and how they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from bench.stats import Summary

Cells = dict[str, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """One comparison: `share` is ours / theirs. `target` None: told, not judged."""

    name: str
    ours: float
    theirs: float
    against: str
    unit: str
    share: float
    target: str | None = None
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """How long the calls of one side took, in ms."""

    bench: str
    side: str
    ms: Summary


@dataclass(slots=True)
class Report:
    machine: Mapping[str, str]
    figures: list[Figure] = field(default_factory=list)
    times: list[Times] = field(default_factory=list)
    load: list[tuple[str, str]] = field(default_factory=list)
    """Load average after each bench, by its name."""


def at_most(name: str, ours: float, theirs: float, against: str, factor: float, spare_ms: float = 0.0) -> Figure:
    """A time that has to stay within `factor` times another, or within that and `spare_ms`."""
    target = f"≤ {factor:g} ×" + (f" or + {spare_ms:g} ms" if spare_ms else "")
    met = ours <= factor * theirs or bool(spare_ms and ours <= theirs + spare_ms)
    return Figure(name, ours, theirs, against, "ms", ours / theirs, target, met)


def at_least(name: str, ours: float, theirs: float, against: str, unit: str, share: float) -> Figure:
    """A rate that has to reach a share of another."""
    return Figure(name, ours, theirs, against, unit, ours / theirs, f"≥ {share:g}", ours / theirs >= share)


def figure_rows(figures: Sequence[Figure]) -> list[Cells]:
    return [
        {
            "figure": one.name,
            "graphmem": _quantity(one.ours, one.unit),
            "compared with": f"{one.against}: {_quantity(one.theirs, one.unit)}",
            "share": f"{one.share:.3f}",
            "target": one.target or "",
            "met": {None: "", True: "yes", False: "no"}[one.met],
        }
        for one in figures
    ]


def line(figure: Figure) -> str:
    """The figure in one line, to be told as soon as it is known: a run may take an hour."""
    cells = figure_rows([figure])[0]
    return f"{cells['figure']}: {cells['graphmem']}, {cells['compared with']}, share {cells['share']}"


def time_rows(times: Sequence[Times]) -> list[Cells]:
    return [
        {
            "bench": one.bench,
            "side": one.side,
            "calls": str(one.ms.count),
            "p10 ms": f"{one.ms.p10:.1f}",
            "p50 ms": f"{one.ms.p50:.1f}",
            "p95 ms": f"{one.ms.p95:.1f}",
        }
        for one in times
    ]


def machine_rows(report: Report) -> list[Cells]:
    load = {f"load average after {name}": value for name, value in report.load}
    return [{"what": what, "is": value} for what, value in {**report.machine, **load}.items()]


def markdown(report: Report) -> str:
    """The tables of `docs/benchmarks.md`."""
    parts = [machine_rows(report), figure_rows(report.figures), time_rows(report.times)]
    return "\n".join(_table(rows) for rows in parts if rows)


def as_json(report: Report) -> dict[str, object]:
    return asdict(report)


def _table(rows: Sequence[Cells]) -> str:
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _quantity(value: float, unit: str) -> str:
    text = f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 or unit == "ms" else f"{value:.3f}"
    return f"{text} {unit}".rstrip()
