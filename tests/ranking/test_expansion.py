"""One list out of seeds and what is reached from them; every figure is worked out by hand."""

from __future__ import annotations

import pytest

from graphmem.ranking.expansion import Candidate, Hit, Mentioned, Question, Reached, Shared, Step, Weights, cut, rank

WEIGHTS = Weights(decay=0.8, mention=0.8, bridge=0.8)


def candidate(uid: str, own: float) -> Candidate:
    return Candidate(uid, own, vector=own, text=0.0, title=0.0)


def reached(uid: str, parent: str, strength: float, depth: int = 1, *, forward: bool = True) -> Reached:
    return Reached(uid, strength, depth, parent, "RELATED_TO", forward, 1.0)


def ranked(
    pool: list[Candidate], seeds: int, found: list[Reached] | None = None, mentions: list[Mentioned] | None = None
) -> list[Hit]:
    return rank(pool, seeds, found or [], mentions or [], question=Question(), weights=WEIGHTS)


def scores(hits: list[Hit]) -> dict[str, float]:
    return {hit.id: round(hit.score, 6) for hit in hits}


def way(hits: list[Hit], uid: str) -> str:
    (path,) = [hit.path for hit in hits if hit.id == uid]
    return "".join([*(step.source for step in path), uid]) if path else ""


def test_seeds_alone_are_the_first_of_the_pool() -> None:
    hits = ranked([candidate("a", 0.9), candidate("b", 0.5), candidate("c", 0.4)], seeds=2)
    assert [(hit.id, hit.score, hit.graph, hit.depth, hit.path) for hit in hits] == [
        ("a", 0.9, 0.0, 0, ()),
        ("b", 0.5, 0.0, 0, ()),
    ]


def test_an_empty_pool_gives_an_empty_list() -> None:
    assert ranked([], seeds=5) == []


def test_a_reached_node_has_a_decayed_share_of_its_seeds_score() -> None:
    """0.8 × 0.9 × 0.5 = 0.36; 0.8² × 0.9 × 0.5 × 0.5 = 0.144; strength is score times weights."""
    hits = ranked([candidate("a", 0.9)], 1, [reached("b", "a", 0.9 * 0.5), reached("c", "b", 0.9 * 0.25, 2)])
    assert scores(hits) == {"a": 0.9, "b": 0.36, "c": 0.144}
    assert [(hit.depth, way(hits, hit.id)) for hit in hits] == [(0, ""), (1, "ab"), (2, "abc")]


def test_a_reached_candidate_keeps_its_own_score_and_parts() -> None:
    """0.3 + 0.8 × 0.9 = 1.02, ahead of the seed that led to it."""
    pool = [candidate("a", 0.9), Candidate("b", 0.3, vector=0.2, text=0.4, title=0.1)]
    hits = ranked(pool, 1, [reached("b", "a", 0.9)])
    assert scores(hits) == {"b": 1.02, "a": 0.9}
    assert (hits[0].vector, hits[0].text, hits[0].title, round(hits[0].graph, 6)) == (0.2, 0.4, 0.1, 0.72)
    assert (hits[0].depth, way(hits, "b")) == (1, "ab")


def test_a_seed_reached_from_another_gains_and_stays_a_seed() -> None:
    """0.5 + 0.8 × 0.9 = 1.22 and 0.9 + 0.8 × 0.5 = 1.3."""
    pool = [candidate("a", 0.9), candidate("b", 0.5)]
    hits = ranked(pool, 2, [reached("b", "a", 0.9), reached("a", "b", 0.5, forward=False)])
    assert scores(hits) == {"a": 1.3, "b": 1.22}
    assert [(hit.depth, hit.path) for hit in hits] == [(0, ()), (0, ())]


def test_a_mention_is_worth_six_tenths_of_its_weight() -> None:
    """0.8 × 0.6 × 0.9 = 0.432; the better of two seeds that mention it counts, not their sum."""
    hits = ranked([candidate("a", 0.9), candidate("b", 0.5)], 2, [], [Mentioned("t", ["b", "a"])])
    assert scores(hits) == {"a": 0.9, "b": 0.5, "t": 0.432}
    assert hits[-1].path == (Step("a", "t", "MENTIONS", True),)
    assert hits[-1].depth == 1


def test_of_ways_of_one_depth_the_larger_bonus_counts() -> None:
    """Explicit 0.8 × 0.9 × 0.5 = 0.36 against a mention's 0.432, then 0.8 × 0.9 × 0.7 = 0.504."""
    pool, mentions = [candidate("a", 0.9)], [Mentioned("t", ["a"])]
    weak = ranked(pool, 1, [reached("t", "a", 0.45)], mentions)
    assert scores(weak)["t"] == 0.432
    assert weak[1].path[0].type == "MENTIONS"
    strong = ranked(pool, 1, [reached("t", "a", 0.63)], mentions)
    assert scores(strong)["t"] == 0.504
    assert strong[1].path[0].type == "RELATED_TO"


def test_the_least_deep_way_counts_though_a_deeper_one_is_worth_more() -> None:
    """A mention of the weak seed, 0.8 × 0.6 × 0.1 = 0.048, before two edges, 0.8² × 0.9 = 0.576."""
    pool = [candidate("a", 0.9), candidate("b", 0.1)]
    hits = ranked(pool, 2, [reached("x", "a", 0.9), reached("t", "x", 0.9, 2)], [Mentioned("t", ["b"])])
    assert scores(hits)["t"] == 0.048
    assert (way(hits, "t"), [hit.depth for hit in hits if hit.id == "t"]) == ("bt", [1])


def test_a_path_is_as_long_as_its_depth_though_a_mention_leads_into_its_middle() -> None:
    found = [reached("q", "s", 1.0), reached("p", "q", 1.0, 2), reached("c", "p", 1.0, 3)]
    hits = ranked([candidate("s", 1.0)], 1, found, [Mentioned("p", ["s"])])
    assert [(hit.id, hit.depth, way(hits, hit.id)) for hit in hits] == [
        ("s", 0, ""),
        ("q", 1, "sq"),
        ("c", 3, "sqpc"),
        ("p", 1, "sp"),
    ]
    assert scores(hits) == {"s": 1.0, "q": 0.8, "c": 0.512, "p": 0.48}


def test_a_path_ends_at_the_seed_it_was_walked_from() -> None:
    pool = [candidate("a", 0.9), candidate("b", 0.8)]
    found = [reached("x", "b", 0.8), reached("y", "x", 0.8, 2), reached("z", "y", 0.8, 3, forward=False)]
    hits = ranked(pool, 2, found)
    assert way(hits, "z") == "bxyz"
    assert [step.forward for step in hits[-1].path] == [True, True, False]


def test_equal_scores_go_by_depth_then_by_id() -> None:
    """b and c are worth 0.8 × 1 each, and d as a seed 0.8 too."""
    pool = [candidate("a", 1.0), candidate("d", 0.8)]
    hits = ranked(pool, 2, [reached("c", "a", 1.0), reached("b", "a", 1.0)])
    assert [hit.id for hit in hits] == ["a", "d", "b", "c"]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_the_list_does_not_depend_on_the_order_in_which_things_are_found(order: list[int]) -> None:
    found = [reached("x", "a", 0.9), reached("y", "a", 0.9), reached("z", "b", 0.5)]
    mentions = [Mentioned("x", ["a", "b"]), Mentioned("m", ["b", "a"]), Mentioned("z", ["a"])]
    pool = [candidate("a", 0.9), candidate("b", 0.5)]
    first = ranked(pool, 2, found, mentions)
    assert ranked(pool, 2, [found[at] for at in order], [mentions[at] for at in order]) == first


def test_a_mention_is_worth_more_the_more_it_covers_of_what_its_seed_leaves_open() -> None:
    """The seed has place 0; t has 1 of the mass 3 + 1 left: 0.8 × 0.9 × (0.6 + 0.4 × 0.75) = 0.648."""
    question = Question(mass=[5.0, 3.0, 1.0], held={"a": [0]}, nodes=10)
    mentions = [Mentioned("t", ["a"], [0, 1])]
    hits = rank([candidate("a", 0.9)], 1, [], mentions, question=question, weights=WEIGHTS)
    assert scores(hits) == {"a": 0.9, "t": 0.648}


def test_each_seed_that_mentions_a_node_leaves_something_else_open() -> None:
    """From a, which has all: 0.8 × 0.9 × 0.6 = 0.432; from b, which has nothing: 0.8 × 0.6 × (0.6 + 0.4) = 0.48."""
    question = Question(mass=[1.0], held={"a": [0], "b": []}, nodes=10)
    pool = [candidate("a", 0.9), candidate("b", 0.6)]
    hits = rank(pool, 2, [], [Mentioned("t", ["a", "b"], [0])], question=question, weights=WEIGHTS)
    assert scores(hits)["t"] == 0.48
    assert way(hits, "t") == "bt"


def test_a_shared_entity_is_worth_its_rarity_and_its_step_names_it() -> None:
    """ln(100 / 10) / ln 100 = 0.5; all is covered: 0.8 × 0.9 × 0.5 = 0.36."""
    question = Question(mass=[2.0], held={"a": []}, nodes=100)
    shared = [Shared("t", "a", "Kew", 10, [0])]
    hits = rank([candidate("a", 0.9)], 1, [], [], shared, question=question, weights=WEIGHTS)
    assert scores(hits) == {"a": 0.9, "t": 0.36}
    assert hits[1].path == (Step("a", "t", "MENTIONS", True, "Kew"),)
    assert hits[1].depth == 1


def test_an_edge_is_told_before_an_entity_that_is_worth_as_much() -> None:
    question = Question(mass=[1.0], held={"a": []}, nodes=100)
    none = Weights(decay=0.0, mention=0.0, bridge=0.0)
    hits = rank(
        [candidate("a", 0.9)], 1, [], [Mentioned("t", ["a"])], [Shared("t", "a", "Kew", 10, [0])],
        question=question, weights=none,
    )  # fmt: skip
    assert [step.via for step in hits[1].path] == [None]


def test_what_a_candidate_replaces_is_told() -> None:
    hits = ranked([Candidate("a", 0.9, 0.9, 0.0, 0.0, ["y", "x"]), candidate("b", 0.5)], 2)
    assert [hit.replaces for hit in hits] == [("x", "y"), ()]


@pytest.mark.parametrize(
    ("limit", "left"), [(1, "x"), (2, "xy"), (3, "xya"), (5, "xyzva"), (6, "xyzvab"), (7, "xyzvwab"), (8, "xyzvwabc")]
)
def test_the_best_seeds_keep_a_third_of_a_list(limit: int, left: str) -> None:
    """x, y, z, v and w each gain by a seed and are ahead of all: a and b, the best, are in a list of six."""
    pool = [candidate("a", 0.9), candidate("b", 0.8), candidate("c", 0.1)]
    pool += [candidate(uid, 0.09) for uid in "xyzvw"]
    found = [reached(uid, "a", 2.0 - at / 10) for at, uid in enumerate("xyzvw")]
    hits = ranked(pool, 3, found)
    assert [hit.id for hit in hits] == list("xyzvwabc")
    assert [hit.id for hit in cut(hits, limit)] == list(left)
