"""What of a tenant's graph a call may see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.access.principal import Principal
from graphmem.values import SHARED, Tenant


@dataclass(frozen=True, slots=True)
class View:
    """A tenant's shared knowledge and that of the resources named.

    `bound`: the only resource whose knowledge may be changed, and edges that touch it; None: any that is seen.
    """

    tenant: Tenant
    named: tuple[str, ...] = ()
    bound: str | None = None

    @classmethod
    def of(cls, principal: Principal, *resources: str | None) -> View:
        """Raises Forbidden where the key is bound to another resource than one named."""
        return cls.over(principal, resources or (None,))

    @classmethod
    def over(cls, principal: Principal, resources: Iterable[str | None]) -> View:
        named = {principal.resource_for(resource) for resource in resources}
        kept = sorted(resource for resource in named if resource is not None and resource != SHARED)
        return cls(principal.tenant, tuple(kept), principal.resource)

    @property
    def resources(self) -> list[str]:
        return [SHARED, *self.named]
