"""Which files of a folder are ingested, and their text. The only part of the room that reads the disk."""

from __future__ import annotations

import codecs
import os
import re
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from graphmem.errors import InvalidInput
from graphmem.ingest.links import NOTE_SUFFIXES
from graphmem.values import has_control

MAX_BYTES = 5_000_000
MAX_TABLE_BYTES = 64_000_000
TABLE_SUFFIXES = (".csv", ".jsonl", ".ndjson")
_TABLE = re.compile(r"(?:.+\.)?(?:nodes|edges|graph)\.(?:csv|jsonl|ndjson)", re.IGNORECASE)
_HEAD_BYTES = 8192
_MARKS = (  # in this order: UTF-32's little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (b"", "utf-8"),
)


@dataclass(frozen=True)
class FoundFile:
    """`path` is relative to the root that was walked, with `/`; `size` is in bytes."""

    path: str
    absolute: Path
    size: int


@dataclass
class Walked:
    """The files under `root`, sorted by path, and a line for each that was left out and why.

    `is_folder`: `root` was asked for; else a file in it. `refused`: path and reason of that, where it can't be taken.
    """

    root: Path
    is_folder: bool
    files: list[FoundFile] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    passed: set[str] = field(default_factory=set)

    def left_out(self, path: str) -> bool:
        """Whether there is something at the path that was left out, or it lies in a folder that was."""
        place = PurePosixPath(path)
        return any(str(one) in self.passed for one in (place, *place.parents))


def walk(root: Path) -> Walked:
    """The text files and tables under `root`.

    A table is taken when it is named `nodes`, `edges` or `graph`, alone or behind a dot (`team.nodes.csv`): other CSV
    files are somebody's data. Not mentioned: other suffixes, hidden folders, and what `.gitignore` files exclude, those
    of a repository that `root` lies in included. Symbolic links are not followed: what they lead to inside the root is
    found in its own place. A `root` that is a file is taken alone, whatever its suffix and ignored or not.
    Raises InvalidInput when there is nothing at `root`, or neither a folder nor a regular file.
    """
    try:
        place = root.resolve(strict=True)
        mode = place.stat().st_mode
    except (OSError, RuntimeError, ValueError) as error:
        raise InvalidInput(f"cannot ingest {root}: {_reason(error)}", field="path") from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InvalidInput(f"cannot ingest {root}: neither a folder nor a regular file", field="path")
    folder = stat.S_ISDIR(mode)
    walked = Walked(place if folder else place.parent, folder)
    walker = _Walker(walked)
    if folder:
        walker.walk()
    else:
        with walker.noting(place.name):
            walker.take(place.name)
    walked.files.sort(key=lambda file: file.path)
    return walked


def read_text(file: FoundFile) -> tuple[str, list[str]]:
    """The file's text, or an empty text and the reason: it cannot be read, or holds a byte that is no text.

    UTF-8, or what a byte order mark says (UTF-16, UTF-32). No byte is ever replaced.
    """
    try:
        data = _bytes(file)
    except OSError as error:
        return "", [_reason(error)]
    if data is None:
        return "", ["changed while it was read; ingest it again"]
    mark, encoding = next(pair for pair in _MARKS if data.startswith(pair[0]))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        at = len(mark) + error.start
        return "", [f"byte {at} (0x{data[at]:02x}) is not {encoding.upper()}; save the file as UTF-8"]
    if "\0" in text:
        at = len(mark) + len(text[: text.index("\0")].encode(encoding))
        return "", [f"byte {at} is NUL; not a text file"]
    return text, []


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _bytes(file: FoundFile) -> bytes | None:
    """None where it is not the file any more that was found, or was written to meanwhile."""
    # What was a file when it was found may be a link or a pipe by now: not followed, and not waited for.
    with open(file.absolute, "rb", opener=_open) as opened:
        before = os.fstat(opened.fileno())
        if not stat.S_ISREG(before.st_mode) or before.st_size > _most(file.path):
            return None
        data = opened.read(before.st_size + 1)
        after = os.fstat(opened.fileno())
    same = (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size)
    return data if same and len(data) == before.st_size else None


def _most(path: str) -> int:
    return MAX_TABLE_BYTES if path.lower().endswith(TABLE_SUFFIXES) else MAX_BYTES


@dataclass(frozen=True)
class _Rules:
    """One `.gitignore`; `folder` is where it lies, absolute, with `/`."""

    folder: str
    patterns: tuple[GitIgnoreSpecPattern, ...]

    def excludes(self, path: str) -> bool | None:
        """What the last pattern says that names this very path (absolute; a folder's ends in `/`); None: none does.

        The library's patterns also match all that lies in a folder they name, and `a/**` the folder `a` itself. Here
        each folder is asked about before what is in it, so a match counts only where it ends with the path or, with
        no folder's mark in it, before.
        """
        inside = path[len(self.folder.rstrip("/")) + 1 :].encode(errors="surrogateescape").decode("latin-1")
        for pattern in reversed(self.patterns):
            for found in pattern.regex.finditer(inside) if pattern.regex else ():
                at_end = found.end() == len(inside)
                if at_end if found.lastindex else not (at_end and inside.endswith("/")):
                    return pattern.include
        return None


class _Walker:
    def __init__(self, walked: Walked) -> None:
        self.root = walked.root
        self._walked = walked
        self._pending: list[tuple[str, tuple[_Rules, ...]]] = []

    def walk(self) -> None:
        """Takes each folder once, with the rules of those above it; keeps no stack of calls."""
        self._pending = [("", self._rules_above())]
        while self._pending:
            path, rules = self._pending.pop()
            with self.noting(path):
                self._folder(path, rules)

    @contextmanager
    def noting(self, path: str) -> Iterator[None]:
        """What the system refuses is left out, with a line."""
        try:
            yield
        except OSError as error:
            self._leave_out(path, _reason(error))

    def take(self, path: str) -> None:
        """The file at `path`, unless it is too large or no text."""
        absolute = self.root / path
        status = absolute.lstat()
        if reason := bad_name(path):
            self._leave_out(path, reason)
        elif not stat.S_ISREG(status.st_mode):
            self._leave_out(path, "not a regular file")
        elif status.st_size > _most(path):
            self._leave_out(path, f"{status.st_size} bytes, more than {_most(path)}")
        elif _is_binary(absolute):
            self._leave_out(path, f"a NUL in the first {_HEAD_BYTES} bytes: not a text file")
        else:
            self._walked.files.append(FoundFile(path, absolute, status.st_size))

    def _folder(self, path: str, rules: tuple[_Rules, ...]) -> None:
        with os.scandir(self.root / path) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        if any(entry.name == ".gitignore" and entry.is_file(follow_symlinks=False) for entry in entries):
            with self.noting(f"{path}.gitignore"):
                rules += (self._rules(self.root / path / ".gitignore"),)
        for entry in entries:
            with self.noting(path + entry.name):
                self._entry(path + entry.name, entry, rules)

    def _entry(self, path: str, entry: os.DirEntry[str], rules: tuple[_Rules, ...]) -> None:
        is_folder = entry.is_dir(follow_symlinks=False)
        is_note = entry.name.lower().endswith(NOTE_SUFFIXES) or bool(_TABLE.fullmatch(entry.name))
        if entry.name.startswith(".") and (is_folder or not is_note):
            return
        if not (is_folder or is_note or entry.is_symlink()):
            return
        if _excluded(f"{self.root.as_posix().rstrip('/')}/{path}{'/' if is_folder else ''}", rules):
            return
        if entry.is_symlink():
            if is_note or entry.is_dir():
                self._leave_out(path, "a symbolic link")
        elif is_folder and (reason := bad_name(path)):
            self._leave_out(path, reason)
        elif is_folder:
            self._pending.append((f"{path}/", rules))
        else:
            self.take(path)

    def _rules_above(self) -> tuple[_Rules, ...]:
        """The rules from the root of the repository down to the folder above the walked one."""
        folders = [self.root, *self.root.parents]
        top = next((at for at, folder in enumerate(folders) if (folder / ".git").exists()), 0)
        files = [folder / ".gitignore" for folder in folders[top:0:-1]]
        return tuple(self._rules(file) for file in files if file.is_file() and not file.is_symlink())

    def _rules(self, file: Path) -> _Rules:
        """Reads bytes as characters, as git matches them: a `?` stands for one byte."""
        patterns = []
        for number, raw in enumerate(file.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
            line = raw.decode("latin-1").removesuffix("\r")
            if line.endswith("/**/"):  # the folders inside, which the library takes for the folder itself
                line += "*/"
            try:
                with warnings.catch_warnings(action="ignore", category=FutureWarning):  # `[[]` in a pattern
                    patterns.append(GitIgnoreSpecPattern(line))
            except (ValueError, re.error):
                self._walked.warnings.append(f"{_shown(str(file))}, line {number}: not a pattern, passed over")
        return _Rules(file.parent.as_posix(), tuple(patterns))

    def _leave_out(self, path: str, reason: str) -> None:
        self._walked.passed.add(path.rstrip("/") or ".")
        if self._walked.is_folder:
            self._walked.warnings.append(f"{_shown(path) or '.'}: {reason}; left out")
        else:
            self._walked.refused.append((path, reason))


def _excluded(path: str, rules: tuple[_Rules, ...]) -> bool:
    """As git decides: the deepest file with a pattern that matches has the word."""
    answers = (rule.excludes(path) for rule in reversed(rules))
    return next((answer for answer in answers if answer is not None), False)


def _is_binary(file: Path) -> bool:
    with open(file, "rb", opener=_open) as opened:
        head = opened.read(_HEAD_BYTES)
    return b"\0" in head and not any(head.startswith(mark) for mark, _ in _MARKS[:4])


def bad_name(path: str) -> str | None:
    """Why a file of that name can't be a document."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return "a name that is not UTF-8"
    return "a name with a control character" if has_control(path) else None


def _shown(path: str) -> str:
    return path if path.isprintable() else repr(path)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
