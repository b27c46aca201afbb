"""Settings out of the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.config import Settings


@pytest.mark.parametrize("name", ["home", "cache", "default_tenant", "embedding_model", "bolt_port", "allowed_origins"])
def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Else a home would be the folder that somebody stands in, and a tenant one that no key reaches."""
    monkeypatch.delenv(f"GRAPHMEM_{name.upper()}", raising=False)
    unset = Settings()
    monkeypatch.setenv(f"GRAPHMEM_{name.upper()}", "")
    assert Settings() == unset
    assert Path() not in (unset.home, unset.cache)
