"""Neo4j Browser with our style and guide put into its jar, so that the server itself serves them."""

from __future__ import annotations

import hashlib
import html
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

from graphmem.graph.local.conf import GUIDE_FILE, STYLE_FILE
from graphmem.graph.local.home import Ports
from graphmem.graph.statements import cypher_folder

FAVOURITES = "<!-- favourites -->"
"""Stands in guide.html where the statements of `cypher/browser/` go."""


def repack(jar: Path, cache: Path) -> Path:
    """A copy of the Browser's `jar` with our files, in `cache`; made once for each version of either."""
    added = {f"browser/{STYLE_FILE}": style(), f"browser/{GUIDE_FILE}": guide()}
    key = hashlib.sha256("\0".join([jar.name, *added.values()]).encode()).hexdigest()[:12]
    target = cache / "browser" / f"{jar.stem}-graphmem-{key}.jar"
    if target.is_file():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".partial")
    os.close(handle)
    try:
        shutil.copyfile(jar, temporary)
        with zipfile.ZipFile(temporary, "a", zipfile.ZIP_DEFLATED) as archive:
            for name, text in added.items():
                archive.writestr(name, text)
        Path(temporary).replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)
    return target


def style() -> str:
    return (cypher_folder() / "browser" / STYLE_FILE).read_text(encoding="utf-8")


def guide() -> str:
    """The guide's HTML, with a slide for each favourite statement."""
    frame = (cypher_folder() / "browser" / "guide.html").read_text(encoding="utf-8")
    return frame.replace(FAVOURITES, "\n".join(_slide(title, statement) for title, statement in favourites()))


def favourites() -> Iterator[tuple[str, str]]:
    """Title (the header comment) and whole text of each statement file of `cypher/browser/`."""
    for path in sorted((cypher_folder() / "browser").glob("*.cypher")):
        text = path.read_text(encoding="utf-8").strip()
        header = [line for line in text.splitlines() if line.startswith("// ")]
        yield header[0].removeprefix("// ").rstrip("."), text


def _slide(title: str, statement: str) -> str:
    runnable = f'<pre mode="cypher" class="pre-scrollable programlisting code runnable">{html.escape(statement)}</pre>'
    return f'<slide class="row-fluid"><div class="col-sm-12"><h3>{html.escape(title)}</h3>\n{runnable}</div></slide>'


def url(ports: Ports, query: str | None) -> str | None:
    """Address that opens the Browser on this server, with `query` in its editor; None when it serves no HTTP.

    Style and guide are commands in neo4j.conf, not in the address: with `cmd=play` there, the style isn't applied.
    """
    if ports.http is None:
        return None
    page = f"http://localhost:{ports.http}/browser/"
    command = {} if query is None else {"cmd": "edit", "arg": query}
    where = {"dbms": f"bolt://neo4j@localhost:{ports.bolt}"}
    return f"{page}?{urlencode(where | command, quote_via=quote)}"
