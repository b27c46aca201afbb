"""The ahead-of-time cache is used when it fits, made by one process at a time, and never used half-made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from filelock import FileLock

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph import local
from graphmem.graph.local import aot, java
from graphmem.graph.local.home import Home
from graphmem.graph.local.launcher import Launcher
from graphmem.graph.local.model import silent


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A cache of its own, with the real jars in it."""
    cache = tmp_path / "cache"
    cache.mkdir()
    real = Settings().cache.expanduser().resolve() / "m2"
    real.mkdir(parents=True, exist_ok=True)
    (cache / "m2").symlink_to(real)
    return Settings(home=tmp_path / "home", cache=cache, bolt_port=0, browser=False)


@pytest.fixture(autouse=True)
def memory_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else runs on the machine."""
    monkeypatch.setattr(aot, "FREE_MEMORY", 0)


@pytest.fixture
def launcher(settings: Settings) -> Launcher:
    home = Home.of(settings)
    home.prepare()
    return Launcher.prepare(settings, home, silent)


@pytest.fixture
def file(settings: Settings, launcher: Launcher) -> Path:
    """Where the cache would be; its folder exists."""
    found = aot.location(settings, launcher)
    found.parent.mkdir()
    return found


def test_it_fits_one_java_and_one_class_path(settings: Settings, launcher: Launcher, tmp_path: Path) -> None:
    jar = tmp_path / "extra.jar"
    jar.write_bytes(b"1")
    more = replace(launcher, jars=(*launcher.jars, jar))
    places = [aot.location(settings, each) for each in (launcher, launcher, more)]
    os.utime(jar, ns=(1, 1))
    places.append(aot.location(settings, more))
    places.append(aot.location(settings, replace(launcher, java=replace(launcher.java, version=(25, 0, 9)))))
    assert places[0] == places[1]
    assert len(set(places)) == 4


def test_the_browsers_jar_does_not_need_another_cache(settings: Settings, launcher: Launcher, tmp_path: Path) -> None:
    with_browser = replace(launcher, browser_jar=tmp_path / "browser.jar")
    assert aot.location(settings, with_browser) == aot.location(settings, launcher)
    paths = [each.server()[each.server().index("-cp") + 1] for each in (launcher, with_browser)]
    assert paths[1] == paths[0] + os.pathsep + str(tmp_path / "browser.jar")


def test_it_is_used_only_when_whole_wanted_and_understood(settings: Settings, launcher: Launcher, file: Path) -> None:
    file.with_suffix(".partial").write_bytes(b"half")
    assert aot.flags(settings, launcher) == []
    file.write_bytes(b"whole")
    assert f"-XX:AOTCache={file}" in aot.flags(settings, launcher)
    assert aot.flags(settings.model_copy(update={"fast_start": "off"}), launcher) == []
    assert aot.flags(settings, replace(launcher, java=replace(launcher.java, version=(21, 0, 8)))) == []


def test_a_damaged_cache_is_passed_over_by_java(settings: Settings, launcher: Launcher, file: Path) -> None:
    file.write_bytes(b"no cache at all" * 1000)
    assert launcher.run(launcher.version(aot.flags(settings, launcher)), "version.args", 60) == 0
    assert launcher.run(launcher.version([*aot.using(file), "-XX:AOTMode=on"]), "version.args", 60) != 0


def test_a_second_trainer_leaves_it_to_the_first(settings: Settings, file: Path) -> None:
    told: list[str] = []
    with FileLock(file.with_suffix(".lock")):
        local.train(settings, lambda what, _done, _total: told.append(what))
    assert told == ["Another process is making the start-up cache"]
    assert not file.exists()


def test_a_cache_that_is_there_is_not_made_again(settings: Settings, file: Path) -> None:
    file.write_bytes(b"made before")
    local.train(settings)
    assert file.read_bytes() == b"made before"
    assert not (settings.cache / "training").exists()


def test_failed_training_leaves_nothing_to_use_and_is_not_begun_again_by_itself(
    settings: Settings, launcher: Launcher, file: Path
) -> None:
    file.with_suffix(".partial").write_bytes(b"left by a killed trainer")
    with pytest.raises(ServerError, match="heap"):
        local.train(settings.model_copy(update={"heap_mb": 10**8}))
    assert not file.exists()
    assert not file.with_suffix(".partial").exists()
    assert not (settings.cache / "training").exists()
    assert aot.train_later(settings, launcher) is None
    assert not (file.parent / "training.log").exists()


def test_it_is_lacking_only_where_it_can_be_made_unnoticed(
    settings: Settings, launcher: Launcher, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert aot.lacking(settings, launcher)
    assert not aot.lacking(settings, replace(launcher, java=replace(launcher.java, version=(21, 0, 8))))
    for there in (file, aot.failed(file)):
        there.touch()
        assert not aot.lacking(settings, launcher)
        there.unlink()
    for limit in ("FREE_MEMORY", "NEEDED_BYTES"):
        with monkeypatch.context() as patched:
            patched.setattr(aot, limit, 2**60)
            assert not aot.lacking(settings, launcher)


def test_a_server_is_recorded_only_where_that_is_wanted_and_the_cache_is_lacking(
    settings: Settings, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told by the arguments that a Java is called with which only ends."""
    script = tmp_path / "java"
    script.write_text("#!/bin/sh\nexit 1\n")
    script.chmod(0o700)
    monkeypatch.setattr(java, "find", lambda _: java.Java(script, (25,), compares_fast=False))
    home = Home.of(settings)
    (home.path / "password").write_text("a password")

    def arguments(*, record: bool) -> str:
        with pytest.raises(ServerError, match="ended while starting"):
            local.start(settings.model_copy(update={"fast_start": "use"}), record=record)
        return home.arguments.read_text()

    home.recorded.touch()  # of a server that was killed
    assert f"-XX:AOTConfiguration={home.recorded}" in arguments(record=True)
    assert not home.recorded.exists()
    assert "AOT" not in arguments(record=False)
    aot.location(settings, Launcher.prepare(settings, home, silent)).touch()
    assert "AOTConfiguration" not in arguments(record=True)


@pytest.fixture
def writer(settings: Settings, launcher: Launcher) -> Iterator[psutil.Popen]:
    """Stands for a recorded server that has closed its data and goes on to write."""
    home = launcher.home
    home.conf.write_text("server.bolt.listen_address=127.0.0.1:1\n")
    home.arguments.write_text(f"-XX:AOTConfiguration={home.recorded}")
    says = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('it runs', flush=True); signal.pause()"
    with psutil.Popen([sys.executable, "-c", says, f"@{home.arguments}"], stdout=subprocess.PIPE) as running:
        running.stdout.readline()
        yield running
        with suppress(psutil.NoSuchProcess):
            running.kill()


def test_a_recorded_server_is_left_to_write_only_where_that_is_wanted(settings: Settings, writer: psutil.Popen) -> None:
    assert local.stop(settings, writes=True)
    assert writer.is_running()
    assert local.stop(settings)
    assert not writer.is_running()


def test_who_makes_the_cache_waits_for_the_server_that_writes_and_both_end_with_the_block(
    settings: Settings, launcher: Launcher, writer: psutil.Popen
) -> None:
    launcher.home.recorded.write_bytes(b"half")
    with local.trainer(settings) as wait:
        assert wait is not None
        assert writer.is_running()
    assert not writer.is_running()
    assert not launcher.home.recorded.exists()
    assert not (settings.cache / "training").exists()
    assert list((settings.cache / "aot").glob("*.failed")) == []


def test_training_in_the_background_is_a_process_of_its_own(settings: Settings, launcher: Launcher, file: Path) -> None:
    """With the lock held it has nothing to do but to find that out."""
    with FileLock(file.with_suffix(".lock")):
        trainer = aot.train_later(settings, launcher)
        assert trainer is not None
        assert os.getsid(trainer.pid) == trainer.pid
        trainer.wait(60)
    assert (file.parent / "training.log").read_text() == ""
    assert not file.exists()
