"""What a run's figures are judged by, and how they look."""

from __future__ import annotations

import orjson
import pytest

from bench.report import Figure, Report, Times, as_json, at_least, at_most, figure_rows, line, markdown
from bench.stats import Summary


@pytest.mark.parametrize(
    ("ours", "theirs", "spare", "met"),
    [(13.0, 10.0, 0.0, True), (13.1, 10.0, 0.0, False), (5.9, 2.0, 4.0, True), (6.1, 2.0, 4.0, False)],
)
def test_a_time_is_met_within_the_factor_or_the_spare_time(ours: float, theirs: float, spare: float, met: bool) -> None:
    assert at_most("search", ours, theirs, "raw", 1.3, spare).met is met


def test_a_rate_is_met_from_the_share_on() -> None:
    assert at_least("throughput", 70, 100, "raw", "/s", 0.7).met is True
    assert at_least("throughput", 69, 100, "raw", "/s", 0.7).met is False


def test_rows_tell_the_share_the_target_and_whether_it_was_met() -> None:
    told = Figure("depth 2", 6.0, 4.0, "depth 0", "ms", 1.5)
    judged, only_told = figure_rows([at_most("search", 6.0, 4.0, "raw", 1.3, 4), told])
    assert judged == {
        "figure": "search",
        "graphmem": "6.0 ms",
        "compared with": "raw: 4.0 ms",
        "share": "1.500",
        "target": "≤ 1.3 × or + 4 ms",
        "met": "yes",
    }
    assert (only_told["target"], only_told["met"]) == ("", "")


def test_a_line_tells_what_and_beside_what() -> None:
    assert line(at_most("search", 6.0, 4.0, "raw", 1.3, 4)) == "search: 6.0 ms, raw: 4.0 ms, share 1.500"


def test_markdown_has_a_table_of_machine_figures_and_times() -> None:
    report = Report(
        {"processor": "a | b"},
        [at_least("remember", 1500, 1000, "raw", "nodes/s", 0.7)],
        [Times("search", "raw", Summary(200, 1.04, 2.0, 3.0))],
        [("search", "0.1, 0.2, 0.3")],
    )
    assert markdown(report).splitlines() == [
        "| what | is |",
        "| --- | --- |",
        r"| processor | a \| b |",
        "| load average after search | 0.1, 0.2, 0.3 |",
        "",
        "| figure | graphmem | compared with | share | target | met |",
        "| --- | --- | --- | --- | --- | --- |",
        "| remember | 1,500 nodes/s | raw: 1,000 nodes/s | 1.500 | ≥ 0.7 | yes |",
        "",
        "| bench | side | calls | p10 ms | p50 ms | p95 ms |",
        "| --- | --- | --- | --- | --- | --- |",
        "| search | raw | 200 | 1.0 | 2.0 | 3.0 |",
    ]


def test_a_report_is_json() -> None:
    report = Report({"Neo4j": "1"}, [at_least("recall", 0.99, 1.0, "exact", "", 0.985)])
    found = orjson.loads(orjson.dumps(as_json(report)))
    assert found["machine"] == {"Neo4j": "1"}
    assert found["figures"][0]["met"] is True
