"""A network of one tensor: the tests see and steer its calls."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from graphmem.embedding.network import Kind, Vectors
from graphmem.embedding.tokens import Tokens


def word_tokens(window: int) -> Tokens:
    """Each word or run of punctuation is a token."""
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return Tokens(tokenizer.to_str(), window)


class StubNetwork:
    """Gives a text a direction of its own; fails on `fail`, and waits in each call while `open` is not set."""

    runtime = "stub"
    dimension = 16
    fingerprint = "stub"

    def __init__(self, window: int = 16) -> None:
        self.tokens = word_tokens(window)
        self.batches: list[list[str]] = []
        self.entered = Event()
        self.open = Event()
        self.open.set()
        self.closed = False

    def encode(self, texts: Sequence[str], kind: Kind) -> Vectors:
        self.batches.append(list(texts))
        self.entered.set()
        assert self.open.wait(30)
        if "fail" in texts:
            raise RuntimeError("the network choked")
        found = np.array([np.random.default_rng(list(text.encode())).normal(size=16) for text in texts])
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)

    def close(self) -> None:
        self.closed = True
