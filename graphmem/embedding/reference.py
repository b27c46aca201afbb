"""The reference runtime: sentence-transformers on torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphmem.embedding.cores import threads
from graphmem.embedding.network import Kind, Vectors
from graphmem.embedding.source import fingerprint, locate
from graphmem.embedding.tokens import Tokens
from graphmem.errors import Unavailable

WINDOW = 512
"""Where the model does not say how much it reads."""


class Reference:
    """A `Network` that any sentence-transformers text model can be."""

    runtime = "torch"

    def __init__(self, model: str) -> None:
        """Takes 5 to 25 s, most of it the import. Raises `Unavailable` when the model cannot be had or used."""
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar

        disable_progress_bar()  # type: ignore[no-untyped-call]
        torch.set_num_threads(threads())
        self.model = model
        folder = locate(model)
        self.transformer = SentenceTransformer(str(folder or model), local_files_only=folder is not None)
        self.transformer.eval()
        folder = folder or locate(model)
        if folder is None:
            raise Unavailable(
                f"the files of embedding_model {model} are not in the hub's cache", field="embedding_model"
            )
        self.folder = folder
        self.fingerprint = fingerprint(folder)
        self.dimension = self.transformer.get_embedding_dimension() or 0
        backend = getattr(self.transformer.tokenizer, "backend_tokenizer", None)
        if not self.dimension or backend is None:
            raise Unavailable(
                f"embedding_model {model} is not a text model with a fast tokenizer", field="embedding_model"
            )
        prompts = self.transformer.prompts
        self.prompts = (prompts.get("query") or "", prompts.get("document") or "")
        self.tokens = Tokens(backend.to_str(), self.transformer.max_seq_length or WINDOW, self.prompts)

    def encode(self, texts: Sequence[str], kind: Kind) -> Vectors:
        encode = self.transformer.encode_query if kind == "query" else self.transformer.encode_document
        found = encode(list(texts), batch_size=len(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(found, dtype=np.float32)

    def close(self) -> None:
        """Nothing was started."""
