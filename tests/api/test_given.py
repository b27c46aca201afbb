"""Values that arrive with a request and don't fit their types."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.failing import schema_with
from tests.api.test_errors import only_error, run


@pytest.mark.parametrize(
    ("given", "field", "told"),
    [
        ({}, "them[0].index", "to include required field 'index'"),
        ({"index": None}, "them[0].index", "not to be null."),
        ({"index": "one"}, "them[0].index", "cannot represent non-integer value: 'one'"),
        ({"index": 1, "indx": 2}, "them[0].indx", "Did you mean 'index'?"),
        ({"index": 1, "it's a name": 2}, "them[0]", "unknown field"),
        ({"index": 1, "form": "SQUARE"}, "them[0].form", "does not exist in 'Form' enum; give ROUND or FLAT."),
        ({"index": 1, "form": 3}, "them[0].form", "cannot represent non-string value: 3; give ROUND or FLAT."),
        ({"index": 1, "below": [{"index": 2}, {"index": 3, "at": "soon"}]}, "them[0].below[1].at", "RFC 3339"),
    ],
)
async def test_a_value_in_a_variable_is_refused_with_its_path_and_what_would_do(
    given: dict[str, Any], field: str, told: str
) -> None:
    error = await only_error("query($them: [Wanted!]!) { wanted(all: $them) }", {"them": [given]})
    assert error["extensions"] == {"code": "INVALID_INPUT", "field": field}
    assert told in error["message"]


async def test_a_null_inside_an_argument_is_refused_with_its_path() -> None:
    error = await only_error("query($n: Int = 1) { wanted(all: [{index: $n}]) }", {"n": None})
    assert error["extensions"] == {"code": "INVALID_INPUT", "field": "all[0].index"}


async def test_every_one_of_many_wrong_values_is_invalid_input() -> None:
    result = await run("query($them: [Wanted!]!) { wanted(all: $them) }", {"them": [{}] * 100})
    assert result.errors is not None
    assert {(error.extensions or {})["code"] for error in result.errors} == {"INVALID_INPUT"}


@pytest.mark.parametrize("form", ["SQUARE", '"ROUND"'])
async def test_a_word_in_the_query_that_a_closed_set_does_not_have_is_told_with_those_it_has(form: str) -> None:
    error = await only_error(f"{{ wanted(all: [{{index: 1, form: {form}}}]) }}")
    assert error["extensions"] == {"code": "GRAPHQL_VALIDATION_FAILED"}
    assert error["message"].endswith("; give ROUND or FLAT.")


async def test_the_words_of_a_closed_set_are_told_only_where_the_schema_may_be_read() -> None:
    silent = await schema_with(introspection=False).execute(
        "query($them: [Wanted!]!) { wanted(all: $them) }", {"them": [{"index": 1, "form": "FLATT"}]}
    )
    assert silent.errors is not None
    assert silent.errors[0].message.endswith("Value 'FLATT' does not exist in 'Form' enum.")
