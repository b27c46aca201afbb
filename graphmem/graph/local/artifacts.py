"""The jars: what the committed lock names, downloaded once, checked on every start.

A lock line is `group:artifact:version[:classifier] sha256:<hex> <bytes>`. Downloads go to a staging folder and
are moved into place only when their checksum is right, so a killed download is never used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import httpx
from filelock import FileLock, Timeout

from graphmem.errors import ServerError
from graphmem.graph.local.model import Progress

NEO4J_VERSION = "2026.08.1"
BROWSER_VERSION = "5.24.0"
SPARE_BYTES = 64 * 2**20
"""Disk space that must be left over after a download."""
LOCK_SECONDS = 900.0
"""How long another process's download is waited for."""
THREADS = 16
SILENT_SECONDS = 30.0
"""A connection on which nothing comes for so long is given up."""


@dataclass(frozen=True)
class Artifact:
    """One line of a lock."""

    coordinate: str
    sha256: str
    size: int

    @property
    def line(self) -> str:
        return f"{self.coordinate} sha256:{self.sha256} {self.size}"

    def path(self, repository: Path) -> Path:
        """Where a repository in Maven's layout keeps it."""
        group, name, version, *classifier = self.coordinate.split(":")
        file = "-".join([name, version, *classifier]) + ".jar"
        return repository.joinpath(*group.split("."), name, version, file)

    def is_intact(self, path: Path) -> bool:
        """Whether `path` holds exactly what the lock names."""
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_size != self.size:
                    return False
                return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256
        except (FileNotFoundError, NotADirectoryError):
            return False


def neo4j_lock() -> Path:
    return Path(__file__).with_name(f"neo4j-{NEO4J_VERSION}.lock")


def browser_lock() -> Path:
    return Path(__file__).with_name(f"neo4j-browser-{BROWSER_VERSION}.lock")


def read_lock(path: Path) -> list[Artifact]:
    """The artifacts of a lock file, in its (sorted) order.

    Raises:
        ServerError: a line is malformed.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        parts = line.split()
        if len(parts) != 3 or not parts[1].startswith("sha256:") or not parts[2].isdecimal():
            raise ServerError(f"{path}:{number}: expected `coordinate sha256:<hex> <bytes>`; reinstall graphmem")
        found.append(Artifact(parts[0], parts[1].removeprefix("sha256:"), int(parts[2])))
    return found


def fetch(artifacts: Sequence[Artifact], cache: Path, progress: Progress, what: str) -> list[Path]:
    """Paths of all `artifacts`, in their order; what is missing or altered in the cache is downloaded.

    Raises:
        ServerError: no network, no disk space, or an artifact that is not what the lock names.
    """
    repository = cache / "m2"
    if missing := _missing(artifacts, repository):
        _make(cache)
        try:
            with FileLock(cache / "download.lock", timeout=LOCK_SECONDS):
                # another process may have downloaded them while this one waited
                _download(_missing(missing, repository), cache, progress, what)
        except Timeout as late:
            raise ServerError(
                f"another process has been downloading to {cache} for {LOCK_SECONDS:.0f} s; wait for it or end it"
            ) from late
    return [artifact.path(repository) for artifact in artifacts]


def _missing(artifacts: Sequence[Artifact], repository: Path) -> list[Artifact]:
    with ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1)) as pool:
        intact = pool.map(lambda artifact: artifact.is_intact(artifact.path(repository)), artifacts)
        return [artifact for artifact, good in zip(artifacts, intact, strict=True) if not good]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ServerError(f"cannot make the folder {folder} ({error}); set GRAPHMEM_CACHE to another") from error


def _download(missing: Sequence[Artifact], cache: Path, progress: Progress, what: str) -> None:
    """Only called by the holder of the download lock, so the staging folder is its own."""
    total = sum(artifact.size for artifact in missing)
    if (free := shutil.disk_usage(cache).free) < total + SPARE_BYTES:
        raise ServerError(
            f"{what} needs {(total + SPARE_BYTES) >> 20} MiB in {cache}, {free >> 20} MiB are free; "
            "free some space or set GRAPHMEM_CACHE to a folder on another disk"
        )
    staging = cache / "m2.partial"
    shutil.rmtree(staging, ignore_errors=True)
    # the largest first, so that none is left alone at the end
    order = sorted(missing, key=lambda artifact: -artifact.size)
    pool = ThreadPoolExecutor(THREADS)
    limits = httpx.Limits(max_connections=THREADS, max_keepalive_connections=THREADS)
    try:
        with httpx.Client(timeout=SILENT_SECONDS, follow_redirects=True, limits=limits) as client:
            url, repository = repository_url(), cache / "m2"
            running = {pool.submit(_download_one, each, client, url, staging, repository): each for each in order}
            done = 0
            progress(what, done, total)
            try:
                for future in as_completed(running):
                    future.result()
                    done += running[future].size
                    progress(what, done, total)
            finally:
                pool.shutdown(cancel_futures=True)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def repository_url() -> str:
    """The mirror named by MAVEN_REPO_URL, or Maven Central as jgo knows it."""
    if mirror := os.environ.get("MAVEN_REPO_URL"):
        return mirror.rstrip("/")
    from jgo.constants import MAVEN_CENTRAL_URL

    return str(MAVEN_CENTRAL_URL)


def _download_one(artifact: Artifact, client: httpx.Client, url: str, staging: Path, repository: Path) -> None:
    staged, target = artifact.path(staging), artifact.path(repository)
    failure: Exception | None = None
    for _ in range(2):
        failure = None
        try:
            _stream(f"{url}/{artifact.path(Path()).as_posix()}", client, staged)
        except (httpx.HTTPError, OSError) as error:
            failure = error
            continue
        if artifact.is_intact(staged):
            target.parent.mkdir(parents=True, exist_ok=True)
            staged.replace(target)
            return
    reason = "what came is not what the lock file names"
    if failure:
        reason = f"{type(failure).__name__}: {failure}".splitlines()[0]
    raise ServerError(
        f"could not download {artifact.coordinate} from {url}, tried twice: {reason}; check the network "
        "and the disk, or set MAVEN_REPO_URL to a mirror of Maven Central"
    ) from failure


def _stream(url: str, client: httpx.Client, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with client.stream("GET", url) as response, target.open("wb") as file:
        response.raise_for_status()
        for piece in response.iter_bytes():
            file.write(piece)
