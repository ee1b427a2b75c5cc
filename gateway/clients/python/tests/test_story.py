"""The story of a cardholder and of a partner's server, against a sandbox."""

from __future__ import annotations

import asyncio
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from conftest import APP, EURE_100, MERCHANT, new_phone, register, wait_for

from florin_client import (
    AsyncClient,
    Client,
    FeedChecker,
    FlorinError,
    LocalWallet,
    Options,
    PartnerTokens,
    Session,
    Tokens,
    WebhookVerifier,
    is_event,
)
from florin_client.types import ThreeDSChallenge


def spendable(client: Client) -> str:
    return next(row["spendable"] for row in client.user_account.get_balances()["data"] if row["currency"] == "EUR")


def test_plays_the_story(url: str) -> None:
    kept: list[Tokens | None] = []
    wallet = LocalWallet()
    with Client(url, session=Session(on_change=kept.append)) as client:
        user_id = register(client, wallet)
        assert client.session.user_id == user_id and kept[-1] is client.session.tokens

        with pytest.raises(FlorinError) as early:
            client.cards.create_virtual_card(card_name="Everyday")
        assert (early.value.status, early.value.code, early.value.operation) == (422, "PHONE_REQUIRED", "cards.createVirtualCard")
        assert early.value.request_id in str(early.value)
        with pytest.raises(FlorinError) as invalid:
            client.cards.create_virtual_card(card_name="", phone=new_phone())
        assert invalid.value.code == "VALIDATION_FAILED" and list(invalid.value.fields) == ["cardName"]

        key: Options = {"idempotency_key": str(uuid.uuid4())}
        phone = new_phone()
        card_id = client.cards.create_virtual_card(card_name="Everyday", phone=phone, options=key)["cardId"]
        assert client.cards.create_virtual_card(card_name="Everyday", phone=phone, options=key)["cardId"] == card_id
        assert [card["id"] for card in client.cards.list_cards(status="active")] == [card_id]
        changed = new_phone()
        client.phone.update_phone(phone=changed)
        assert client.user.get_user().get("phone") == changed

        assert client.user_account.get_account().get("safeOwnerAddress") == wallet.address
        tx_hash = client.sandbox.create_deposit(token="EURe", amount=EURE_100)["txHash"]
        assert [(row["txHash"], row["status"]) for row in client.user_movements.list_deposits()] == [(tx_hash, "approved")]
        assert spendable(client) == "10000"

        challenge = ask_to_pay(client, card_id)
        assert client.decide(wallet, challenge, "approve")["status"] == "approved"
        with pytest.raises(FlorinError, match="UNEXPECTED_TEXT"):
            other: ThreeDSChallenge = {**ask_to_pay(client, card_id), "amount": "1"}
            client.decide(wallet, other, "approve")

        pay(client, wallet, card_id, challenge["id"])
        assert client.user_movements.list_statement_csv().startswith("id,")
        client.end_session()
        assert not client.session.is_signed_in and kept[-1] is None
        with pytest.raises(FlorinError, match="UNAUTHORIZED"):
            client.user.get_user()


def ask_to_pay(client: Client, card_id: str) -> ThreeDSChallenge:
    challenge_id = client.sandbox.create_challenge(
        card_id=card_id, amount="4999", currency="EUR", merchant={"displayName": MERCHANT, "country": "DE"}
    )["challengeId"]
    return client.three_ds.get_challenge(challenge_id=challenge_id)["challenge"]


def pay(client: Client, wallet: LocalWallet, card_id: str, challenge_id: str) -> None:
    limits = client.cards.update_card_limits(card_id=card_id, daily={"amount": "6000", "currency": "EUR"})
    assert limits.get("daily", {}).get("amount") == "6000"

    def authorize(amount: str, **more: Any) -> Any:
        return client.sandbox.create_payment(card_id=card_id, amount=amount, currency="EUR", merchant={"name": MERCHANT}, **more)

    paid = authorize("4999", three_ds_challenge_id=challenge_id, repeat=2)
    assert paid["approved"]
    again = authorize("100", three_ds_challenge_id=challenge_id)
    assert (again["approved"], again["reason"]["code"]) == (False, "authentication_invalid")
    transaction_id = paid["transactionId"]
    assert client.sandbox.clear_payment(transaction_id=transaction_id, amount="3000", final=False)["heldAmount"] == "1999"
    assert client.sandbox.clear_payment(transaction_id=transaction_id, amount="1500")["status"] == "settled"
    assert client.sandbox.refund_payment(transaction_id=transaction_id, amount="500")["refundedAmount"] == "500"
    assert authorize("2000")["reason"]["code"] == "daily_limit_exceeded"
    with pytest.raises(FlorinError, match="APPROVAL_REQUIRED"):
        client.cards.update_card_limits(card_id=card_id, daily=None)
    approval = wallet.sign_typed(client.cards.create_card_limits_challenge(card_id=card_id, daily=None))
    client.cards.update_card_limits(card_id=card_id, daily=None, approval=approval)
    client.cards.report_card_stolen(card_id=card_id)
    assert authorize("100")["responseCode"] == "43"

    balance = 0
    pages = list(client.user_movements.list_statement(limit=1).pages())
    assert len(pages) == 4 and len(pages[0]["data"]) == 1
    for line in reversed(list(client.user_movements.list_statement(limit=3))):
        balance += int(line["amount"])
        assert line["balanceAfter"] == str(balance)
    assert balance == 60 * 10**18


def test_refreshes_tokens_once_for_all_calls(url: str) -> None:
    with Client(url) as client:
        register(client, LocalWallet())
        tokens = client.session.tokens
        assert tokens is not None
        stored = Tokens(tokens.access_token, tokens.refresh_token, 0, tokens.user_id)
    session = Session(stored)
    with Client(url, session=session) as client:
        found: list[str] = []
        threads = [threading.Thread(target=lambda: found.append(client.user.get_user()["id"])) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [tokens.user_id] * 5
        assert session.tokens is not None and session.tokens.refresh_token != tokens.refresh_token


def test_plays_the_story_with_asyncio(url: str) -> None:
    async def play() -> list[str]:
        seen: list[str] = []
        wallet = LocalWallet()
        async with AsyncClient(url) as client:
            await client.sign_in(wallet, domain=APP["domain"], uri=APP["uri"])
            email = f"{wallet.address.lower()}@example.org"
            await client.auth.send_email_code(email=email)
            otp = (await client.sandbox.list_outbox(to=email))["data"][0]["code"]
            await client.user.register_user(email=email, otp=otp)
            card_id = (await client.cards.create_virtual_card(card_name="Everyday", phone=new_phone()))["cardId"]
            ids = [card["id"] async for card in client.cards.list_cards()]
            assert ids == [card_id] == [card["id"] for card in (await client.cards.list_cards().first())["data"]]
            await client.sandbox.create_challenge(
                card_id=card_id, amount="4999", currency="EUR", merchant={"displayName": MERCHANT}
            )
            async for event in client.three_ds.watch_challenges():
                seen.append(event.event)
                if event.event == "challenge":
                    seen.append((await client.decide(wallet, event.data["challenge"], "decline"))["status"])
                    break
            await client.end_session()
        return seen

    assert asyncio.run(play()) == ["challenge", "declined"]


def test_a_partner_receives_every_event(url: str, partner_key: dict[str, str]) -> None:
    tokens = PartnerTokens(partner_key, ["events.read", "webhooks.read", "webhooks.manage"])
    received: list[dict[str, Any]] = []
    verify: list[WebhookVerifier] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            try:
                received.append(verify[0].verify(body, dict(self.headers)).message)
                self.send_response(204)
            except (FlorinError, IndexError):
                self.send_response(400)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with Client(url, token=tokens) as partner:
            after = partner.events.list_events(limit=1).first()["checkpoint"]["sequence"]
            endpoint = partner.webhooks.create_webhook_endpoint(
                url=f"http://127.0.0.1:{server.server_port}/", after=f"florin:{after}"
            )
            keys: list[Any] = list(partner.webhooks.list_webhook_keys()["keys"])
            verify.append(WebhookVerifier(keys=lambda: keys, endpoint_id=endpoint["id"]))
            with Client(url) as person:
                user_id = register(person, LocalWallet())
            for seen in partner.events.watch_events(after=f"florin:{after}", types="user.*"):
                if seen.event == "user.registered":
                    assert seen.data["data"]["userId"] == user_id
                    break
            pages = list(partner.events.list_events(after=f"florin:{after}", limit=2).pages())
            events = [event for page in pages for event in page["data"]]
            checkpoint = pages[-1]["checkpoint"]
            assert len(pages) > 1 and "user.registered" in [event["type"] for event in events]
            checker = FeedChecker(f"florin:{after}")
            wait_for("the deliveries", lambda: {event["id"] for event in events} <= {one.get("id") for one in received})
            for message in list(received):
                if is_event(message) and message["sequence"] > 0:
                    checker.take(message)
            assert checker.gaps == [] and checker.is_complete(checkpoint)
            assert any(one["data"].get("userId") == user_id for one in received if is_event(one))
            partner.webhooks.delete_webhook_endpoint(endpoint_id=endpoint["id"])
    finally:
        server.shutdown()
