"""Tokens that a server of a partner signs itself. Needs `florin-client[partner]`."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence

LIFETIME = 300
#: A token is replaced this many seconds before its end.
MARGIN = 60


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PartnerTokens:
    """Signs tokens with the partner's key, an Ed25519 key as a JWK with `kid` and `d`. Pass it as `token` of a client; it is called for each request, and signs a token every four minutes."""

    def __init__(
        self,
        key: Mapping[str, str],
        scopes: Sequence[str],
        *,
        audience: str = "events",
        now: Callable[[], float] = time.time,
    ) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._name = key["kid"]
        self._key = Ed25519PrivateKey.from_private_bytes(base64.urlsafe_b64decode(key["d"] + "=="))
        self._scope = " ".join(scopes)
        self._audience = audience
        self._now = now
        self._lock = threading.Lock()
        self._token = ""
        self._until = 0.0

    def __call__(self) -> str:
        with self._lock:
            now = self._now()
            if now >= self._until - MARGIN:
                self._token = self._sign(int(now))
                self._until = now + LIFETIME
            return self._token

    def _sign(self, now: int) -> str:
        header = {"alg": "EdDSA", "typ": "florin-service+jwt", "kid": self._name}
        claims = {
            "iss": self._name,
            "sub": self._name,
            "aud": self._audience,
            "iat": now,
            "exp": now + LIFETIME,
            "scope": self._scope,
        }
        signed = ".".join(_encode(json.dumps(part, separators=(",", ":")).encode()) for part in (header, claims))
        return f"{signed}.{_encode(self._key.sign(signed.encode()))}"
