"""The network without torch: ONNX Runtime and a tokenizer, from a folder that `compile.py` filled."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
import orjson
from numpy.typing import NDArray

from graphmem.embedding.cores import threads
from graphmem.embedding.network import Kind, Vectors
from graphmem.embedding.tokens import Tokens

AGREEMENT = 0.985
"""Least cosine between a vector of a compiled network and the reference's."""
PROBES = 6
"""Texts of the sample that are embedded again at each start, in case the folder came from another kind of machine."""
SLOW_FUSIONS = ["SkipLayerNormFusion", "BiasGeluFusion"]
"""Left out: these fused operators take longer than their parts (3.49 against 2.84 ms for a text of 36 tokens)."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands beside a compiled network."""

    model: str
    fingerprint: str
    dimension: int
    window: int
    prompts: tuple[str, str]
    padding: int
    precision: str
    agreement: float


class Compiled:
    """A `Network` of which nothing but `encode` and the tokenizer is left."""

    runtime = "onnx"

    def __init__(self, folder: Path) -> None:
        """Raises what the libraries raise when a file is missing or broken."""
        fields = orjson.loads((folder / "manifest.json").read_bytes())
        self.manifest = Manifest(**{**fields, "prompts": tuple(fields["prompts"])})
        self.dimension = self.manifest.dimension
        self.fingerprint = self.manifest.fingerprint
        self.tokens = Tokens(
            (folder / "tokenizer.json").read_text("utf-8"), self.manifest.window, self.manifest.prompts
        )
        self._cores = threads()
        self._pool = ThreadPoolExecutor(max(1, self._cores - 1), thread_name_prefix="embedding")
        self._session = session(folder / "network.onnx")
        self._inputs = {one.name for one in self._session.get_inputs()}

    def encode(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Each core takes a run of `texts` of its own: 14 % less processor time than sharing each matrix product."""
        prompt = self.manifest.prompts[0 if kind == "query" else 1]
        each = -(-len(texts) // self._cores)
        runs = [[prompt + text for text in texts[at : at + each]] for at in range(0, len(texts), each)]
        others = [self._pool.submit(self._run, run) for run in runs[1:]]
        return np.vstack([self._run(runs[0]), *(other.result() for other in others)])

    def close(self) -> None:
        self._pool.shutdown()

    def _run(self, texts: Sequence[str]) -> Vectors:
        inputs = feed(self.tokens, texts, self.manifest.padding)
        (found,) = self._session.run(None, {name: inputs[name] for name in self._inputs})
        vectors: Vectors = found / np.linalg.norm(found, axis=1, keepdims=True)
        return vectors


def start(folder: Path) -> Compiled:
    """The network in `folder`; `ValueError` when it gives other vectors here than where it was made."""
    network = Compiled(folder)
    with np.load(folder / "probes.npz") as probes:
        texts, expected = [str(text) for text in probes["texts"]], probes["vectors"]
    found = np.vstack([network.encode([text], "document") for text in texts])
    if not np.all(np.sum(found * expected, axis=1) >= AGREEMENT):
        network.close()
        raise ValueError("the vectors of the probes are not the reference's on this machine")
    return network


def session(path: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOW_FUSIONS
    )


def feed(tokens: Tokens, texts: Sequence[str], padding: int) -> dict[str, NDArray[np.int64]]:
    """The network's inputs for `texts`, each filled up on the right to the longest."""
    encodings = tokens.encode(texts)
    shape = len(encodings), max(len(one.ids) for one in encodings)
    ids = np.full(shape, padding, dtype=np.int64)
    mask, types = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for row, one in enumerate(encodings):
        length = len(one.ids)
        ids[row, :length] = one.ids
        mask[row, :length] = 1
        types[row, :length] = one.type_ids
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
