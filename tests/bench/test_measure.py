"""Compared sides take turns."""

from __future__ import annotations

from bench.measure import Side, alternate, rates


def sides(made: list[tuple[str, int]]) -> dict[str, Side]:
    def side(name: str) -> Side:
        async def call(number: int) -> None:
            made.append((name, number))

        return call

    return {"ours": side("ours"), "theirs": side("theirs")}


async def test_each_call_of_one_side_is_followed_by_the_others_and_who_is_first_changes() -> None:
    made: list[tuple[str, int]] = []
    await alternate(sides(made), calls=3, warmup=0)
    assert made == [("ours", 0), ("theirs", 0), ("theirs", 1), ("ours", 1), ("ours", 2), ("theirs", 2)]


async def test_the_warm_up_is_called_and_not_counted() -> None:
    made: list[tuple[str, int]] = []
    times = await alternate(sides(made), calls=2, warmup=3)
    assert len(made) == 10
    assert {name: len(values) for name, values in times.items()} == {"ours": 2, "theirs": 2}


async def test_callers_share_the_calls_of_a_round() -> None:
    made: list[tuple[str, int]] = []
    found = await rates(sides(made), callers=4, calls=10, rounds=2)
    assert sorted(number for name, number in made[:10]) == list(range(10))
    assert len(made) == 60  # a first round of each side warms up
    assert {name: len(values) for name, values in found.items()} == {"ours": 2, "theirs": 2}
