from __future__ import annotations

import pytest

from graphmem.access.keyring import open_principal
from graphmem.access.principal import Principal, local_principal
from graphmem.config import Settings
from graphmem.errors import Forbidden, InvalidInput
from graphmem.values import Scope, Tenant


def principal(*scopes: Scope, resource: str | None = None, agent: str | None = None) -> Principal:
    return Principal(Tenant("acme"), "id", "name", frozenset(scopes), resource, agent)


@pytest.mark.parametrize(
    ("own", "allowed"),
    [
        ((), ""),
        ((Scope.READ,), "read"),
        ((Scope.WRITE,), "read write"),
        ((Scope.ADMIN,), "read write admin"),
        ((Scope.READ, Scope.ADMIN), "read write admin"),
    ],
)
def test_a_scope_includes_the_ones_below_it(own: tuple[Scope, ...], allowed: str) -> None:
    passed = []
    for scope in Scope:
        try:
            principal(*own).require(scope)
        except Forbidden:
            continue
        passed.append(scope.value)
    assert " ".join(passed) == allowed


def test_a_refusal_names_the_scope_that_is_needed() -> None:
    with pytest.raises(Forbidden, match="scope admin; this key has read, write") as refused:
        principal(Scope.READ, Scope.WRITE).require(Scope.ADMIN)
    assert refused.value.details == {"scope": "admin"}


def test_an_unbound_key_names_any_resource_and_agent() -> None:
    free = principal(Scope.READ)
    assert (free.resource_for("customer 1"), free.resource_for(None)) == ("customer 1", None)
    assert (free.agent_for("support"), free.agent_for(None)) == ("support", None)


def test_a_bound_key_fills_its_own_in() -> None:
    bound = principal(Scope.READ, resource="customer 1", agent="support")
    assert [bound.resource_for(None), bound.resource_for("customer 1")] == ["customer 1", "customer 1"]
    assert [bound.agent_for(None), bound.agent_for("support")] == ["support", "support"]


@pytest.mark.parametrize("other", ["customer 2", "Customer 1", "customer 1 ", "*"])
def test_a_bound_key_names_no_other(other: str) -> None:
    bound = principal(Scope.ADMIN, resource="customer 1", agent="customer 1")
    with pytest.raises(Forbidden) as resource:
        bound.resource_for(other)
    with pytest.raises(Forbidden) as agent:
        bound.agent_for(other)
    assert (resource.value.field, agent.value.field) == ("resource", "agent")
    assert "customer 1" not in resource.value.message, "who guesses is not told"


@pytest.mark.parametrize("text", ["", " \t", "\u200b", "x" * 257, "\ud800"])
@pytest.mark.parametrize("own", [None, "customer 1"])
def test_a_resource_is_a_visible_name_of_at_most_256_characters(text: str, own: str | None) -> None:
    with pytest.raises(InvalidInput) as refused:
        principal(Scope.READ, resource=own).resource_for(text)
    assert refused.value.field == "resource"


def test_a_resource_may_be_256_characters_of_any_script() -> None:
    assert principal(Scope.READ).resource_for("客" * 256) == "客" * 256


def test_open_access_may_do_everything_in_the_default_tenant() -> None:
    everybody = open_principal(Settings(default_tenant="home"))
    everybody.require(Scope.ADMIN)
    assert (everybody.tenant, everybody.resource, everybody.agent) == ("home", None, None)


def test_who_stands_at_the_database_may_do_everything_in_the_tenant_named() -> None:
    local_principal(Tenant("acme")).require(Scope.ADMIN)
    assert local_principal(Tenant("acme"), "worker").name == "worker"
