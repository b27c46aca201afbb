"""The text of an API key: `gm_<id>_<secret><checksum>`.

The id finds the key in the graph, the secret proves it, the checksum tells a mistyped or made-up key from a real one
without a look-up. It is no secret: anyone can compute it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import string
import zlib
from dataclasses import dataclass, field

_SECRET = string.ascii_letters + string.digits
_SECRET_LENGTH = 43
"""Characters of 62 kinds: 256 bits."""

_KEY = re.compile(r"gm_(?P<id>[a-z2-7]{16})_(?P<secret>[A-Za-z0-9]{43})(?P<checksum>[0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class KeyText:
    id: str
    secret: str = field(repr=False)

    @property
    def text(self) -> str:
        body = f"gm_{self.id}_{self.secret}"
        return body + _checksum(body)

    @property
    def hash(self) -> str:
        """SHA-256 of the secret, in hex. A slow hash guards guessable passwords; nobody guesses 256 random bits."""
        return hashlib.sha256(self.secret.encode()).hexdigest()


def new_key_text(key_id: str | None = None) -> KeyText:
    secret = "".join(secrets.choice(_SECRET) for _ in range(_SECRET_LENGTH))
    return KeyText(key_id or _id(secrets.token_bytes(10)), secret)


def first_key_id(tenant: str) -> str:
    """The id of a tenant's first key: always the same, so that the constraint on key ids lets only one be made."""
    return _id(hashlib.sha256(f"first key of {tenant}".encode()).digest()[:10])


def parse_key_text(text: str) -> KeyText | None:
    """None for anything that cannot be a key of ours."""
    match = _KEY.fullmatch(text)
    if match is None or _checksum(text[:-8]) != match["checksum"]:
        return None
    return KeyText(match["id"], match["secret"])


def _id(ten_bytes: bytes) -> str:
    return base64.b32encode(ten_bytes).decode().lower()


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode()):08x}"
