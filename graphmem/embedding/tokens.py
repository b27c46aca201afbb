"""The model's tokenizer, without the cutting and padding that its file asks for."""

from __future__ import annotations

from collections.abc import Sequence

from tokenizers import Encoding, Tokenizer

from graphmem.embedding.chunking import split
from graphmem.embedding.contract import Span
from graphmem.errors import InvalidInput


class Tokens:
    """Counts and cuts texts; safe to use from several threads.

    `prompts` are what the model wants before a query or a document: the longest is counted with every text.
    """

    def __init__(self, definition: str, window: int, prompts: Sequence[str] = ()) -> None:
        self.definition = definition
        self.window = window
        self._tokenizer = Tokenizer.from_str(definition)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        longest = max((len(self._encode(prompt).ids) for prompt in prompts if prompt), default=0)
        self._extra = self._tokenizer.num_special_tokens_to_add(False) + longest

    def count(self, text: str) -> int:
        return len(self._encode(text).ids) + self._extra

    def counts(self, texts: Sequence[str]) -> list[int]:
        found = self._tokenizer.encode_batch_fast([clean(text) for text in texts], add_special_tokens=False)
        return [len(encoding.ids) + self._extra for encoding in found]

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """The texts' tokens as the network reads them, special tokens included."""
        return self._tokenizer.encode_batch_fast([clean(text) for text in texts])

    def chunk(self, text: str, size: int, overlap: int) -> list[Span]:
        """See `Embedder.chunk`."""
        budget = size - self._extra
        if budget < 1 or size > self.window:
            raise InvalidInput(
                f"size must lie between {self._extra + 1} and the model's window of {self.window}, but is {size}",
                field="size",
            )
        tokens = self._encode(text).offsets
        if len(tokens) + self._extra <= self.window:
            return []
        while True:
            spans = split(text, tokens, budget, min(overlap, budget - 1))
            excess = max(self.counts([text[span.start : span.end] for span in spans])) - size
            if excess <= 0 or budget == 1:
                return spans
            # A word that was cut can be more tokens than it was inside the text.
            budget = max(1, budget - excess)

    def head(self, text: str) -> str:
        """As much of the beginning of `text` as fits the window."""
        spans = self.chunk(text, self.window, 0)
        return text[: spans[0].end] if spans else text

    def words(self) -> list[str]:
        """The vocabulary in a fixed order, without special tokens and marks of continuation."""
        found = (word.strip("#▁Ġ") for word in sorted(self._tokenizer.get_vocab()))
        return [word for word in found if word and word[0] not in "[<"]

    def _encode(self, text: str) -> Encoding:
        return self._tokenizer.encode(clean(text), add_special_tokens=False)


def clean(text: str) -> str:
    """A lone surrogate, which UTF-8 cannot carry, becomes `?`; every other character keeps its place."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
