"""What goes into the matrix products of a network in ONNX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper

Floats = NDArray[np.float32]
Feed = Mapping[str, NDArray[np.int64]]

TINY = 1e-5


@dataclass(frozen=True, slots=True)
class Range:
    """What was seen of one tensor: the least and greatest value of each channel, and of its rows (one a token) the
    farthest that one went below zero, as a share of how far it went above."""

    low: Floats
    high: Floats
    below: float

    @classmethod
    def of(cls, rows: Floats) -> Range:
        below = -rows.min(axis=1) / np.maximum(rows.max(axis=1), TINY)
        return cls(rows.min(axis=0), rows.max(axis=0), max(0.0, float(below.max())))

    def __or__(self, other: Range) -> Range:
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return Range(low, high, max(self.below, other.below))


def products(graph: onnx.GraphProto) -> list[onnx.NodeProto]:
    """The matrix products of an activation and constant weights."""
    constant = {one.name for one in graph.initializer if len(one.dims) == 2}
    return [node for node in graph.node if node.op_type == "MatMul" and node.input[1] in constant]


def calibrate(model: onnx.ModelProto, feeds: Iterable[Feed]) -> dict[str, Range]:
    """The range of each product's activation, over all `feeds`."""
    observed = onnx.ModelProto()
    observed.CopyFrom(model)
    names = list(dict.fromkeys(node.input[0] for node in products(model.graph)))
    known = {one.name for one in observed.graph.output}
    observed.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names if name not in known
    )
    session = onnxruntime.InferenceSession(observed.SerializeToString(), providers=["CPUExecutionProvider"])
    ranges: dict[str, Range] = {}
    for feed in feeds:
        for name, values in zip(names, session.run(names, dict(feed)), strict=True):
            seen = Range.of(np.asarray(values, dtype=np.float32).reshape(-1, values.shape[-1]))
            ranges[name] = ranges[name] | seen if name in ranges else seen
    return ranges
