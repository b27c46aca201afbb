"""Who is calling."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.errors import Forbidden
from graphmem.values import Scope, Tenant, checked_name

_WIDTH = {Scope.READ: 0, Scope.WRITE: 1, Scope.ADMIN: 2}


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller, as its key says. A verb takes the tenant from here and nowhere else.

    `resource`, `agent`: the only one that the key may name, where it is bound.
    """

    tenant: Tenant
    key_id: str
    name: str
    scopes: frozenset[Scope]
    resource: str | None = None
    agent: str | None = None

    def require(self, scope: Scope) -> None:
        """Raises Forbidden unless a scope of the key includes this one: admin includes write, write includes read."""
        if not any(_WIDTH[own] >= _WIDTH[scope] for own in self.scopes):
            has = ", ".join(sorted(self.scopes)) or "none"
            raise Forbidden(f"this needs a key with the scope {scope}; this key has {has}", scope=scope.value)

    def resource_for(self, resource: str | None, *, new: bool = False) -> str | None:
        """The resource that a call is about: that of a bound key, else the one given. `new`: it may come to be stored.

        Raises:
            Forbidden: the key is bound to another one.
            InvalidInput: blank or longer than 256 characters, or where it is new, with a control character.
        """
        return _bound(self.resource, resource, "resource", new=new)

    @property
    def hears_agents(self) -> bool:
        """Whether it may be told what was left for agents: that is of no resource."""
        return self.resource is None or self.agent is not None

    def agent_for(self, agent: str | None, *, new: bool = False) -> str | None:
        """The agent that a call is made as; as `resource_for`."""
        return _bound(self.agent, agent, "agent", new=new)


def _bound(own: str | None, given: str | None, field: str, *, new: bool) -> str | None:
    if given is None:
        return own
    checked_name(given, field, new=new and own is None)
    if own is not None and given != own:
        raise Forbidden(f"this key is bound to one {field} and can name no other; leave {field} out", field=field)
    return given


def local_principal(tenant: Tenant, name: str = "command line") -> Principal:
    """Who acts without a key: somebody who can reach the database anyway, or the service itself."""
    return Principal(tenant, key_id="local", name=name, scopes=frozenset(Scope))
