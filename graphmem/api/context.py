"""What a resolver works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import strawberry
from strawberry.dataloader import DataLoader

from graphmem.access.keyring import Keyring
from graphmem.access.principal import Principal
from graphmem.config import Settings
from graphmem.embedding import Loading, Models
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import Trips

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Services:
    """What the process has, made once in `app.py`. `wake` tells the worker that there is something to do."""

    settings: Settings
    graph: Graph
    embedding: Loading
    models: Models
    keyring: Keyring
    wake: Callable[[], None]
    problems: Callable[[], list[str]]


@dataclass
class Context:
    """One request."""

    services: Services
    principal: Principal
    trips: Trips
    operation: str | None = None
    loaders: dict[object, DataLoader[object, object]] = field(default_factory=dict)

    @property
    def graph(self) -> Graph:
        return self.services.graph

    @property
    def settings(self) -> Settings:
        return self.services.settings


Info = strawberry.Info[Context, None]
