"""The story of a cardholder with a client that openapi-python-client generated from the document."""

import sys
from uuid import uuid4

from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from user_service_client import AuthenticatedClient, Client
from user_service_client.api.auth import create_siwe_message, refresh_session, send_email_code, sign_in
from user_service_client.api.cards import create_virtual_card, list_cards, rename_card
from user_service_client.api.sandbox import sandbox_create_challenge, sandbox_create_deposit, sandbox_list_outbox
from user_service_client.api.tag3ds import get_challenge, issue_decision_challenge, submit_decision
from user_service_client.api.user import register_user
from user_service_client.api.user_account import get_balances
from user_service_client.models import (
    CreateVirtualCardBody,
    Error,
    IssueDecisionChallengeBody,
    IssueDecisionChallengeBodyDecision,
    RefreshSessionBody,
    RegisterUserBody,
    RenameCardBody,
    SandboxCreateChallengeBody,
    SandboxCreateChallengeBodyCurrency,
    SandboxCreateDepositBody,
    SandboxMerchant,
    SendEmailCodeBody,
    SignInBody,
    SubmitDecisionBody,
    SubmitDecisionBodyDecision,
    ValidationError,
)

url = sys.argv[1]
wallet = Account.create()


def as_holder_of(token: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=url, token=token)


anonymous = Client(base_url=url)
message = create_siwe_message.sync(
    client=anonymous, address=wallet.address, domain="localhost:3000", uri="http://localhost:3000"
).message
signed = wallet.sign_message(encode_defunct(text=message)).signature.hex().removeprefix("0x")
tokens = sign_in.sync(client=anonymous, body=SignInBody(message=message, signature=f"0x{signed}"))

email = f"person-{uuid4()}@example.org"
as_wallet = as_holder_of(tokens.access_token)
send_email_code.sync(client=as_wallet, body=SendEmailCodeBody(email=email))
otp = sandbox_list_outbox.sync(client=anonymous, to=email).data[0].code
registration = register_user.sync(client=as_wallet, body=RegisterUserBody(email=email, otp=otp))
assert registration.expires_in > 0
person = as_holder_of(registration.access_token)

refused = create_virtual_card.sync(client=person, body=CreateVirtualCardBody(card_name="Everyday"))
assert isinstance(refused, Error) and refused.error == "PHONE_REQUIRED", refused
invalid = create_virtual_card.sync(client=person, body=CreateVirtualCardBody(card_name="", phone="+4915112345678"))
assert isinstance(invalid, ValidationError) and "cardName" in invalid.error.message, invalid
created = create_virtual_card.sync(
    client=person, body=CreateVirtualCardBody(card_name="Everyday", phone="+4915112345678")
)
card_id = created.card_id
rename_card.sync(client=person, card_id=card_id, body=RenameCardBody(card_name="Travel"))
assert list_cards.sync(client=person).data[0].card_name == "Travel"

deposit = SandboxCreateDepositBody(token="EURe", amount="100000000000000000000")
deposited = sandbox_create_deposit.sync(client=person, body=deposit)
assert not isinstance(deposited, (Error, ValidationError)), deposited
balances = get_balances.sync(client=person)
assert balances.data[0].spendable == "10000", balances

payment = SandboxCreateChallengeBody(
    card_id=card_id,
    amount="4999",
    currency=SandboxCreateChallengeBodyCurrency.EUR,
    merchant=SandboxMerchant(display_name="Bookshop"),
)
challenge_id = sandbox_create_challenge.sync(client=person, body=payment).challenge_id
typed = issue_decision_challenge.sync(
    client=person,
    challenge_id=challenge_id,
    body=IssueDecisionChallengeBody(decision=IssueDecisionChallengeBodyDecision.APPROVE),
)
data = typed.to_dict()
data["message"]["nonce"] = int(data["message"]["nonce"])
signable = encode_typed_data(data["domain"], {"Message": data["types"]["Message"]}, data["message"])
signature = wallet.sign_message(signable).signature.hex().removeprefix("0x")
body = SubmitDecisionBody(decision=SubmitDecisionBodyDecision.APPROVE, signature=f"0x{signature}")
decided = submit_decision.sync(client=person, challenge_id=challenge_id, body=body)
assert decided.challenge.status == "approved", decided
assert get_challenge.sync(client=person, challenge_id=challenge_id).challenge.decision == "approve"

refreshed = refresh_session.sync(client=anonymous, body=RefreshSessionBody(refresh_token=tokens.refresh_token))
assert str(refreshed.user_id) == str(registration.user_id)
print("the story is complete")
