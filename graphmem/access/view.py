"""What of a tenant's graph a call may see, and of which time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.access.principal import Principal
from graphmem.errors import InvalidInput
from graphmem.values import FOREVER, SHARED, Tenant, utc_now


@dataclass(frozen=True, slots=True)
class View:
    """A tenant's shared knowledge and that of the resources named.

    `bound`: the only resource whose knowledge may be changed, and edges that touch it; None: any that is seen.
    `as_of`: what the graph said then; `valid_at`: what was true in the world then; None: now.
    """

    tenant: Tenant
    named: tuple[str, ...] = ()
    bound: str | None = None
    as_of: datetime | None = None
    valid_at: datetime | None = None

    @classmethod
    def of(cls, principal: Principal, *resources: str | None) -> View:
        """Raises Forbidden where the key is bound to another resource than one named."""
        return cls.over(principal, resources or (None,))

    @classmethod
    def over(cls, principal: Principal, resources: Iterable[str | None]) -> View:
        named = {principal.resource_for(resource) for resource in resources}
        kept = sorted(resource for resource in named if resource is not None and resource != SHARED)
        return cls(principal.tenant, tuple(kept), principal.resource)

    def at(self, as_of: datetime | None, valid_at: datetime | None) -> View:
        """Raises InvalidInput naming the time that can't be asked about."""
        for value, field in ((as_of, "asOf"), (valid_at, "validAt")):
            if value is not None and value.tzinfo is None:
                raise InvalidInput(f"{field} needs a time zone, such as Z at its end", field=field)
            if value is not None and value >= FOREVER:
                raise InvalidInput(f"{field} must be before {FOREVER:%Y-%m-%d}", field=field)
        if as_of is not None and as_of > utc_now():
            raise InvalidInput(
                f"asOf is {as_of.isoformat()}, which is still to come: the graph knows its past only; "
                "ask with validAt for what will be true in the world",
                field="asOf",
            )
        return replace(self, as_of=as_of, valid_at=valid_at)

    def absent(self, uid: str) -> str:
        """What to tell a caller who named a node that is not to be seen."""
        times = [f"{name} {at.isoformat()}" for name, at in (("as of", self.as_of), ("valid at", self.valid_at)) if at]
        return " ".join([f"there is no knowledge node {uid!r}", *times])

    @property
    def is_present(self) -> bool:
        return self.as_of is None and self.valid_at is None

    @property
    def resources(self) -> list[str]:
        return [SHARED, *self.named]
