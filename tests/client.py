"""A caller of the service, as a test sees it: GraphQL over HTTP and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx


class GraphQLFailed(AssertionError):
    """The answer has errors that the test did not expect."""


class Client:
    """Posts queries with one key. `query` expects success; `errors` expects failure."""

    def __init__(self, http: httpx.AsyncClient, key: str | None) -> None:
        self.http = http
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def post(self, query: str, variables: Mapping[str, Any] | None = None) -> httpx.Response:
        body = {"query": query, "variables": dict(variables or {})}
        return await self.http.post("/graphql", json=body, headers=self.headers)

    async def query(self, query: str, **variables: Any) -> Any:
        """The `data` of an answer without errors."""
        answer = (await self.post(query, variables)).json()
        if answer.get("errors"):
            raise GraphQLFailed(answer["errors"])
        return answer["data"]

    async def errors(self, query: str, **variables: Any) -> list[dict[str, Any]]:
        """The `errors` of an answer that must have some."""
        answer = (await self.post(query, variables)).json()
        assert answer.get("errors"), answer
        return list(answer["errors"])

    async def error(self, query: str, **variables: Any) -> dict[str, Any]:
        """The `extensions` and `message` of the only error of an answer."""
        errors = await self.errors(query, **variables)
        assert len(errors) == 1, errors
        return {"message": errors[0]["message"], **errors[0].get("extensions", {})}
