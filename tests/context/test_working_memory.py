"""Working memory of which not all fits."""

from __future__ import annotations

import pytest

from tests.client import Client
from tests.context.support import begin, counted, spent, user
from tests.operations import context, memory, update_memory

FORM = """
mutation ($template: String!) { defineWorkingMemory(resourceId: "r1", template: $template) { version } }
"""
NAMES = [f"Field {at:02}" for at in range(30)]


@pytest.mark.parametrize("with_form", [True, False])
async def test_working_memory_that_is_too_large_is_cut_in_its_structure_too(client: Client, with_form: bool) -> None:
    """C60, C59: who puts a prompt together from the parts keeps to the budget as `rendered` does."""
    await begin(client, "t1", user("Hello."))
    if with_form:
        hints = "\n".join(f"- {name}: (what to write down of number {at})" for at, name in enumerate(NAMES))
        await client.query(FORM, template=f"{hints}\n- Last: (never set)\n")
    values = {name: f"<value> of {name} " * 10 for name in NAMES}
    await update_memory(client, resourceId="r1", merge=values, verifyElsewhere=True)
    whole = await memory(client, resourceId="r1")
    every = [field["id"] for field in whole["fields"]]
    for budget in (300, 700, 1500):
        found = await context(client, "t1", message="And?", tokenBudget=budget)
        (own,) = found["workingMemory"]
        names = [field["name"] for field in own["fields"]]
        assert 0 < len(names) < len(NAMES)
        assert names == NAMES[: len(names)]
        assert list(own["json"]) == names
        assert own["markdown"].splitlines() == [f"- {field['name']}: {field['text']}" for field in own["fields"]]
        assert own["tokens"] == await counted(own["markdown"]) <= spent(found, "WORKING_MEMORY") <= budget
        assert own["markdown"].replace("<", "&lt;") in found["rendered"]
        (dropped,) = [one for one in found["dropped"] if one["tier"] == "WORKING_MEMORY"]
        assert [*(field["id"] for field in own["fields"]), *dropped["ids"]] == every
        assert NAMES[len(names)] not in found["rendered"]
        assert found["tokens"] <= budget
    (own,) = (await context(client, "t1", message="And?"))["workingMemory"]
    assert (own["markdown"], own["json"]) == (whole["markdown"], whole["json"])
    found = await context(client, "t1", message="And?", tokenBudget=90)
    assert found["workingMemory"] == []
    assert [one["ids"] for one in found["dropped"] if one["tier"] == "WORKING_MEMORY"] == [every]
