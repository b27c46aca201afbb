"""Runs examples as a reader does: GraphQL over HTTP, commands in a shell, Cypher in a session that may only read."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from graphql import GraphQLSchema, OperationDefinitionNode, parse
from neo4j import READ_ACCESS, AsyncDriver

from tests.docs.examples import ROOT, Example

ADDRESS = "http://127.0.0.1:8080"
"""Where the pages say that the service answers."""
TAKEN_IN = ("concepts.md", "quick-start.md")
"""Of `docs`, what the commands find there: enough to try them."""
SECONDS = 120


class ExampleFailed(AssertionError):
    """An example does not do what the page says."""


@dataclass
class Reader:
    """Somebody who tries a page's examples, one after the other.

    `environment`: settings of the commands; `standing`: what stands in the pages for what is so here, such as a port.
    """

    folder: Path
    address: str
    key: str
    driver: AsyncDriver
    environment: Mapping[str, str]
    standing: Mapping[str, str]
    known: dict[str, Any] = field(default_factory=dict, init=False)
    """Of each name the value in the newest answer that had it, for variables; `then` is when the first example was
    done."""

    def __post_init__(self) -> None:
        (self.folder / "docs").mkdir()
        for name in TAKEN_IN:
            shutil.copy(ROOT / "docs" / name, self.folder / "docs")
        for name in ("bin/graphmem", ".venv/bin/graphmem"):
            self._script(name, f'exec "{sys.executable}" -m graphmem "$@"')
        self._script("bin/python", f'exec "{sys.executable}" "$@"')
        self._script("bin/make", f'exec "{shutil.which("make")}" --dry-run -C "{ROOT}" "$@"')

    def _script(self, name: str, line: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (self.folder / name).chmod(0o755)

    async def run(self, example: Example) -> None:
        """Raises ExampleFailed naming page and line."""
        try:
            answer = await getattr(self, f"_{example.language}")(example)
        except AssertionError as failed:
            raise ExampleFailed(f"{example.place}: {failed}") from failed
        if example.answer is not None and not _holds(example.answer, answer):
            raise ExampleFailed(f"{example.place}: answered {json.dumps(answer, indent=2)}")
        self._keep(answer)
        self.known.setdefault("then", datetime.now(UTC).isoformat())

    async def _graphql(self, example: Example) -> Any:
        (operation,) = (node for node in parse(example.text).definitions if isinstance(node, OperationDefinitionNode))
        names = {one.variable.name.value for one in operation.variable_definitions or ()}
        assert names <= self.known.keys(), f"no answer before gave {names - self.known.keys()}"
        variables = {name: self.known[name] for name in names}
        headers = {"Authorization": f"Bearer {self.key}"}
        async with httpx.AsyncClient(base_url=self.address, headers=headers, timeout=SECONDS) as http:
            body = (await http.post("/graphql", json={"query": example.text, "variables": variables})).json()
        if isinstance(example.answer, dict) and "errors" in example.answer:
            return body
        assert "errors" not in body, body["errors"]
        return body["data"]

    async def _cypher(self, example: Example) -> None:
        statements = re.split(r"^(?=CYPHER 25\b)", example.text, flags=re.MULTILINE)
        assert not statements[0].strip(), "a statement begins with CYPHER 25, so that it runs on every server"
        async with self.driver.session(default_access_mode=READ_ACCESS) as session:
            for statement in statements[1:]:
                result = await session.run(statement)  # type: ignore[arg-type]
                assert await result.data(), f"no rows: {statement}"

    async def _python(self, example: Example) -> Any:
        return await self._process(sys.executable, "-c", self._here(example.text))

    async def _bash(self, example: Example) -> Any:
        """In a shell that knows what earlier blocks exported. `make` tells what it would do; `serve` is stopped."""
        lines = [".  ./exported", self._here(example.text), "export -p > exported"]
        (self.folder / "exported").touch()
        script = "\n".join(lines)
        *before, served = re.split(r"^\S*graphmem serve$", script, maxsplit=1, flags=re.MULTILINE)
        if not before:
            return await self._process("sh", "-euc", script)
        assert served.strip() == lines[-1], "nothing can follow a command that goes on"
        await self._process("sh", "-euc", f"{before[0]}\n{lines[-1]}")
        return await self._serve()

    async def _serve(self) -> None:
        """Until it has told where it answers."""
        script = ". ./exported; exec graphmem serve"
        process = await self._start("sh", "-euc", script, GRAPHMEM_PORT="0")
        assert process.stdout is not None
        try:
            async with asyncio.timeout(SECONDS):
                line = (await process.stdout.readline()).decode()
                found = re.fullmatch(r"graphmem answers at (\S+)/graphql\n", line)
                assert found, line
                async with httpx.AsyncClient(base_url=found[1]) as http:
                    assert (await http.get("/healthz")).status_code == 200
        finally:
            process.terminate()
            _, told = await process.communicate()
        assert process.returncode == 0, told.decode()

    async def _process(self, *command: str) -> Any:
        """What it printed, as JSON where it is that."""
        process = await self._start(*command)
        try:
            async with asyncio.timeout(SECONDS):
                said, told = (text.decode() for text in await process.communicate())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert process.returncode == 0, f"exit status {process.returncode}: {told or said}"
        try:
            answer = json.loads(said)
        except ValueError:
            return said
        assert not (isinstance(answer, dict) and "errors" in answer), answer
        return answer

    async def _start(self, *command: str, **more: str) -> asyncio.subprocess.Process:
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        plain = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
        environment = plain | {"PYTHONPATH": str(ROOT)} | dict(self.environment) | {"PATH": path} | more
        return await asyncio.create_subprocess_exec(
            *command, cwd=self.folder, env=environment,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip

    def _keep(self, answer: Any) -> None:
        if isinstance(answer, dict):
            self.known |= {name: value for name, value in answer.items() if isinstance(value, str)}
        for part in answer.values() if isinstance(answer, dict) else answer if isinstance(answer, list) else ():
            self._keep(part)

    def _here(self, text: str) -> str:
        for written, here in self.standing.items():
            text = text.replace(written, here)
        return text


def _holds(told: Any, found: Any) -> bool:
    """Whether the answer is what the page tells; of errors, the code is."""
    if isinstance(told, dict) and "errors" in told:
        return [_code(error) for error in told["errors"]] == [_code(error) for error in found.get("errors", ())]
    return bool(told == found)


def _code(error: Any) -> Any:
    return error["extensions"]["code"]


def operations(schema: GraphQLSchema) -> set[str]:
    """Names of all queries and mutations."""
    assert schema.query_type is not None
    assert schema.mutation_type is not None
    return set(schema.query_type.fields) | set(schema.mutation_type.fields)
