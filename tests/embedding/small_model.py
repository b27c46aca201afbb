"""A sentence-transformers model of a few thousand random weights, written to a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

WORDS = (*map(str, range(20)), "one", "two", "three", "four", "five", "six", "seven", "query", "passage", ":", ".")


def small_model(folder: Path, padding_side: Literal["left", "right"] = "right") -> Path:
    """Not of the packaged model's make: XLM-R, positions from the padding, the first token's state, a projection,
    and prompts."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense, Pooling, Transformer
    from transformers import XLMRobertaConfig, XLMRobertaModel

    torch.manual_seed(0)
    vocabulary = {word: at for at, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", *WORDS])}
    _save_tokenizer(folder / "network", vocabulary, padding_side)
    XLMRobertaModel(
        XLMRobertaConfig(
            vocab_size=len(vocabulary),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=72,
            type_vocab_size=1,
            pad_token_id=1,
            initializer_range=0.5,
        )
    ).save_pretrained(folder / "network")
    transformer = Transformer(str(folder / "network"))
    modules = [transformer, Pooling(32, pooling_mode="cls"), Dense(32, 24)]
    model = SentenceTransformer(modules=modules, prompts={"query": "query : ", "document": "passage : "})
    model.save(str(folder / "model"))
    return folder / "model"


def _save_tokenizer(folder: Path, vocabulary: dict[str, int], padding_side: str) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=64,
        padding_side=padding_side,
        model_input_names=["input_ids", "attention_mask"],
    ).save_pretrained(folder)
