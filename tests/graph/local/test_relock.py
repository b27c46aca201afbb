"""The maintainers' tool: a root and what it needs at run time, with true checksums."""

from __future__ import annotations

from graphmem.graph.local.relock import relock

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>{name}</artifactId>
<version>1.0</version><dependencies>{needs}</dependencies></project>"""
NEED = "<dependency><groupId>org.example</groupId><artifactId>{}</artifactId><version>1.0</version>{}</dependency>"


def test_a_lock_has_the_root_and_its_run_time_needs_but_no_test_library(mirror) -> None:
    expected = [mirror.add(f"org.example:{name}:1.0", name.encode()) for name in ("leaf", "middle", "root")]
    mirror.add("org.example:testing:1.0", b"testing")
    needs = {
        "root": NEED.format("middle", "") + NEED.format("testing", "<scope>test</scope>"),
        "middle": NEED.format("leaf", "<classifier/>"),
        "leaf": "",
        "testing": "",
    }
    for name, listed in needs.items():
        pom = POM.format(name=name, needs=listed).encode()
        mirror.files[f"/maven2/org/example/{name}/1.0/{name}-1.0.pom"] = pom
    assert relock(["org.example:root:1.0"]) == expected
