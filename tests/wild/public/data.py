"""Data for scripts that would download theirs: small, random, always the same; written beside the script, in which ``folder`` it starts."""

import random
from pathlib import Path

import numpy as np
import torch

WORDS = ["the", "a", "of", "in", "model", "data", "graph", "time", "cursor", "gradient", "memory", "step", "loss", "tensor", "view", "shape", "node", "line"]


def sine_waves(folder: Path) -> None:
    waves = np.sin((np.arange(100)[None] + np.arange(20)[:, None]) / 20.0).astype("float64")
    torch.save(waves, folder / "traindata.pt", pickle_protocol=4)


def folder_of_models(folder: Path) -> None:
    (folder.parent / "model" / "8bit").mkdir(parents=True)


def text(folder: Path) -> None:
    chosen = random.Random(0)
    (folder / "text").mkdir()
    for part, lines in (("train", 120), ("valid", 40), ("test", 40)):
        written = "\n".join(" ".join(chosen.choices(WORDS, k=12)) for _ in range(lines))
        (folder / "text" / f"{part}.txt").write_text(written, encoding="utf-8")


def text_and_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    text(folder)
    words = Tokenizer(models.WordLevel({word: number for number, word in enumerate(["[UNK]", *WORDS])}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]", eos_token="[UNK]").save_pretrained(folder / "tokenizer")


def wiki_text(folder: Path) -> None:
    chosen = random.Random(0)
    (folder / "data").mkdir()
    (folder / "data" / "wikitext-2.txt").write_text("\n".join(" ".join(chosen.choices(WORDS, k=35)) for _ in range(2400 // 35)), encoding="utf-8")


def tokens(folder: Path) -> None:
    place = folder / "data" / "tiny"
    place.mkdir(parents=True)
    for part in ("train", "val"):
        np.random.default_rng(0).integers(0, 65, 2000).astype(np.uint16).tofile(place / f"{part}.bin")


def names(folder: Path) -> None:
    chosen = random.Random(0)
    written = "\n".join("".join(chosen.choices("abcdefghij", k=chosen.randint(3, 7))) for _ in range(2000))
    (folder / "names.txt").write_text(written, encoding="utf-8")


def cora(folder: Path) -> None:
    """1500 papers of four subjects with 16 words each, in the two files of the true data set, above the script's folder."""
    _write_cora(folder.parent / "data" / "cora")


def cora_below(folder: Path) -> None:
    _write_cora(folder / "data" / "cora")


def _write_cora(place: Path) -> None:
    place.mkdir(parents=True, exist_ok=True)
    chosen = random.Random(0)
    papers = [[str(paper), *(str(chosen.randint(0, 1)) for _ in range(16)), f"subject{paper % 4}"] for paper in range(1500)]
    (place / "cora.content").write_text("\n".join("\t".join(row) for row in papers) + "\n", encoding="utf-8")
    (place / "cora.cites").write_text("".join(f"{chosen.randrange(1500)}\t{chosen.randrange(1500)}\n" for _ in range(3000)), encoding="utf-8")
