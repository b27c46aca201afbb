"""From a sentence-transformers model to a folder that `compiled.py` can run."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import numpy as np
import onnx
import orjson
import structlog
import torch
from filelock import FileLock

from graphmem.embedding.calibrate import Feed
from graphmem.embedding.compiled import AGREEMENT, PROBES, Compiled, Manifest, feed, start
from graphmem.embedding.home import refusal
from graphmem.embedding.network import Kind, Vectors
from graphmem.embedding.quantize import quantize
from graphmem.embedding.reference import Reference
from graphmem.embedding.sample import SAMPLE

log = structlog.get_logger()

RANDOM_TEXTS, RANDOM_WORDS = 60, 60
"""Texts of random words from the vocabulary, beside the sample, that the eight-bit scales are found on."""


class Refused(Exception):
    """The model cannot be compiled, or not so that its vectors are the reference's; remembered in `refusal`."""


class _Pipeline(torch.nn.Module):
    """All modules of a sentence-transformers model as one function of tensors."""

    def __init__(self, reference: Reference, names: Sequence[str]) -> None:
        super().__init__()
        self.transformer = reference.transformer
        self.names = names

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.transformer(dict(zip(self.names, tensors, strict=True)))["sentence_embedding"]
        return found


def compiled(reference: Reference, folder: Path) -> Compiled:
    """The network in `folder`, made now unless another process was first. Raises `Refused`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(folder.name + ".lock")):
        if folder.exists():
            try:
                return start(folder)
            except Exception as error:  # a file is missing or broken, or the machine is another one
                log.warning("embedding_model_discarded", folder=str(folder), reason=str(error))
                shutil.rmtree(folder)
        for left in folder.parent.glob(f"{folder.name}.*/"):  # by a process that was killed
            shutil.rmtree(left)
        began = monotonic()
        log.info("embedding_model_compiling", model=reference.model, folder=str(folder))
        with TemporaryDirectory(dir=folder.parent, prefix=folder.name + ".") as work:
            made = Path(work) / "made"
            try:
                manifest = _make(reference, made)
            except Exception as error:  # whatever a model of an unforeseen kind does to exporter and runtime
                if not isinstance(error, OSError):
                    refusal(folder).write_text(_reason(error), "utf-8")
                raise Refused(_reason(error)) from error
            made.rename(folder)
        log.info(
            "embedding_model_compiled",
            precision=manifest.precision,
            agreement=round(manifest.agreement, 4),
            seconds=round(monotonic() - began, 1),
        )
        return start(folder)


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def _make(reference: Reference, folder: Path) -> Manifest:
    """Fill `folder` with the eight-bit network, or the full one when the eight-bit one does not agree."""
    folder.mkdir()
    tokens, tokenizer = reference.tokens, reference.transformer.tokenizer
    if tokenizer.padding_side != "right":
        raise Refused("its tokenizer fills up on the left")
    sample = [tokens.head(text) for text in SAMPLE]
    kinds: tuple[Kind, ...] = ("document", "query") if len(set(reference.prompts)) > 1 else ("document",)
    expected = {kind: reference.encode(sample, kind) for kind in kinds}
    np.savez(folder / "probes.npz", texts=np.array(sample[:PROBES]), vectors=expected["document"][:PROBES])
    (folder / "tokenizer.json").write_text(tokens.definition, "utf-8")
    manifest = Manifest(
        model=reference.model,
        fingerprint=reference.fingerprint,
        dimension=reference.dimension,
        window=tokens.window,
        prompts=reference.prompts,
        padding=int(tokenizer.pad_token_id),
        precision="int8",
        agreement=0.0,
    )
    full = _export(reference, folder / "network.onnx")
    onnx.save(quantize(full, _feeds(reference, full, manifest.padding)), folder / "network.onnx")
    manifest = _compare(folder, manifest, sample, expected)
    if manifest.agreement < AGREEMENT:
        onnx.save(full, folder / "network.onnx")
        manifest = _compare(folder, replace(manifest, precision="float32"), sample, expected)
    if manifest.agreement < AGREEMENT:
        raise Refused(f"the cosine with a vector of the reference is {manifest.agreement:.3f}")
    return manifest


def _export(reference: Reference, path: Path) -> onnx.ModelProto:
    """The traced network; the example has padding, or the trace would leave the mask out."""
    example = reference.transformer.tokenizer(["one two three four", "one"], padding=True, return_tensors="pt")
    names = list(example)
    network = reference.transformer.transformers_model
    if network is not None:
        network.set_attn_implementation("eager")
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of the exporter's age, and of shapes that it takes for constants
        torch.onnx.export(
            _Pipeline(reference, names),
            tuple(example.values()),
            str(path),
            dynamo=False,  # the other exporter needs onnxscript
            opset_version=17,
            input_names=names,
            output_names=["embedding"],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in names} | {"embedding": {0: "texts"}},
        )
    return onnx.load(path)


def _feeds(reference: Reference, network: onnx.ModelProto, padding: int) -> Iterator[Feed]:
    """One text at a time, so that no padding counts."""
    tokens = reference.tokens
    drawn = np.random.default_rng(0).choice(tokens.words(), size=(RANDOM_TEXTS, RANDOM_WORDS))
    texts = [" ".join(words) for words in drawn]
    names = {one.name for one in network.graph.input}
    for text in (*SAMPLE, *texts):
        inputs = feed(tokens, [tokens.head(text)], padding)
        yield {name: inputs[name] for name in names}


def _compare(folder: Path, manifest: Manifest, sample: Sequence[str], expected: Mapping[Kind, Vectors]) -> Manifest:
    """The manifest with the least cosine over the sample, alone and in one batch; written to `folder`."""
    (folder / "manifest.json").write_bytes(orjson.dumps(asdict(manifest)))
    network = Compiled(folder)
    least = 1.0
    for kind, vectors in expected.items():
        alone = np.vstack([network.encode([text], kind) for text in sample])
        for found in (alone, network.encode(sample, kind)):
            least = min(least, float(np.sum(found * vectors, axis=1).min()))
    network.close()
    log.debug("embedding_model_compared", precision=manifest.precision, cosine=least)
    compared = replace(manifest, agreement=least)
    (folder / "manifest.json").write_bytes(orjson.dumps(asdict(compared)))
    return compared
