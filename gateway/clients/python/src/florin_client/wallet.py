"""Wallets, and what they sign. A text is compared with what was asked for before a wallet sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, Protocol

from ._core import Ask, Core, Steps
from .errors import FlorinError
from .generated.types import ThreeDSChallenge, TypedMessage

Decision = Literal["approve", "decline"]


class Wallet(Protocol):
    """Who signs. In the asynchronous client the functions may be coroutines."""

    @property
    def address(self) -> str: ...

    def sign_text(self, text: str) -> Any:
        """Signs a text (EIP-191). Returns 0x and hexadecimal digits."""

    def sign_typed(self, data: TypedMessage) -> Any:
        """Signs typed data (EIP-712). Returns 0x and hexadecimal digits."""


class LocalWallet:
    """A key in this process. Needs `florin-client[wallet]`."""

    def __init__(self, private_key: str | bytes | None = None) -> None:
        """Without a key it makes one."""
        from eth_account import Account

        self._account: Any = Account.create() if private_key is None else Account.from_key(private_key)

    @property
    def address(self) -> str:
        return str(self._account.address)

    def sign_text(self, text: str) -> str:
        from eth_account.messages import encode_defunct

        return self._sign(encode_defunct(text=text))

    def sign_typed(self, data: TypedMessage) -> str:
        from eth_account.messages import encode_typed_data

        message = {**data["message"], "nonce": int(data["message"]["nonce"])}
        return self._sign(encode_typed_data(dict(data["domain"]), {"Message": data["types"]["Message"]}, message))

    def _sign(self, signable: Any) -> str:
        return "0x" + str(self._account.sign_message(signable).signature.hex()).removeprefix("0x")


Line = str | re.Pattern[str]


def expect_lines(text: str, lines: Sequence[Line]) -> None:
    """Raises UNEXPECTED_TEXT unless each line is the expected one, or fits the pattern of one that only the platform knows."""
    received = text.split("\n")

    def fits(line: Line, found: str) -> bool:
        return found == line if isinstance(line, str) else line.fullmatch(found) is not None

    if len(received) != len(lines) or not all(map(fits, lines, received)):
        raise FlorinError("UNEXPECTED_TEXT", "the text to sign is not the expected one; nothing was signed")


def expect_typed(data: TypedMessage, purpose: str, lines: Sequence[Line]) -> None:
    """The domain's name differs by what a signature can be used for."""
    types = ", ".join(f"{one['name']} {one['type']}" for one in data["types"]["Message"])
    head = "\n".join([data["primaryType"], types, data["domain"]["name"]])
    expect_lines(head, ["Message", "authorization string, nonce uint256", purpose])
    expect_lines(data["message"]["authorization"], lines)


def format_amount(amount: str, decimals: int) -> str:
    """`4999` with two decimals is `49.99`."""
    sign, digits = ("-", amount[1:]) if amount.startswith("-") else ("", amount)
    if decimals == 0:
        return amount
    padded = digits.rjust(decimals + 1, "0")
    return f"{sign}{padded[:-decimals]}.{padded[-decimals:]}"


def decision_lines(challenge: ThreeDSChallenge, decision: Decision) -> list[Line]:
    """The text that a decision has to have (dynamic linking, PSD2 RTS Art. 5)."""
    merchant = challenge["merchant"]
    name = re.escape(merchant.get("displayName", "not named"))
    where = re.escape(f" ({merchant['country']})") if "country" in merchant else ""
    amount = challenge.get("amount")
    verb = decision.upper()
    payment = (
        [f"{verb} this use of the card", "Amount: none"]
        if amount is None
        else [f"{verb} this card payment", f"Amount: {format_amount(amount, challenge.get('decimals', 0))} {challenge.get('currency')}"]
    )
    return [
        *payment,
        f"Card: **** {challenge['cardLast4']}",
        # A platform of an earlier release leaves the quotation marks out.
        re.compile(f'Merchant: (?:{name}|"{name}"){where}'),
        *([f"Merchant ID: {merchant['id']}"] if "id" in merchant else []),
        f"Challenge: {challenge['id']}",
        f"Expires: {challenge['expiresAt']}",
    ]


def sign_in(core: Core, wallet: Wallet, domain: str, uri: str) -> Steps:
    request = {"address": wallet.address, "domain": domain, "uri": uri}
    message = (yield from core.call("auth.createSiweMessage", request))["message"]
    expect_lines(
        message,
        [
            f"{domain} wants you to sign in with your Ethereum account:",
            re.compile(wallet.address, re.IGNORECASE),
            "",
            re.compile(r"Sign in to .+\."),
            "",
            f"URI: {uri}",
            "Version: 1",
            re.compile(r"Chain ID: \d+"),
            re.compile(r"Nonce: [A-Za-z0-9]{8,}"),
            re.compile(r"Issued At: \S+"),
            re.compile(r"Expiration Time: \S+"),
        ],
    )
    signature = yield Ask(lambda: wallet.sign_text(message))
    answer = yield from core.call("auth.signIn", {"message": message, "signature": signature})
    return answer.get("userId")


def decide(core: Core, wallet: Wallet, challenge: ThreeDSChallenge, decision: Decision) -> Steps:
    request = {"challengeId": challenge["id"], "decision": decision}
    data = yield from core.call("threeDs.issueDecisionChallenge", {**request, "quoted": "true"})
    expect_typed(data, "Florin 3DS", decision_lines(challenge, decision))
    signature = yield Ask(lambda: wallet.sign_typed(data))
    answer = yield from core.call("threeDs.submitDecision", {**request, "signature": signature})
    return answer["challenge"]
