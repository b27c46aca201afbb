"""Where a compiled network is kept; without importing torch."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import orjson

from graphmem.embedding.sample import SAMPLE

BUILD = 2
"""Raise it when `compile.py` or `quantize.py` changes what it makes."""
LIBRARIES = ("onnxruntime", "onnx", "torch", "transformers", "sentence-transformers")


def home(cache: Path, model: str, fingerprint: str) -> Path:
    """The folder for a compiled `model`: another one for other weights, libraries or sample texts."""
    versions = [f"{name} {version(name)}" for name in LIBRARIES]
    key = sha256(orjson.dumps([BUILD, fingerprint, versions, SAMPLE])).hexdigest()[:16]
    name = "".join(c if c.isalnum() or c in ".-" else "-" for c in Path(model).name)
    return cache / "models" / f"{name}-{key}"


def refusal(folder: Path) -> Path:
    """The file that says why the network of `folder` cannot be compiled, so that it is not tried at each start."""
    return folder.with_name(f"{folder.name}.refused")
