from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Callable

import pytest

from florin_client import Client, LocalWallet

APP = {"domain": "localhost:3000", "uri": "http://localhost:3000/login"}
EURE_100 = "100000000000000000000"
MERCHANT = "Bookshop"


@pytest.fixture(scope="session")
def url() -> str:
    """The address of a sandbox."""
    found = os.environ.get("FLORIN_URL")
    if not found:
        pytest.skip("FLORIN_URL names no sandbox")
    return found


@pytest.fixture(scope="session")
def partner_key() -> dict[str, str]:
    """The key of a server of the partner `florin`, which may read events and manage webhooks."""
    found = os.environ.get("FLORIN_PARTNER_KEY")
    if not found:
        pytest.skip("FLORIN_PARTNER_KEY is not set")
    key: dict[str, str] = json.loads(found)
    return key


def new_phone() -> str:
    return f"+49151{uuid.uuid4().int % 80_000_000 + 10_000_000}"


def register(client: Client, wallet: LocalWallet) -> str:
    """Signs in with a new wallet, and registers its person. Returns the user's id."""
    assert client.sign_in(wallet, domain=APP["domain"], uri=APP["uri"]) is None
    email = f"{wallet.address.lower()}@example.org"
    client.auth.send_email_code(email=email)
    otp = client.sandbox.list_outbox(to=email)["data"][0]["code"]
    return client.user.register_user(email=email, otp=otp)["userId"]


def wait_for(what: str, is_there: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not is_there():
        assert time.monotonic() < until, f"{what}: not within {seconds} seconds"
        time.sleep(0.1)
