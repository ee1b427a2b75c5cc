"""For those who receive: verifies webhooks (Standard Webhooks 1.0), and proves that no event is missing."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

from .errors import FlorinError

TOLERANCE = 300.0
#: Least time between two requests for newer keys, so that forged signatures cause few.
KEYS_PAUSE = 30.0
#: How long keys are used before they are fetched again.
KEYS_FRESH = 600.0
#: A sender that replaces a secret or a key signs with two of each.
MAX_SIGNATURES = 10
MAX_AHEAD = 10_000
MAX_SUBJECTS = 10_000

_ID = re.compile(r"[\x21-\x2d\x2f-\x7e]{1,256}")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")

Jwks = Sequence[Mapping[str, Any]]


class Delivery(NamedTuple):
    """A delivery whose signature is right."""

    #: The header `webhook-id`. Repeats of a delivery have the same one.
    id: str
    #: When it was sent, in seconds since 1970; not when the event happened.
    sent_at: int
    #: An event, a checkpoint, or something that this version does not know.
    message: dict[str, Any]


class WebhookVerifier:
    """Verifies deliveries to one endpoint."""

    def __init__(
        self,
        secrets: Sequence[str] = (),
        *,
        keys: Jwks | Callable[[], Jwks] | None = None,
        endpoint_id: str | None = None,
        tolerance: float = TOLERANCE,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`secrets` of the endpoint, `whsec_…`: any of them may have signed. `keys` are the platform's public keys, or a function that gets them, for example
        `lambda: client.webhooks.list_webhook_keys()["keys"]`; they sign the deliveries to everybody's endpoints, so that they need an `endpoint_id`."""
        if not secrets and keys is None:
            raise ValueError("a secret or a key is required")
        if keys is not None and not endpoint_id:
            raise ValueError("keys need an endpoint_id: they sign the deliveries to all endpoints")
        self._secrets = [_secret_bytes(secret) for secret in secrets]
        self._keys = _Keys(keys, now) if callable(keys) else keys
        self._endpoint_id = endpoint_id
        self._tolerance = tolerance
        self._now = now

    def verify(self, body: bytes | str, headers: Mapping[str, str]) -> Delivery:
        """Takes the body as it came: not parsed and serialized again. Raises FlorinError: answer 503 to KEYS_UNAVAILABLE, 400 to every other code."""
        content = body.encode() if isinstance(body, str) else body
        given = {name.lower(): value for name, value in headers.items()}
        delivery_id = _header(given, "webhook-id", _ID)
        timestamp = _header(given, "webhook-timestamp", _TIMESTAMP)
        parts = _header(given, "webhook-signature", None).split()
        if len(parts) > MAX_SIGNATURES:
            raise FlorinError("HEADER_INVALID", "the header webhook-signature has too many signatures")
        age = self._now() - int(timestamp)
        if age > self._tolerance:
            raise FlorinError("TIMESTAMP_TOO_OLD", "the delivery was sent too long ago")
        if age < -self._tolerance:
            raise FlorinError("TIMESTAMP_TOO_NEW", "the delivery was sent in the future")
        if not self._is_signed(parts, f"{delivery_id}.{timestamp}.".encode() + content):
            raise FlorinError("SIGNATURE_INVALID", "no signature fits a secret or key of this endpoint")
        message = _message(content)
        if self._endpoint_id is not None and message.get("endpointId") != self._endpoint_id:
            raise FlorinError("ENDPOINT_MISMATCH", "the delivery is for another endpoint")
        return Delivery(delivery_id, int(timestamp), message)

    def _is_signed(self, parts: Sequence[str], signed: bytes) -> bool:
        def of(version: str) -> list[bytes]:
            texts = [part.partition(",")[2] for part in parts if part.partition(",")[0] == version]
            return [found for found in map(_base64, texts) if found]

        expected = [hmac.digest(secret, signed, hashlib.sha256) for secret in self._secrets]
        if any([hmac.compare_digest(one, other) for one in expected for other in of("v1")]):
            return True
        asymmetric = of("v1a")
        if self._keys is None or not asymmetric:
            return False
        if not isinstance(self._keys, _Keys):
            return _fits_key(self._keys, asymmetric, signed)
        known = self._keys.get(again=False)
        if _fits_key(known, asymmetric, signed):
            return True
        fresh = self._keys.get(again=True)
        return fresh is not known and _fits_key(fresh, asymmetric, signed)


class _Keys:
    """Published keys. While the sender cannot be reached, the last ones stay in use."""

    def __init__(self, fetch: Callable[[], Jwks], now: Callable[[], float]) -> None:
        self._fetch = fetch
        self._now = now
        self._known: Jwks | None = None
        self._known_at = self._asked_at = float("-inf")

    def get(self, *, again: bool) -> Jwks:
        now = self._now()
        is_wanted = self._known is None or again or now - self._known_at >= KEYS_FRESH
        if is_wanted and (self._known is None or now - self._asked_at >= KEYS_PAUSE):
            self._asked_at = now
            try:
                self._known = list(self._fetch())
                self._known_at = now
            except Exception as error:
                if self._known is None:
                    raise FlorinError("KEYS_UNAVAILABLE", "the keys of the sender cannot be fetched") from error
        return self._known or []


def _header(headers: Mapping[str, str], name: str, form: re.Pattern[str] | None) -> str:
    text = headers.get(name, "")
    if text == "":
        raise FlorinError("HEADER_MISSING", f"the header {name} is missing")
    if len(text) > 4096 or (form is not None and not form.fullmatch(text)):
        raise FlorinError("HEADER_INVALID", f"the header {name} has another form")
    return text


def _base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _secret_bytes(secret: str) -> bytes:
    found = _base64(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else None
    if found is None or not 24 <= len(found) <= 64:
        raise ValueError("a secret must be whsec_ and the base64 form of 24 to 64 bytes")
    return found


def _fits_key(keys: Jwks, signatures: Sequence[bytes], signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    for key in keys:
        # Other keys of the set serve other purposes.
        if key.get("kty") != "OKP" or key.get("crv") != "Ed25519" or key.get("use", "sig") != "sig":
            continue
        public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(str(key["x"]) + "=="))
        for signature in signatures:
            try:
                public.verify(signature, signed)
                return True
            except InvalidSignature:
                continue
    return False


def _message(content: bytes) -> dict[str, Any]:
    try:
        message = json.loads(content.decode())
    except ValueError:
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise FlorinError("BODY_INVALID", "the body is not a JSON object with a type")
    return message


def is_event(message: Mapping[str, Any]) -> bool:
    """Reports whether a message is an event. A test has the sequence 0 and belongs to no feed."""
    return isinstance(message.get("data"), dict) and all(
        isinstance(message.get(name), int) for name in ("sequence", "previousSequence", "subjectSequence")
    )


def is_checkpoint(message: Mapping[str, Any]) -> bool:
    return message.get("type") == "checkpoint" and isinstance(message.get("previousSequence"), int)


class Ahead(TypedDict):
    id: str
    sequence: int
    previousSequence: int


class FeedState(TypedDict):
    """As JSON, to be stored with the effects of the events."""

    completeTo: int
    ahead: list[Ahead]


class Gap(NamedTuple):
    """Something is missing: at least the event `last`, and perhaps others after `after`."""

    after: int
    last: int


class FeedChecker:
    """Proves by what a reader receives alone that nothing is missing: each event names the one before it that the reader's filter lets through, and a checkpoint the last one. Events may come
    in any order and more than once. A reader that changes its filter begins a new checker at `complete_to`."""

    def __init__(self, after: int | str = 0, *, state: FeedState | None = None) -> None:
        """`after` is the place or cursor after which reading begins; `state` that of an earlier checker."""
        #: Place up to which nothing is missing: reading `GET /events` from here fills every gap.
        self.complete_to = int(str(after).rpartition(":")[2]) if state is None else state["completeTo"]
        ahead = [] if state is None else state["ahead"]
        self._ahead: dict[int, Ahead] = {one["sequence"]: one for one in ahead}
        self._following: dict[int, int] = {one["previousSequence"]: one["sequence"] for one in ahead}
        self._changes: dict[str, int] = {}

    def take(self, event: Mapping[str, Any]) -> Literal["new", "repeat", "late"]:
        """`late` is new, but a later change of its subject was taken before. Raises EVENT_CONFLICT if another event has its place, TOO_MANY_AHEAD if the gap should be filled first."""
        sequence, previous = event["sequence"], event["previousSequence"]
        one = Ahead(id=event["id"], sequence=sequence, previousSequence=previous)
        known = self._ahead.get(sequence)
        if known is not None and known != one:
            raise FlorinError("EVENT_CONFLICT", f"two events claim the place {sequence}")
        if known is not None or sequence <= self.complete_to:
            return "repeat"
        if previous > self.complete_to:
            if previous in self._following:
                raise FlorinError("EVENT_CONFLICT", f"two events claim the place {sequence}")
            if len(self._ahead) >= MAX_AHEAD:
                raise FlorinError("TOO_MANY_AHEAD", f"too many events wait for those after {self.complete_to}")
            self._ahead[sequence] = one
            self._following[previous] = sequence
        else:
            self.complete_to = sequence
            while (following := self._following.pop(self.complete_to, None)) is not None:
                del self._ahead[following]
                self.complete_to = following
        return "late" if self._is_late(event) else "new"

    def is_complete(self, checkpoint: Mapping[str, Any]) -> bool:
        """Reports whether everything up to a checkpoint was taken."""
        return bool(checkpoint["previousSequence"] <= self.complete_to)

    @property
    def gaps(self) -> list[Gap]:
        reached, gaps = self.complete_to, []
        for one in sorted(self._ahead.values(), key=lambda one: one["sequence"]):
            if one["previousSequence"] > reached:
                gaps.append(Gap(reached, one["previousSequence"]))
            reached = one["sequence"]
        return gaps

    @property
    def state(self) -> FeedState:
        return {"completeTo": self.complete_to, "ahead": list(self._ahead.values())}

    def _is_late(self, event: Mapping[str, Any]) -> bool:
        subject, change = event["subject"], event["subjectSequence"]
        last = self._changes.pop(subject, 0)
        self._changes[subject] = max(last, change)
        if len(self._changes) > MAX_SUBJECTS:
            del self._changes[next(iter(self._changes))]
        return bool(change < last)
