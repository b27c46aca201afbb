"""What stands in GraphiQL's editor when it is opened first."""

from __future__ import annotations

import re
from pathlib import Path

from graphql import parse, validate

import graphmem.web
from graphmem.api.schema import make_schema
from graphmem.config import Settings


def test_the_query_that_greets_is_one_the_schema_answers() -> None:
    script = (Path(graphmem.web.__file__).parent / "graphiql" / "graphiql.js").read_text("utf-8")
    query = re.search(r"const QUERY = `(.*?)`", script, re.DOTALL)
    assert query is not None
    assert validate(make_schema(Settings())._schema, parse(query.group(1))) == []
