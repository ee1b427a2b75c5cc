"""Verification and completeness."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from florin_client import FeedChecker, FlorinError, WebhookVerifier

SECRET = "whsec_" + base64.b64encode(bytes(32)).decode()
NOW = 1_800_000_000
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
X = base64.urlsafe_b64encode(KEY.public_key().public_bytes_raw()).rstrip(b"=").decode()
JWK = {"kty": "OKP", "crv": "Ed25519", "x": X}


def event(sequence: int, previous: int, **more: Any) -> dict[str, Any]:
    base = {"id": f"e{sequence}", "type": "card.issued", "subject": "card/1", "subjectSequence": sequence, "data": {}}
    return {**base, "sequence": sequence, "previousSequence": previous, **more}


def deliver(body: bytes, *, at: int = NOW, by: str = "v1") -> dict[str, str]:
    content = f"msg_1.{at}.".encode() + body
    signature = hmac.digest(bytes(32), content, hashlib.sha256) if by == "v1" else KEY.sign(content)
    signatures = f"v2,AAAA {by},{base64.b64encode(signature).decode()}"
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": signatures}


BODY = json.dumps({**event(1, 0), "endpointId": "mine"}).encode()


def test_accepts_what_is_signed() -> None:
    verifier = WebhookVerifier([SECRET], now=lambda: NOW + 299)
    delivery = verifier.verify(BODY, deliver(BODY))
    assert (delivery.id, delivery.sent_at, delivery.message["sequence"]) == ("msg_1", NOW, 1)


def test_fetches_keys_again() -> None:
    fetched: list[list[dict[str, str]]] = [[], [JWK]]
    clock = [float(NOW)]
    verifier = WebhookVerifier(keys=lambda: fetched.pop(0), endpoint_id="mine", now=lambda: clock[0])
    with pytest.raises(FlorinError, match="SIGNATURE_INVALID"):
        verifier.verify(BODY, deliver(BODY, by="v1a"))
    clock[0] += 30
    assert verifier.verify(BODY, deliver(BODY, by="v1a")).message["endpointId"] == "mine"


@pytest.mark.parametrize(
    ("code", "verifier", "body", "headers"),
    [
        ("HEADER_MISSING", WebhookVerifier([SECRET], now=lambda: NOW), BODY, {}),
        ("HEADER_INVALID", WebhookVerifier([SECRET], now=lambda: NOW), BODY, {**deliver(BODY), "Webhook-Timestamp": "now"}),
        ("TIMESTAMP_TOO_OLD", WebhookVerifier([SECRET], now=lambda: NOW + 301), BODY, deliver(BODY)),
        ("TIMESTAMP_TOO_NEW", WebhookVerifier([SECRET], now=lambda: NOW - 301), BODY, deliver(BODY)),
        ("SIGNATURE_INVALID", WebhookVerifier([SECRET], now=lambda: NOW), BODY + b" ", deliver(BODY)),
        ("BODY_INVALID", WebhookVerifier([SECRET], now=lambda: NOW), b"[]", deliver(b"[]")),
        ("ENDPOINT_MISMATCH", WebhookVerifier(keys=[JWK], endpoint_id="other", now=lambda: NOW), BODY, deliver(BODY, by="v1a")),
    ],
)
def test_rejects(code: str, verifier: WebhookVerifier, body: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(FlorinError) as caught:
        verifier.verify(body, headers)
    assert caught.value.code == code


def test_finds_what_is_missing() -> None:
    checker = FeedChecker("acme:4")
    assert [checker.take(event(6, 4)), checker.take(event(9, 7)), checker.take(event(9, 7))] == ["new", "new", "repeat"]
    assert checker.complete_to == 6 and [tuple(gap) for gap in checker.gaps] == [(6, 7)]
    restored = FeedChecker(state=json.loads(json.dumps(checker.state)))
    assert checker.take(event(7, 6)) == "late" and restored.take(event(7, 6)) == "new"
    assert checker.complete_to == restored.complete_to == 9
    assert checker.is_complete({"previousSequence": 9}) and not checker.is_complete({"previousSequence": 10})
    restored.take(event(12, 11))
    with pytest.raises(FlorinError, match="EVENT_CONFLICT"):
        restored.take(event(12, 11, id="other"))
