"""For maintainers: writes the lock of another version, `python -m graphmem.graph.local.relock GROUP:NAME:VERSION ...`.

The roots of Neo4j are `org.neo4j:neo4j:V` and `org.neo4j.app:neo4j-server:V`, which resolve to what Maven would
put on the run-time class path. Only this needs jgo; the locks are downloaded without it, 35 times faster.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.graph.local.artifacts import Artifact, repository_url

if TYPE_CHECKING:
    from jgo.maven import Artifact as Found


def relock(roots: Sequence[str]) -> list[Artifact]:
    """What `roots` need at run time, sorted; downloads all of it (a minute or two for Neo4j)."""
    from jgo.maven import Dependency, MavenContext, PythonResolver

    with tempfile.TemporaryDirectory() as folder:
        context = MavenContext(
            repo_cache=Path(folder), remote_repos={"central": repository_url()}, resolver=PythonResolver(), timeout=30
        )
        parts = (root.split(":") for root in roots)
        # raw: as BOMs the roots would drag in their test libraries and other versions
        wanted = [
            Dependency(context.project(group, name).at_version(version).artifact(), raw=True)
            for group, name, version in parts
        ]
        given, needed = context.resolver.resolve(wanted)
        return sorted((_entry(each.artifact) for each in (*given, *needed)), key=lambda entry: entry.coordinate)


def _entry(found: Found) -> Artifact:
    content = found.resolve().read_bytes()
    parts = [found.groupId, found.artifactId, found.version, *([found.classifier] if found.classifier else [])]
    return Artifact(":".join(parts), hashlib.sha256(content).hexdigest(), len(content))


if __name__ == "__main__":
    sys.stdout.writelines(f"{entry.line}\n" for entry in relock(sys.argv[1:]))
