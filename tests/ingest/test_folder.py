"""Which files are found under a folder, and how their bytes become text."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest

from graphmem.errors import InvalidInput
from graphmem.ingest.folder import FoundFile, read_text, walk


def tree(root: Path, *files: str, **ignores: str) -> Path:
    """Makes the files; `ignores` by folder name, `here` being the root."""
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("text")
    for folder, text in ignores.items():
        place = root if folder == "here" else root / folder
        place.mkdir(exist_ok=True)
        (place / ".gitignore").write_bytes(text.encode())
    return root


def paths(root: Path) -> list[str]:
    return [file.path for file in walk(root).files]


def found_in(root: Path) -> tuple[list[FoundFile], list[str]]:
    walked = walk(root)
    return walked.files, walked.warnings


def file(path: Path) -> FoundFile:
    return FoundFile(path.name, path, 0)


def test_files_are_found_in_order_of_their_path(tmp_path: Path) -> None:
    tree(
        tmp_path,
        "b.md",
        "a/z.MD",
        "a/b/c.txt",
        "a.markdown",
        "x.py",
        "é.md",
        "two words.md",
        "😀.md",
        ".h.md",
    )
    found, warnings = found_in(tmp_path)
    assert [item.path for item in found] == sorted(
        [".h.md", "a.markdown", "a/b/c.txt", "a/z.MD", "b.md", "two words.md", "é.md", "😀.md"]
    )
    assert found[1] == FoundFile("a.markdown", tmp_path.resolve() / "a.markdown", 4)
    assert warnings == []


def test_hidden_folders_are_not_entered(tmp_path: Path) -> None:
    assert paths(tree(tmp_path, ".git/a.md", ".venv/lib/b.md", "c/.cache/d.md", ".e.md/f.md", "c/g.md")) == ["c/g.md"]


@pytest.mark.parametrize(
    ("rules", "left"),
    [
        ({"here": "b.md"}, ["a.md", "d/a.md", "e/a.md"]),
        ({"here": "/b.md\r\n"}, ["a.md", "d/a.md", "d/b.md", "e/a.md", "e/b.md"]),
        ({"here": "d/"}, ["a.md", "b.md", "e/a.md", "e/b.md"]),
        ({"here": "*.md\n!a.md"}, ["a.md", "d/a.md", "e/a.md"]),
        ({"here": "d/\n!d/a.md"}, ["a.md", "b.md", "e/a.md", "e/b.md"]),
        ({"here": "d/*\n!d/a.md"}, ["a.md", "b.md", "d/a.md", "e/a.md", "e/b.md"]),
        ({"here": "d/**\n!d/a.md"}, ["a.md", "b.md", "d/a.md", "e/a.md", "e/b.md"]),
        ({"here": "d/**/"}, ["a.md", "b.md", "d/a.md", "d/b.md", "e/a.md", "e/b.md"]),
        ({"here": "*\n!*/"}, []),
        ({"here": "/*\n!/e"}, ["e/a.md", "e/b.md"]),
        ({"here": "# a.md\n\n  \n[[]x].md"}, ["a.md", "b.md", "d/a.md", "d/b.md", "e/a.md", "e/b.md"]),
        ({"here": "b.md", "d": "!b.md"}, ["a.md", "d/a.md", "d/b.md", "e/a.md"]),
        ({"here": "b.md", "d": "*\n"}, ["a.md", "e/a.md"]),
        ({"here": "\ufeffb.md"}, ["a.md", "d/a.md", "e/a.md"]),
    ],
)
def test_gitignore_is_respected_at_every_level(tmp_path: Path, rules: dict[str, str], left: list[str]) -> None:
    tree(tmp_path, "a.md", "b.md", "d/a.md", "d/b.md", "e/a.md", "e/b.md", **rules)
    found, warnings = found_in(tmp_path)
    assert [item.path for item in found] == left
    assert warnings == []


def test_a_pattern_that_readmits_a_folder_does_not_readmit_what_other_rules_exclude_in_it(tmp_path: Path) -> None:
    tree(tmp_path, "d/e/a.md", "d/e/b.md", here="b.md", d="!e/")
    assert paths(tmp_path) == ["d/e/a.md"]


def test_an_invalid_pattern_is_named_and_the_others_count(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "b.md", here="[z-a]\n!\na.md\n")
    found, warnings = found_in(tmp_path)
    assert [item.path for item in found] == ["b.md"]
    assert warnings == [f"{tmp_path.resolve()}/.gitignore, line {line}: not a pattern, passed over" for line in (1, 2)]


def test_rules_of_the_repository_above_the_root_count(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "docs/a.md", "docs/b.md", "docs/out/c.md", here="b.md\n/docs/out/\ndocs/\n")
    assert paths(tmp_path / "docs") == ["a.md"]


def test_rules_above_the_root_do_not_count_outside_a_repository(tmp_path: Path) -> None:
    tree(tmp_path, "docs/a.md", here="a.md")
    assert paths(tmp_path / "docs") == ["a.md"]


def test_symbolic_links_are_never_followed(tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", "secret.md")
    root = tree(tmp_path / "root", "a/b.md", "c.py")
    (root / "loop").symlink_to(root, target_is_directory=True)
    (root / "away").symlink_to(outside, target_is_directory=True)
    (root / "secret.md").symlink_to(outside / "secret.md")
    (root / "gone.md").symlink_to(root / "nothing")
    (root / "code.py").symlink_to(root / "c.py")
    (root / ".gitignore").symlink_to(outside / "secret.md")
    found, warnings = found_in(root)
    assert [item.path for item in found] == ["a/b.md"]
    assert warnings == [f"{name}: a symbolic link; left out" for name in ("away", "gone.md", "loop", "secret.md")]


def test_large_binary_and_irregular_files_are_left_out_with_the_reason(tmp_path: Path) -> None:
    for name, size in {"big.md": 50_000_000, "big.jsonl": 64_000_001, "edges.csv": 64_000_001}.items():
        with (tmp_path / name).open("wb") as opened:
            opened.truncate(size)
    (tmp_path / "fits.md").write_bytes(b"x" * 5_000_000)
    (tmp_path / "binary.md").write_bytes(b"a\0b")
    (tmp_path / "wide.txt").write_bytes("wide".encode("utf-16"))
    os.mkfifo(tmp_path / "pipe.md")
    found, warnings = found_in(tmp_path)
    assert [item.path for item in found] == ["fits.md", "wide.txt"]
    assert warnings == [
        "big.md: 50000000 bytes, more than 5000000; left out",
        "binary.md: a NUL in the first 8192 bytes: not a text file; left out",
        "edges.csv: 64000001 bytes, more than 64000000; left out",
        "pipe.md: not a regular file; left out",
    ]


def test_a_name_that_is_not_utf_8_is_left_out_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("text")
    tree(tmp_path, "a.md")
    found, warnings = found_in(tmp_path)
    assert [item.path for item in found] == ["a.md"]
    assert warnings == ["'caf\\udce9.md': a name that is not UTF-8; left out"]


def test_a_name_with_a_control_character_is_left_out_with_the_reason(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "line\nbreak.md", "esc\x1b[31m/b.md")
    found, warnings = found_in(tmp_path)
    assert [item.path for item in found] == ["a.md"]
    assert warnings == [
        "'esc\\x1b[31m': a name with a control character; left out",
        "'line\\nbreak.md': a name with a control character; left out",
    ]


def test_what_the_system_refuses_is_left_out_with_the_reason(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    name = "d" * 200
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(25):  # a path of more than 4096 bytes cannot be opened
        os.mkdir(name, dir_fd=folder)
        inner = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    found, warnings = found_in(tmp_path)
    assert [item.path for item in found] == ["a.md"]
    assert len(warnings) == 1
    assert warnings[0].endswith("File name too long; left out")


def test_a_root_that_is_a_file_is_taken_whatever_its_suffix(tmp_path: Path) -> None:
    tree(tmp_path, "notes.rst", "other.md", here="notes.rst")
    root = tmp_path.resolve()
    assert found_in(root / "notes.rst") == ([FoundFile("notes.rst", root / "notes.rst", 4)], [])
    (root / "binary").write_bytes(b"\0")
    walked = walk(root / "binary")
    assert walked.refused == [("binary", "a NUL in the first 8192 bytes: not a text file")]
    assert (walked.files, walked.warnings) == ([], [])


def test_a_root_that_is_a_symbolic_link_is_what_it_points_at(tmp_path: Path) -> None:
    tree(tmp_path / "root", "a.md")
    (tmp_path / "link").symlink_to(tmp_path / "root", target_is_directory=True)
    assert paths(tmp_path / "link") == ["a.md"]


@pytest.mark.parametrize("name", ["missing", "loop", "pipe", "nul\0"])
def test_a_root_that_is_no_folder_or_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="cannot ingest") as refused:
        walk(tmp_path / name)
    assert refused.value.field == "path"


@pytest.mark.parametrize(
    "data",
    [
        "é😀\r\n".encode(),
        codecs.BOM_UTF8 + "é😀\r\n".encode(),
        codecs.BOM_UTF16_LE + "é😀\r\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "é😀\r\n".encode("utf-16-be"),
        codecs.BOM_UTF32_LE + "é😀\r\n".encode("utf-32-le"),
    ],
)
def test_text_is_read_as_its_mark_says(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert read_text(file(tmp_path / "a.md")) == ("é😀\r\n", [])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"caf\xe9 au lait", "byte 3 (0xe9) is not UTF-8; save the file as UTF-8"),
        (codecs.BOM_UTF8 + b"a\xff", "byte 4 (0xff) is not UTF-8; save the file as UTF-8"),
        (codecs.BOM_UTF16_LE + b"a\0b", "byte 4 (0x62) is not UTF-16-LE; save the file as UTF-8"),
        (b"\xed\xa0\x80", "byte 0 (0xed) is not UTF-8; save the file as UTF-8"),
        ("é".encode() + b"\0", "byte 2 is NUL; not a text file"),
    ],
)
def test_a_file_with_a_byte_that_is_no_text_is_refused_with_its_place(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert read_text(file(tmp_path / "a.md")) == ("", [reason])


def test_a_file_that_went_away_is_refused_with_the_reason(tmp_path: Path) -> None:
    assert read_text(file(tmp_path / "gone.md")) == ("", ["No such file or directory"])
