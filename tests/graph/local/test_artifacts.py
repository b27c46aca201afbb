"""Downloads: only what the lock names is ever used."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graphmem.errors import ServerError
from graphmem.graph.local.artifacts import Artifact, browser_lock, fetch, neo4j_lock, read_lock
from graphmem.graph.local.model import silent

ONE, TWO = "org.example:one:1.0", "org.example.deep:two:2.0:linux-x86_64"


@pytest.fixture
def pair(mirror) -> list[Artifact]:
    return [mirror.add(ONE, b"one" * 50_000), mirror.add(TWO, b"two" * 30_000)]


def _fetch(artifacts: list[Artifact], cache: Path) -> list[Path]:
    return fetch(artifacts, cache, silent, "Downloading")


def _contents(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.jar"))


def test_committed_locks_name_every_jar_once() -> None:
    neo4j, browser = read_lock(neo4j_lock()), read_lock(browser_lock())
    assert len(neo4j) == 225
    assert [each.coordinate for each in browser] == ["org.neo4j.client:neo4j-browser:5.24.0"]
    paths = [each.path(Path()) for each in (*neo4j, *browser)]
    assert len(set(paths)) == len(paths) == len({path.name for path in paths})
    assert [each.line for each in neo4j] == neo4j_lock().read_text().splitlines()
    assert {len(each.sha256) for each in (*neo4j, *browser)} == {64}


def test_a_malformed_lock_names_file_and_line(tmp_path: Path) -> None:
    lock = tmp_path / "x.lock"
    lock.write_text(f"{ONE} sha256:00 3\n{TWO} md5:00 3\n")
    with pytest.raises(ServerError, match=r"x\.lock:2"):
        read_lock(lock)


def test_artifacts_are_downloaded_once_in_the_locks_order(mirror, pair, tmp_path: Path) -> None:
    paths = _fetch(pair, tmp_path)
    assert [path.read_bytes() for path in paths] == [b"one" * 50_000, b"two" * 30_000]
    asked = dict(mirror.asked)
    assert _fetch(pair, tmp_path) == paths
    assert dict(mirror.asked) == asked


def test_progress_counts_bytes_up_to_what_is_missing(pair, tmp_path: Path) -> None:
    _fetch(pair[:1], tmp_path)
    told: list[tuple[str, int, int]] = []
    fetch(pair, tmp_path, lambda *step: told.append(step), "Downloading it")
    assert told == [("Downloading it", 0, 90_000), ("Downloading it", 90_000, 90_000)]


def test_an_altered_artifact_is_refused_by_name_after_a_second_try(mirror, pair, tmp_path: Path) -> None:
    mirror.faults[mirror.path(pair[1])] = lambda _, true: b"bad" + true[3:]
    with pytest.raises(
        ServerError, match=f"{TWO} from {mirror.url}, tried twice: what came is not what the lock file names"
    ):
        _fetch(pair, tmp_path)
    assert mirror.asked[mirror.path(pair[1])] == 2
    assert TWO.split(":")[1] not in "".join(_contents(tmp_path))


@pytest.mark.parametrize("first", [lambda true: true[:1000], lambda true: b"x" * len(true), lambda _: None])
def test_one_bad_answer_is_made_good_by_a_second_try(mirror, pair, tmp_path: Path, first) -> None:
    mirror.faults[mirror.path(pair[0])] = lambda number, true: first(true) if number == 1 else true
    assert _fetch(pair, tmp_path)[0].read_bytes() == b"one" * 50_000
    assert mirror.asked[mirror.path(pair[0])] == 2


def test_a_connection_cut_every_time_is_an_error_and_leaves_nothing_to_use(mirror, pair, tmp_path: Path) -> None:
    mirror.faults[mirror.path(pair[0])] = lambda _number, _true: None
    with pytest.raises(ServerError, match=f"could not download {ONE}"):
        _fetch(pair, tmp_path)
    assert not [name for name in _contents(tmp_path) if name.startswith("one")]
    del mirror.faults[mirror.path(pair[0])]
    assert _fetch(pair, tmp_path)[0].read_bytes() == b"one" * 50_000


@pytest.mark.parametrize("damage", [b"", b"one" * 100, b"two" * 50_000])
def test_a_damaged_jar_in_the_cache_is_downloaded_again(pair, tmp_path: Path, damage: bytes) -> None:
    path = _fetch(pair, tmp_path)[0]
    path.write_bytes(damage)
    assert _fetch(pair, tmp_path)[0].read_bytes() == b"one" * 50_000


def test_what_a_killed_download_left_is_not_used(mirror, pair, tmp_path: Path) -> None:
    staged = pair[0].path(tmp_path / "m2.partial")
    staged.parent.mkdir(parents=True)
    staged.write_bytes(b"one" * 10)
    assert _fetch(pair, tmp_path)[0].read_bytes() == b"one" * 50_000
    assert not (tmp_path / "m2.partial").exists()


def test_a_download_killed_half_way_is_begun_again(mirror, pair, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from graphmem.graph.local.artifacts import *\n"
        "from graphmem.graph.local.model import silent\n"
        "fetch(read_lock(Path(sys.argv[1])), Path(sys.argv[2]), silent, '')"
    )
    lock, cache = tmp_path / "lock", tmp_path / "cache"
    lock.write_text(f"{pair[0].line}\n{pair[1].line}\n")
    with subprocess.Popen([sys.executable, "-c", script, str(lock), str(cache)]) as child:
        # the answer to its first request is the end of it
        mirror.faults[mirror.path(pair[0])] = lambda _, true: child.kill() or true
        child.wait(60)
    assert mirror.asked[mirror.path(pair[0])] == 1
    del mirror.faults[mirror.path(pair[0])]
    assert [path.stat().st_size for path in _fetch(pair, cache)] == [150_000, 90_000]


def test_two_at_once_download_each_artifact_once(mirror, pair, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: _fetch(pair, tmp_path), range(4)))
    assert found[0] == found[1] == found[2] == found[3]
    assert [mirror.asked[mirror.path(each)] for each in pair] == [1, 1]


def test_an_artifact_the_mirror_lacks_is_named(mirror, pair, tmp_path: Path) -> None:
    del mirror.files[mirror.path(pair[0])]
    with pytest.raises(ServerError, match=f"could not download {ONE}.*set MAVEN_REPO_URL"):
        _fetch(pair, tmp_path)


def test_no_network_is_an_error_that_says_where_it_went(pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:  # bound, but nobody listens
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        monkeypatch.setenv("MAVEN_REPO_URL", url)
        with pytest.raises(ServerError, match=f"from {url}, tried twice: ConnectError.*check the network"):
            _fetch(pair, tmp_path)


def test_too_little_disk_space_is_told_before_anything_is_asked(mirror, tmp_path: Path) -> None:
    huge = Artifact(ONE, "0" * 64, shutil.disk_usage(tmp_path).free)
    with pytest.raises(ServerError, match=r"needs \d+ MiB in .*GRAPHMEM_CACHE"):
        _fetch([huge], tmp_path)
    assert not mirror.asked


def test_a_cache_that_cannot_be_made_is_an_error(pair, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="GRAPHMEM_CACHE"):
        _fetch(pair, tmp_path / "file" / "cache")
