"""What a resolver works with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import strawberry
from strawberry.dataloader import DataLoader

from graphmem.access.principal import Principal
from graphmem.config import Settings
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import Trips
from graphmem.runtime import Services

K = TypeVar("K")
V = TypeVar("V")


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
