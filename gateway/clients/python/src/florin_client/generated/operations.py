# Generated from the OpenAPI document by `npm run generate`; do not edit.
"""The operations, by groups: the tags of the reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from .._core import UNSET, Options, ServerEvent, StreamOptions, Unset
from .._sync import Group, Pages, Runner
from .types import (
    AcceptTermsTerm,
    Account,
    AccountReserves,
    Balances,
    Capabilities,
    Card,
    CardColour,
    CardControls,
    CardControlsCategories,
    CardDataAccess,
    CardDispute,
    CardDisputeDetail,
    CardLimits,
    CardTransaction,
    CardTransactionDetail,
    CollectionAllowances,
    CreateKycSessionOutput,
    CreatePartnerJwk,
    CreateSiweMessageOutput,
    CreateVirtualCardOutput,
    CreateWithdrawalChallengeOutput,
    Deployment,
    Deposit,
    DisputeCardTransactionOutput,
    Done,
    EraseUserOutput,
    Event,
    ExportUserDataOutput,
    GetCardReceiptOutput,
    GetKycOutput,
    GetLivenessOutput,
    GetNotificationPreferencesOutput,
    GetPublishedKeysOutput,
    GetRecoveryOutput,
    GetReservesOutput,
    GetSourceOfFundsOutput,
    ListAuditHeadsOutput,
    ListCardDataAccessPage,
    ListCardDisputesPage,
    ListCardTransactionsPage,
    ListCardsPage,
    ListChallengesPage,
    ListDepositsPage,
    ListEventsPage,
    ListLedgerHeadsOutput,
    ListMovesOutput,
    ListPartnerKeysOutput,
    ListPartnerRequestsOutput,
    ListReturnsOutput,
    ListSessionsPage,
    ListStatementPage,
    ListTermsOutput,
    ListUserTermsOutput,
    ListVaultKeysOutput,
    ListWebhookAttemptsPage,
    ListWebhookEndpointsOutput,
    ListWebhookKeysOutput,
    ListWithdrawalsPage,
    NetworkDecision,
    NotificationDevice,
    NotificationPreferences,
    NotificationPreferencesKinds,
    NotificationPreferencesQuietHours,
    Onboarding,
    PartnerClient,
    PutNotificationSubscriptionKeys,
    RecoveryChallenge,
    Registration,
    RevealCardDataKey,
    RevealCardDataOutput,
    SafeTypedData,
    SandboxAdvanceClockOutput,
    SandboxCardMerchant,
    SandboxCreateChallengeOutput,
    SandboxCreateDepositOutput,
    SandboxListOutboxOutput,
    SandboxMerchant,
    SandboxMoveKycOutput,
    Session,
    SetCardLimitsPerTransaction,
    StatementLine,
    SubmitSourceOfFundsAnswer,
    SubmitWithdrawalOutput,
    ThreeDSChallenge,
    ThreeDSChallengeDetailResponse,
    TokenPair,
    TypedMessage,
    UpdateCardControlsCategories,
    User,
    UserWallet,
    WebhookAttempt,
    WebhookEndpoint,
    WebhookEndpointWithSecret,
    WebhookOrder,
    Withdrawal,
)


class AuthOperations(Group):
    def create_siwe_message(self, *, address: str, domain: str, uri: str, purpose: Literal["sign_in", "add_wallet"] | None = None, options: Options | None = None) -> CreateSiweMessageOutput:
        """Create a message to sign: `GET /auth/siwe/{address}`. Codes: DOMAIN_NOT_ALLOWED."""
        return self._call("auth.createSiweMessage", {"address": address, "domain": domain, "uri": uri}, {"purpose": purpose}, options)

    def sign_in(self, *, message: str, signature: str, options: Options | None = None) -> TokenPair:
        """Sign in: `POST /auth/siwe`. Codes: DOMAIN_NOT_ALLOWED, INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED."""
        return self._call("auth.signIn", {"message": message, "signature": signature}, {}, options)

    def refresh_session(self, *, refresh_token: str, options: Options | None = None) -> TokenPair:
        """Refresh the tokens: `POST /auth/refresh`. Codes: INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED."""
        return self._call("auth.refreshSession", {"refreshToken": refresh_token}, {}, options)

    def logout(self, *, options: Options | None = None) -> Done:
        """Log out: `POST /auth/logout`."""
        return self._call("auth.logout", {}, {}, options)

    def logout_all(self, *, options: Options | None = None) -> Done:
        """Log out everywhere: `POST /auth/logout-all`."""
        return self._call("auth.logoutAll", {}, {}, options)

    def list_sessions(self, *, limit: int | None = None, cursor: str | None = None, options: Options | None = None) -> Pages[Session, ListSessionsPage]:
        """List sessions: `GET /auth/sessions`."""
        return Pages(self._pages("auth.listSessions", {}, {"limit": limit, "cursor": cursor}, options))

    def end_session(self, *, id: str, options: Options | None = None) -> Done:
        """End a session: `DELETE /auth/sessions/{id}`. Codes: NOT_FOUND."""
        return self._call("auth.endSession", {"id": id}, {}, options)

    def get_published_keys(self, *, options: Options | None = None) -> GetPublishedKeysOutput:
        """Get the token keys: `GET /.well-known/jwks.json`."""
        return self._call("auth.getPublishedKeys", {}, {}, options)

    def send_email_code(self, *, email: str, options: Options | None = None) -> Done:
        """Send an e-mail code: `POST /email-verification`. Codes: RESEND_TOO_SOON."""
        return self._call("auth.sendEmailCode", {"email": email}, {}, options)


class UserOperations(Group):
    def register_user(self, *, email: str, otp: str, share_token: str | None = None, options: Options | None = None) -> Registration:
        """Register User: `POST /user`. Codes: INVALID_OTP, OTP_ATTEMPTS_EXCEEDED, OTP_EXPIRED, PROFILE_CREATION_FAILED, USER_ALREADY_EXISTS, USER_REGISTRATION_IN_PROGRESS."""
        return self._call("user.registerUser", {"email": email, "otp": otp}, {"shareToken": share_token}, options)

    def get_user(self, *, options: Options | None = None) -> User:
        """Get the user: `GET /user`. Codes: USER_NOT_FOUND."""
        return self._call("user.getUser", {}, {}, options)

    def erase_user(self, *, options: Options | None = None) -> EraseUserOutput:
        """Erase the user: `DELETE /user`. Codes: REAUTHENTICATION_REQUIRED, USER_HAS_BALANCE, USER_HAS_OPEN_CHALLENGES, USER_HAS_OPEN_DISPUTES, USER_HAS_OPEN_HOLDS, USER_HAS_RECENT_PAYMENTS, USER_IS_BLOCKED, USER_NOT_FOUND."""
        return self._call("user.eraseUser", {}, {}, options)

    def export_user_data(self, *, options: Options | None = None) -> ExportUserDataOutput:
        """Export the personal data: `GET /user/export`. Codes: EXPORT_TOO_LARGE, REAUTHENTICATION_REQUIRED."""
        return self._call("user.exportUserData", {}, {}, options)

    def get_onboarding(self, *, options: Options | None = None) -> Onboarding:
        """Get the onboarding status: `GET /user/onboarding`. Codes: USER_NOT_FOUND."""
        return self._call("user.getOnboarding", {}, {}, options)

    def create_wallet_challenge(self, *, wallet: str, domain_type: Literal["true", "false"] | None = None, change: Literal["add", "make_primary", "remove"] | None = None, options: Options | None = None) -> TypedMessage:
        """Create the approval of a wallet to sign: `POST /user/wallets/challenge`. Codes: USER_NOT_FOUND."""
        return self._call("user.createWalletChallenge", {"wallet": wallet}, {"domainType": domain_type, "change": change}, options)

    def add_wallet(self, *, message: str, signature: str, approval: str, options: Options | None = None) -> UserWallet:
        """Add a wallet: `POST /user/wallets`. Codes: DOMAIN_NOT_ALLOWED, INVALID_APPROVAL, INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND, WALLET_COOLING, WALLET_IN_USE, WALLET_LIMIT_REACHED."""
        return self._call("user.addWallet", {"message": message, "signature": signature, "approval": approval}, {}, options)

    def make_wallet_primary(self, *, wallet: str, approval: str, options: Options | None = None) -> UserWallet:
        """Make a wallet the primary one: `POST /user/wallets/primary`. Codes: INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, NOT_FOUND, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND, WALLET_COOLING."""
        return self._call("user.makeWalletPrimary", {"wallet": wallet, "approval": approval}, {}, options)

    def remove_wallet(self, *, address: str, approval: str | None = None, options: Options | None = None) -> Done:
        """Remove a wallet: `DELETE /user/wallets/{address}`. Codes: APPROVAL_REQUIRED, INVALID_APPROVAL, LAST_WALLET, NONCE_EXPIRED, NONCE_USED, NOT_FOUND, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND, WALLET_COOLING, WALLET_IS_OWNER."""
        return self._call("user.removeWallet", {"address": address}, {"approval": approval}, options)


class TermsOperations(Group):
    def list_terms(self, *, options: Options | None = None) -> ListTermsOutput:
        """List terms: `GET /terms`."""
        return self._call("terms.listTerms", {}, {}, options)

    def list_user_terms(self, *, options: Options | None = None) -> ListUserTermsOutput:
        """List accepted terms: `GET /user/terms`."""
        return self._call("terms.listUserTerms", {}, {}, options)

    def accept_terms(self, *, terms: Sequence[AcceptTermsTerm], options: Options | None = None) -> Done:
        """Accept terms: `POST /user/terms`. Codes: TERMS_VERSION_INVALID."""
        return self._call("terms.acceptTerms", {"terms": terms}, {}, options)


class SourceOfFundsOperations(Group):
    def get_source_of_funds(self, *, options: Options | None = None) -> GetSourceOfFundsOutput:
        """Get the questionnaire: `GET /source-of-funds`."""
        return self._call("sourceOfFunds.getSourceOfFunds", {}, {}, options)

    def submit_source_of_funds(self, *, answers: Sequence[SubmitSourceOfFundsAnswer], options: Options | None = None) -> Done:
        """Submit the questionnaire: `POST /source-of-funds`."""
        return self._call("sourceOfFunds.submitSourceOfFunds", {"answers": answers}, {}, options)


class PhoneOperations(Group):
    def send_phone_code(self, *, phone: str, options: Options | None = None) -> Done:
        """Send a phone code: `POST /phone/verification`. Codes: PHONE_COUNTRY_NOT_ALLOWED, RESEND_TOO_SOON."""
        return self._call("phone.sendPhoneCode", {"phone": phone}, {}, options)

    def update_phone(self, *, phone: str | None = None, code: str | None = None, options: Options | None = None) -> Done:
        """Update Phone Number: `PATCH /phone`. Codes: CARDHOLDER_NOT_FOUND, CODE_ATTEMPTS_EXCEEDED, CODE_EXPIRED, CODE_REQUIRED, INVALID_CODE, REAUTHENTICATION_REQUIRED."""
        return self._call("phone.updatePhone", {}, {"phone": phone, "code": code}, options)


class UserAccountOperations(Group):
    def get_account(self, *, options: Options | None = None) -> Account:
        """Get the account: `GET /user/account`. Codes: ACCOUNT_NOT_FOUND."""
        return self._call("userAccount.getAccount", {}, {}, options)

    def get_account_reserves(self, *, account_id: str | None = None, options: Options | None = None) -> AccountReserves:
        """Get the account in the proof of reserves: `GET /user/account/reserves`. Codes: ACCOUNT_NOT_FOUND, RESERVES_NOT_FOUND."""
        return self._call("userAccount.getAccountReserves", {}, {"accountId": account_id}, options)

    def get_balances(self, *, options: Options | None = None) -> Balances:
        """Get balances: `GET /user/balances/v2`. Codes: ACCOUNT_NOT_FOUND."""
        return self._call("userAccount.getBalances", {}, {}, options)

    def list_collection_allowances(self, *, options: Options | None = None) -> CollectionAllowances:
        """List what may be collected: `GET /user/account/allowance`. Codes: ACCOUNT_NOT_FOUND."""
        return self._call("userAccount.listCollectionAllowances", {}, {}, options)

    def create_set_up_challenge(self, *, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> SafeTypedData:
        """Create the set-up of the Safe to sign: `POST /user/account/set-up/challenge`. Codes: ACCOUNT_NOT_FOUND, SAFES_NOT_AVAILABLE, SET_UP_NOT_AVAILABLE."""
        return self._call("userAccount.createSetUpChallenge", {}, {"domainType": domain_type}, options)

    def submit_set_up(self, *, signature: str, options: Options | None = None) -> Deployment:
        """Set the Safe up: `POST /user/account/set-up`. Codes: ACCOUNT_NOT_FOUND, INVALID_SIGNATURE, SAFES_NOT_AVAILABLE, SET_UP_NOT_AVAILABLE."""
        return self._call("userAccount.submitSetUp", {"signature": signature}, {}, options)

    def create_backup_key_challenge(self, *, backup_key: str, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> RecoveryChallenge:
        """Create the naming of a backup key to sign: `POST /user/account/backup-key/challenge`. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED."""
        return self._call("userAccount.createBackupKeyChallenge", {"backupKey": backup_key}, {"domainType": domain_type}, options)

    def create_recovery_challenge(self, *, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> RecoveryChallenge:
        """Create the recovery of the Safe to sign: `POST /user/account/recovery/challenge`. Codes: ACCOUNT_NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED."""
        return self._call("userAccount.createRecoveryChallenge", {}, {"domainType": domain_type}, options)

    def create_cancellation_challenge(self, *, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> RecoveryChallenge:
        """Create the stop of a recovery to sign: `POST /user/account/recovery/cancellation/challenge`. Codes: ACCOUNT_NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED."""
        return self._call("userAccount.createCancellationChallenge", {}, {"domainType": domain_type}, options)

    def submit_recovery_transaction(self, *, transaction_id: str, signature: str, proof: str | None = None, options: Options | None = None) -> Done:
        """Submit a signed step of a recovery: `POST /user/account/recovery`. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, INVALID_SIGNATURE, NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, WITHDRAWAL_IN_PROGRESS."""
        return self._call("userAccount.submitRecoveryTransaction", {"transactionId": transaction_id, "signature": signature}, {"proof": proof}, options)

    def get_recovery(self, *, options: Options | None = None) -> GetRecoveryOutput:
        """Get the newest recovery: `GET /user/account/recovery`. Codes: ACCOUNT_NOT_FOUND."""
        return self._call("userAccount.getRecovery", {}, {}, options)


class CardsOperations(Group):
    def create_virtual_card(self, *, card_name: str, phone: str | None = None, options: Options | None = None) -> CreateVirtualCardOutput:
        """Create Virtual Card: `POST /cards/virtual`. Codes: ACCOUNT_NOT_ACTIVE, CARD_ISSUING_FAILED, CARD_LIMIT_REACHED, CARD_ORDER_LIMIT_REACHED, PHONE_NOT_VERIFIED, PHONE_REQUIRED, REAUTHENTICATION_REQUIRED."""
        return self._call("cards.createVirtualCard", {"cardName": card_name}, {"phone": phone}, options)

    def list_cards(self, *, limit: int | None = None, cursor: str | None = None, status: Literal["active", "frozen", "lost", "stolen", "cancelled", "expired"] | None = None, options: Options | None = None) -> Pages[Card, ListCardsPage]:
        """List cards: `GET /cards`."""
        return Pages(self._pages("cards.listCards", {}, {"limit": limit, "cursor": cursor, "status": status}, options))

    def list_card_transactions(self, *, limit: int | None = None, cursor: str | None = None, card_id: str | None = None, status: Literal["pending", "settled", "reversed", "expired", "declined"] | None = None, kind: Literal["payment", "refund", "atm", "credit", "verification"] | None = None, from_: str | None = None, to: str | None = None, after: str | None = None, before: str | None = None, currency: str | None = None, category_code: str | None = None, mcc: str | None = None, merchant: str | None = None, options: Options | None = None) -> Pages[CardTransaction, ListCardTransactionsPage]:
        """List card transactions: `GET /cards/transactions`."""
        return Pages(self._pages("cards.listCardTransactions", {}, {"limit": limit, "cursor": cursor, "cardId": card_id, "status": status, "kind": kind, "from": from_, "to": to, "after": after, "before": before, "currency": currency, "categoryCode": category_code, "mcc": mcc, "merchant": merchant}, options))

    def get_card_transaction(self, *, transaction_id: str, options: Options | None = None) -> CardTransactionDetail:
        """Get a card transaction: `GET /cards/transactions/{transactionId}`. Codes: PAYMENT_NOT_FOUND."""
        return self._call("cards.getCardTransaction", {"transactionId": transaction_id}, {}, options)

    def get_card_receipt(self, *, transaction_id: str, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> GetCardReceiptOutput:
        """Get the 3DS receipt of a card transaction: `GET /cards/transactions/{transactionId}/receipt`. Codes: PAYMENT_NOT_FOUND, RECEIPT_NOT_FOUND."""
        return self._call("cards.getCardReceipt", {"transactionId": transaction_id}, {"domainType": domain_type}, options)

    def set_card_transaction_note(self, *, transaction_id: str, note: str, options: Options | None = None) -> CardTransactionDetail:
        """Note something on a card transaction: `PUT /cards/transactions/{transactionId}/note`. Codes: PAYMENT_NOT_FOUND."""
        return self._call("cards.setCardTransactionNote", {"transactionId": transaction_id, "note": note}, {}, options)

    def dispute_card_transaction(self, *, transaction_id: str, reason: Literal["fraud", "not_received", "not_as_described", "duplicate", "cancelled", "other"], amount: str | None = None, text: str | None = None, options: Options | None = None) -> DisputeCardTransactionOutput:
        """Dispute a card transaction: `POST /cards/transactions/{transactionId}/dispute`. Codes: DISPUTE_NOT_AVAILABLE, PAYMENT_NOT_FOUND."""
        return self._call("cards.disputeCardTransaction", {"transactionId": transaction_id, "reason": reason}, {"amount": amount, "text": text}, options)

    def list_card_disputes(self, *, limit: int | None = None, cursor: str | None = None, status: Literal["submitted", "won", "lost", "withdrawn"] | None = None, card_id: str | None = None, from_: str | None = None, to: str | None = None, options: Options | None = None) -> Pages[CardDispute, ListCardDisputesPage]:
        """List disputes: `GET /cards/disputes`."""
        return Pages(self._pages("cards.listCardDisputes", {}, {"limit": limit, "cursor": cursor, "status": status, "cardId": card_id, "from": from_, "to": to}, options))

    def get_card_dispute(self, *, dispute_id: str, options: Options | None = None) -> CardDisputeDetail:
        """Get a dispute: `GET /cards/disputes/{disputeId}`. Codes: PAYMENT_NOT_FOUND."""
        return self._call("cards.getCardDispute", {"disputeId": dispute_id}, {}, options)

    def withdraw_card_dispute(self, *, dispute_id: str, options: Options | None = None) -> CardDisputeDetail:
        """Withdraw a dispute: `POST /cards/disputes/{disputeId}/withdraw`. Codes: DISPUTE_NOT_AVAILABLE, PAYMENT_NOT_FOUND."""
        return self._call("cards.withdrawCardDispute", {"disputeId": dispute_id}, {}, options)

    def get_card(self, *, card_id: str, options: Options | None = None) -> Card:
        """One of the cards of the caller: `GET /cards/{cardId}`. Codes: CARD_NOT_FOUND."""
        return self._call("cards.getCard", {"cardId": card_id}, {}, options)

    def rename_card(self, *, card_id: str, card_name: str | None = None, name: str | None = None, colour: CardColour | None = None, options: Options | None = None) -> Card:
        """Rename a card: `PATCH /cards/{cardId}`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.renameCard", {"cardId": card_id}, {"cardName": card_name, "name": name, "colour": colour}, options)

    def freeze_card(self, *, card_id: str, options: Options | None = None) -> Card:
        """Freeze a card: `POST /cards/{cardId}/freeze`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.freezeCard", {"cardId": card_id}, {}, options)

    def unfreeze_card(self, *, card_id: str, approval: str | None = None, options: Options | None = None) -> Card:
        """Unfreeze a card: `POST /cards/{cardId}/unfreeze`. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, FROZEN_BY_ISSUER, INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING."""
        return self._call("cards.unfreezeCard", {"cardId": card_id}, {"approval": approval}, options)

    def report_card_lost(self, *, card_id: str, options: Options | None = None) -> Card:
        """Report a card lost: `POST /cards/{cardId}/lost`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.reportCardLost", {"cardId": card_id}, {}, options)

    def report_card_stolen(self, *, card_id: str, options: Options | None = None) -> Card:
        """Report a card stolen: `POST /cards/{cardId}/stolen`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.reportCardStolen", {"cardId": card_id}, {}, options)

    def cancel_card(self, *, card_id: str, options: Options | None = None) -> Card:
        """Cancel a card: `POST /cards/{cardId}/cancel`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.cancelCard", {"cardId": card_id}, {}, options)

    def replace_card(self, *, card_id: str, options: Options | None = None) -> Card:
        """Replace a lost or stolen card: `POST /cards/{cardId}/replace`. Codes: ACCOUNT_NOT_ACTIVE, CARD_ISSUING_FAILED, CARD_LIMIT_REACHED, CARD_NOT_FOUND, CARD_ORDER_LIMIT_REACHED, CARD_STATE_CONFLICT, REAUTHENTICATION_REQUIRED."""
        return self._call("cards.replaceCard", {"cardId": card_id}, {}, options)

    def renew_card(self, *, card_id: str, options: Options | None = None) -> Card:
        """Renew a card: `POST /cards/{cardId}/renew`. Codes: CARD_ISSUING_FAILED, CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.renewCard", {"cardId": card_id}, {}, options)

    def get_card_limits(self, *, card_id: str, options: Options | None = None) -> CardLimits:
        """Get the limits of a card: `GET /cards/{cardId}/limits`. Codes: CARD_NOT_FOUND."""
        return self._call("cards.getCardLimits", {"cardId": card_id}, {}, options)

    def set_card_limits(self, *, card_id: str, per_transaction: SetCardLimitsPerTransaction | None, daily: SetCardLimitsPerTransaction | None, weekly: SetCardLimitsPerTransaction | None, monthly: SetCardLimitsPerTransaction | None, atm: SetCardLimitsPerTransaction | None, approval: str | None = None, options: Options | None = None) -> CardLimits:
        """Set the limits of a card: `PUT /cards/{cardId}/limits`. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, LIMIT_ABOVE_PROGRAM, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING."""
        return self._call("cards.setCardLimits", {"cardId": card_id, "perTransaction": per_transaction, "daily": daily, "weekly": weekly, "monthly": monthly, "atm": atm}, {"approval": approval}, options)

    def update_card_limits(self, *, card_id: str, approval: str | None = None, per_transaction: SetCardLimitsPerTransaction | None | Unset = UNSET, daily: SetCardLimitsPerTransaction | None | Unset = UNSET, weekly: SetCardLimitsPerTransaction | None | Unset = UNSET, monthly: SetCardLimitsPerTransaction | None | Unset = UNSET, atm: SetCardLimitsPerTransaction | None | Unset = UNSET, options: Options | None = None) -> CardLimits:
        """Change limits of a card: `PATCH /cards/{cardId}/limits`. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, LIMIT_ABOVE_PROGRAM, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING."""
        return self._call("cards.updateCardLimits", {"cardId": card_id, "perTransaction": per_transaction, "daily": daily, "weekly": weekly, "monthly": monthly, "atm": atm}, {"approval": approval}, options)

    def get_card_controls(self, *, card_id: str, options: Options | None = None) -> CardControls:
        """Get the controls of a card: `GET /cards/{cardId}/controls`. Codes: CARD_NOT_FOUND."""
        return self._call("cards.getCardControls", {"cardId": card_id}, {}, options)

    def set_card_controls(self, *, card_id: str, categories: CardControlsCategories, countries: CardControlsCategories, merchants: CardControlsCategories, online: bool, contactless: bool, atm: bool, approval: str | None = None, single_use: bool | None = None, options: Options | None = None) -> CardControls:
        """Set the controls of a card: `PUT /cards/{cardId}/controls`. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING."""
        return self._call("cards.setCardControls", {"cardId": card_id, "categories": categories, "countries": countries, "merchants": merchants, "online": online, "contactless": contactless, "atm": atm}, {"approval": approval, "singleUse": single_use}, options)

    def update_card_controls(self, *, card_id: str, approval: str | None = None, categories: UpdateCardControlsCategories | None = None, countries: UpdateCardControlsCategories | None = None, merchants: UpdateCardControlsCategories | None = None, online: bool | None = None, contactless: bool | None = None, atm: bool | None = None, single_use: bool | None = None, options: Options | None = None) -> CardControls:
        """Change controls of a card: `PATCH /cards/{cardId}/controls`. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING."""
        return self._call("cards.updateCardControls", {"cardId": card_id}, {"approval": approval, "categories": categories, "countries": countries, "merchants": merchants, "online": online, "contactless": contactless, "atm": atm, "singleUse": single_use}, options)

    def create_card_limits_challenge(self, *, card_id: str, domain_type: Literal["true", "false"] | None = None, per_transaction: SetCardLimitsPerTransaction | None | Unset = UNSET, daily: SetCardLimitsPerTransaction | None | Unset = UNSET, weekly: SetCardLimitsPerTransaction | None | Unset = UNSET, monthly: SetCardLimitsPerTransaction | None | Unset = UNSET, atm: SetCardLimitsPerTransaction | None | Unset = UNSET, options: Options | None = None) -> TypedMessage:
        """Create the approval of higher limits to sign: `POST /cards/{cardId}/limits/challenge`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT, LIMIT_ABOVE_PROGRAM."""
        return self._call("cards.createCardLimitsChallenge", {"cardId": card_id, "perTransaction": per_transaction, "daily": daily, "weekly": weekly, "monthly": monthly, "atm": atm}, {"domainType": domain_type}, options)

    def create_card_controls_challenge(self, *, card_id: str, domain_type: Literal["true", "false"] | None = None, categories: UpdateCardControlsCategories | None = None, countries: UpdateCardControlsCategories | None = None, merchants: UpdateCardControlsCategories | None = None, online: bool | None = None, contactless: bool | None = None, atm: bool | None = None, single_use: bool | None = None, options: Options | None = None) -> TypedMessage:
        """Create the approval of opened controls to sign: `POST /cards/{cardId}/controls/challenge`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.createCardControlsChallenge", {"cardId": card_id}, {"domainType": domain_type, "categories": categories, "countries": countries, "merchants": merchants, "online": online, "contactless": contactless, "atm": atm, "singleUse": single_use}, options)

    def create_unfreeze_challenge(self, *, card_id: str, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> TypedMessage:
        """Create the approval of unfreezing to sign: `POST /cards/{cardId}/unfreeze/challenge`. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT."""
        return self._call("cards.createUnfreezeChallenge", {"cardId": card_id}, {"domainType": domain_type}, options)


class UserMovementsOperations(Group):
    def list_deposits(self, *, limit: int | None = None, cursor: str | None = None, token: str | None = None, currency: str | None = None, from_: str | None = None, to: str | None = None, status: Literal["pending", "approved", "rejected"] | None = None, options: Options | None = None) -> Pages[Deposit, ListDepositsPage]:
        """List deposits: `GET /user/deposits`. Codes: ACCOUNT_NOT_FOUND."""
        return Pages(self._pages("userMovements.listDeposits", {}, {"limit": limit, "cursor": cursor, "token": token, "currency": currency, "from": from_, "to": to, "status": status}, options))

    def list_withdrawals(self, *, limit: int | None = None, cursor: str | None = None, token: str | None = None, currency: str | None = None, from_: str | None = None, to: str | None = None, status: Literal["pending", "processing", "completed", "failed"] | None = None, options: Options | None = None) -> Pages[Withdrawal, ListWithdrawalsPage]:
        """List withdrawals: `GET /user/withdrawals`. Codes: ACCOUNT_NOT_FOUND."""
        return Pages(self._pages("userMovements.listWithdrawals", {}, {"limit": limit, "cursor": cursor, "token": token, "currency": currency, "from": from_, "to": to, "status": status}, options))

    def submit_withdrawal(self, *, withdrawal_id: str, signature: str, options: Options | None = None) -> SubmitWithdrawalOutput:
        """Withdraw: `POST /user/withdrawals`. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, CHAIN_HALTED, INSUFFICIENT_FUNDS, INVALID_SIGNATURE, RECIPIENT_REJECTED, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_BLOCKED, WITHDRAWALS_FROZEN, WITHDRAWAL_EXPIRED, WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_LIMIT_EXCEEDED, WITHDRAWAL_NOT_FOUND."""
        return self._call("userMovements.submitWithdrawal", {"withdrawalId": withdrawal_id, "signature": signature}, {}, options)

    def create_withdrawal_challenge(self, *, token: str, amount: str, to: str, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> CreateWithdrawalChallengeOutput:
        """Create a withdrawal to sign: `POST /user/withdrawals/challenge`. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, AMOUNT_INVALID, CHAIN_HALTED, INSUFFICIENT_FUNDS, RECIPIENT_COOLING, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_LIMIT_EXCEEDED."""
        return self._call("userMovements.createWithdrawalChallenge", {"token": token, "amount": amount, "to": to}, {"domainType": domain_type}, options)

    def list_returns(self, *, options: Options | None = None) -> ListReturnsOutput:
        """List deposits to send back: `GET /user/returns`. Codes: ACCOUNT_NOT_FOUND."""
        return self._call("userMovements.listReturns", {}, {}, options)

    def create_return_challenge(self, *, return_id: str, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> CreateWithdrawalChallengeOutput:
        """Create the return of a deposit to sign: `POST /user/returns/{returnId}/challenge`. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, CHAIN_HALTED, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_NOT_FOUND."""
        return self._call("userMovements.createReturnChallenge", {"returnId": return_id}, {"domainType": domain_type}, options)

    def list_moves(self, *, options: Options | None = None) -> ListMovesOutput:
        """List money of former accounts: `GET /user/moves`. Codes: ACCOUNT_NOT_FOUND."""
        return self._call("userMovements.listMoves", {}, {}, options)

    def create_move_challenge(self, *, account_id: str, token: str, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> CreateWithdrawalChallengeOutput:
        """Create the move of money to sign: `POST /user/moves/challenge`. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, CHAIN_HALTED, INSUFFICIENT_FUNDS, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_IN_PROGRESS."""
        return self._call("userMovements.createMoveChallenge", {"accountId": account_id, "token": token}, {"domainType": domain_type}, options)

    def list_statement(self, *, limit: int | None = None, cursor: str | None = None, kind: Literal["deposit", "withdrawal", "card_payment", "card_refund", "card_credit", "dispute_credit", "dispute_reversal", "fee", "adjustment", "transfer", "reversal"] | None = None, token: str | None = None, currency: str | None = None, from_: str | None = None, to: str | None = None, options: Options | None = None) -> Pages[StatementLine, ListStatementPage]:
        """Get the statement: `GET /user/statement`. Codes: ACCOUNT_NOT_FOUND."""
        return Pages(self._pages("userMovements.listStatement", {}, {"limit": limit, "cursor": cursor, "kind": kind, "token": token, "currency": currency, "from": from_, "to": to}, options))

    def list_statement_csv(self, *, limit: int | None = None, cursor: str | None = None, kind: Literal["deposit", "withdrawal", "card_payment", "card_refund", "card_credit", "dispute_credit", "dispute_reversal", "fee", "adjustment", "transfer", "reversal"] | None = None, token: str | None = None, currency: str | None = None, from_: str | None = None, to: str | None = None, options: Options | None = None) -> str:
        """Get the statement: `GET /user/statement`. Codes: ACCOUNT_NOT_FOUND."""
        return self._call("userMovements.listStatementCsv", {}, {"limit": limit, "cursor": cursor, "kind": kind, "token": token, "currency": currency, "from": from_, "to": to}, options)


class LedgerOperations(Group):
    def list_ledger_heads(self, *, options: Options | None = None) -> ListLedgerHeadsOutput:
        """Signed heads of the ledger, newest first: `GET /.well-known/ledger-heads`."""
        return self._call("ledger.listLedgerHeads", {}, {}, options)

    def list_audit_heads(self, *, options: Options | None = None) -> ListAuditHeadsOutput:
        """Signed heads of the audit logs: `GET /.well-known/audit-heads`."""
        return self._call("ledger.listAuditHeads", {}, {}, options)

    def get_reserves(self, *, chain_id: int | None = None, block: int | None = None, part: int | None = None, options: Options | None = None) -> GetReservesOutput:
        """Get a proof of reserves: `GET /.well-known/proof-of-reserves`. Codes: RESERVES_NOT_FOUND."""
        return self._call("ledger.getReserves", {}, {"chainId": chain_id, "block": block, "part": part}, options)


class PartnersOperations(Group):
    def create_partner(self, *, bootstrap_token: str, name: str, jwk: CreatePartnerJwk, options: Options | None = None) -> PartnerClient:
        """Register the first key: `POST /partners`. Codes: BOOTSTRAP_TOKEN_INVALID, PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED."""
        return self._call("partners.createPartner", {"bootstrapToken": bootstrap_token, "name": name, "jwk": jwk}, {}, options)

    def list_partner_keys(self, *, options: Options | None = None) -> ListPartnerKeysOutput:
        """List the keys: `GET /partner/keys`. Codes: FORBIDDEN."""
        return self._call("partners.listPartnerKeys", {}, {}, options)

    def create_partner_key(self, *, name: str, jwk: CreatePartnerJwk, scopes: Sequence[str] | None = None, options: Options | None = None) -> PartnerClient:
        """Register a key: `POST /partner/keys`. Codes: FORBIDDEN, PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED."""
        return self._call("partners.createPartnerKey", {"name": name, "jwk": jwk}, {"scopes": scopes}, options)

    def list_partner_requests(self, *, options: Options | None = None) -> ListPartnerRequestsOutput:
        """List recent requests: `GET /partner/requests`. Codes: FORBIDDEN."""
        return self._call("partners.listPartnerRequests", {}, {}, options)

    def revoke_partner_key(self, *, client_id: str, options: Options | None = None) -> Done:
        """Revoke a key: `DELETE /partner/keys/{clientId}`. Codes: FORBIDDEN, PARTNER_KEY_NOT_FOUND."""
        return self._call("partners.revokePartnerKey", {"clientId": client_id}, {}, options)

    def get_partner_user(self, *, user_id: str, options: Options | None = None) -> User:
        """Get a user of the partner: `GET /partner/users/{userId}`. Codes: FORBIDDEN, USER_NOT_FOUND."""
        return self._call("partners.getPartnerUser", {"userId": user_id}, {}, options)

    def list_partner_user_cards(self, *, user_id: str, limit: int | None = None, cursor: str | None = None, status: Literal["active", "frozen", "lost", "stolen", "cancelled", "expired"] | None = None, options: Options | None = None) -> Pages[Card, ListCardsPage]:
        """List the cards of a user: `GET /partner/users/{userId}/cards`. Codes: FORBIDDEN, USER_NOT_FOUND."""
        return Pages(self._pages("partners.listPartnerUserCards", {"userId": user_id}, {"limit": limit, "cursor": cursor, "status": status}, options))

    def list_partner_user_transactions(self, *, user_id: str, limit: int | None = None, cursor: str | None = None, card_id: str | None = None, status: Literal["pending", "settled", "reversed", "expired", "declined"] | None = None, kind: Literal["payment", "refund", "atm", "credit", "verification"] | None = None, from_: str | None = None, to: str | None = None, after: str | None = None, before: str | None = None, currency: str | None = None, category_code: str | None = None, mcc: str | None = None, merchant: str | None = None, options: Options | None = None) -> Pages[CardTransaction, ListCardTransactionsPage]:
        """List the card transactions of a user: `GET /partner/users/{userId}/transactions`. Codes: FORBIDDEN, USER_NOT_FOUND."""
        return Pages(self._pages("partners.listPartnerUserTransactions", {"userId": user_id}, {"limit": limit, "cursor": cursor, "cardId": card_id, "status": status, "kind": kind, "from": from_, "to": to, "after": after, "before": before, "currency": currency, "categoryCode": category_code, "mcc": mcc, "merchant": merchant}, options))

    def get_partner_user_transaction(self, *, user_id: str, transaction_id: str, options: Options | None = None) -> CardTransactionDetail:
        """Get a card transaction of a user: `GET /partner/users/{userId}/transactions/{transactionId}`. Codes: FORBIDDEN, PAYMENT_NOT_FOUND, USER_NOT_FOUND."""
        return self._call("partners.getPartnerUserTransaction", {"userId": user_id, "transactionId": transaction_id}, {}, options)

    def get_partner_user_balances(self, *, user_id: str, options: Options | None = None) -> Balances:
        """Get the balances of a user: `GET /partner/users/{userId}/balances`. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND."""
        return self._call("partners.getPartnerUserBalances", {"userId": user_id}, {}, options)

    def list_partner_user_deposits(self, *, user_id: str, limit: int | None = None, cursor: str | None = None, token: str | None = None, currency: str | None = None, from_: str | None = None, to: str | None = None, status: Literal["pending", "approved", "rejected"] | None = None, options: Options | None = None) -> Pages[Deposit, ListDepositsPage]:
        """List the deposits of a user: `GET /partner/users/{userId}/deposits`. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND."""
        return Pages(self._pages("partners.listPartnerUserDeposits", {"userId": user_id}, {"limit": limit, "cursor": cursor, "token": token, "currency": currency, "from": from_, "to": to, "status": status}, options))

    def list_partner_user_withdrawals(self, *, user_id: str, limit: int | None = None, cursor: str | None = None, token: str | None = None, currency: str | None = None, from_: str | None = None, to: str | None = None, status: Literal["pending", "processing", "completed", "failed"] | None = None, options: Options | None = None) -> Pages[Withdrawal, ListWithdrawalsPage]:
        """List the withdrawals of a user: `GET /partner/users/{userId}/withdrawals`. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND."""
        return Pages(self._pages("partners.listPartnerUserWithdrawals", {"userId": user_id}, {"limit": limit, "cursor": cursor, "token": token, "currency": currency, "from": from_, "to": to, "status": status}, options))


class EventsOperations(Group):
    def list_events(self, *, after: str | None = None, types: str | None = None, version: Literal["1", "2"] | None = None, limit: int | None = None, options: Options | None = None) -> Pages[Event, ListEventsPage]:
        """List events: `GET /events`. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN."""
        return Pages(self._pages("events.listEvents", {}, {"after": after, "types": types, "version": version, "limit": limit}, options))

    def watch_events(self, *, after: str | None = None, types: str | None = None, version: Literal["1", "2"] | None = None, options: StreamOptions | None = None) -> Iterator[ServerEvent]:
        """Watch events: `GET /events/stream`. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN, STREAM_LIMIT_REACHED."""
        return self._watch("events.watchEvents", {}, {"after": after, "types": types, "version": version}, options)

    def list_user_events(self, *, after: str | None = None, types: str | None = None, version: Literal["1", "2"] | None = None, limit: int | None = None, options: Options | None = None) -> Pages[Event, ListEventsPage]:
        """List the events of the user: `GET /user/events`. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN."""
        return Pages(self._pages("events.listUserEvents", {}, {"after": after, "types": types, "version": version, "limit": limit}, options))

    def watch_user_events(self, *, after: str | None = None, types: str | None = None, version: Literal["1", "2"] | None = None, options: StreamOptions | None = None) -> Iterator[ServerEvent]:
        """Watch the events of the user: `GET /user/events/stream`. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, STREAM_LIMIT_REACHED."""
        return self._watch("events.watchUserEvents", {}, {"after": after, "types": types, "version": version}, options)


class NotificationsOperations(Group):
    def put_notification_subscription(self, *, endpoint: str, keys: PutNotificationSubscriptionKeys, language: Literal["en", "de", "fr"], expiration_time: float | None | Unset = UNSET, options: Options | None = None) -> NotificationDevice:
        """Register a device for Web Push: `PUT /notifications/subscriptions`. Codes: PUSH_ENDPOINT_FORBIDDEN, PUSH_NOT_AVAILABLE."""
        return self._call("notifications.putNotificationSubscription", {"endpoint": endpoint, "expirationTime": expiration_time, "keys": keys, "language": language}, {}, options)

    def delete_notification_subscription(self, *, subscription_id: str, options: Options | None = None) -> Done:
        """Remove a device: `DELETE /notifications/subscriptions/{subscriptionId}`."""
        return self._call("notifications.deleteNotificationSubscription", {"subscriptionId": subscription_id}, {}, options)

    def get_notification_preferences(self, *, options: Options | None = None) -> GetNotificationPreferencesOutput:
        """Get how the user is notified: `GET /notifications/preferences`."""
        return self._call("notifications.getNotificationPreferences", {}, {}, options)

    def set_notification_preferences(self, *, kinds: NotificationPreferencesKinds, language: Literal["en", "de", "fr"], quiet_hours: NotificationPreferencesQuietHours | None = None, options: Options | None = None) -> NotificationPreferences:
        """Set how the user is notified: `PUT /notifications/preferences`."""
        return self._call("notifications.setNotificationPreferences", {"kinds": kinds, "language": language}, {"quietHours": quiet_hours}, options)


class WebhooksOperations(Group):
    def create_webhook_endpoint(self, *, url: str, types: Sequence[str] | None = None, description: str | None = None, data_version: int | None = None, contact_email: str | None = None, secret: str | None = None, after: str | None = None, options: Options | None = None) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint: `POST /webhook-endpoints`. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN, WEBHOOK_ENDPOINT_LIMIT_REACHED, WEBHOOK_SECRET_INVALID, WEBHOOK_URL_FORBIDDEN."""
        return self._call("webhooks.createWebhookEndpoint", {"url": url}, {"types": types, "description": description, "dataVersion": data_version, "contactEmail": contact_email, "secret": secret, "after": after}, options)

    def list_webhook_endpoints(self, *, options: Options | None = None) -> ListWebhookEndpointsOutput:
        """List webhook endpoints: `GET /webhook-endpoints`. Codes: FORBIDDEN."""
        return self._call("webhooks.listWebhookEndpoints", {}, {}, options)

    def get_webhook_endpoint(self, *, endpoint_id: str, options: Options | None = None) -> WebhookEndpoint:
        """Get a webhook endpoint: `GET /webhook-endpoints/{endpointId}`. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND."""
        return self._call("webhooks.getWebhookEndpoint", {"endpointId": endpoint_id}, {}, options)

    def set_webhook_endpoint(self, *, endpoint_id: str, url: str, types: Sequence[str], description: str, contact_email: str | None, data_version: int | None = None, options: Options | None = None) -> WebhookEndpoint:
        """Set the settings of a webhook endpoint: `PUT /webhook-endpoints/{endpointId}`. Codes: EVENT_TYPE_UNKNOWN, FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_URL_FORBIDDEN."""
        return self._call("webhooks.setWebhookEndpoint", {"endpointId": endpoint_id, "url": url, "types": types, "description": description, "contactEmail": contact_email}, {"dataVersion": data_version}, options)

    def update_webhook_endpoint(self, *, endpoint_id: str, url: str | None = None, types: Sequence[str] | None = None, description: str | None = None, data_version: int | None = None, contact_email: str | None | Unset = UNSET, options: Options | None = None) -> WebhookEndpoint:
        """Change settings of a webhook endpoint: `PATCH /webhook-endpoints/{endpointId}`. Codes: EVENT_TYPE_UNKNOWN, FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_URL_FORBIDDEN."""
        return self._call("webhooks.updateWebhookEndpoint", {"endpointId": endpoint_id, "contactEmail": contact_email}, {"url": url, "types": types, "description": description, "dataVersion": data_version}, options)

    def delete_webhook_endpoint(self, *, endpoint_id: str, options: Options | None = None) -> Done:
        """Delete a webhook endpoint: `DELETE /webhook-endpoints/{endpointId}`. Codes: FORBIDDEN."""
        return self._call("webhooks.deleteWebhookEndpoint", {"endpointId": endpoint_id}, {}, options)

    def rotate_webhook_secret(self, *, endpoint_id: str, secret: str | None = None, options: Options | None = None) -> WebhookEndpointWithSecret:
        """Replace the secret of a webhook endpoint: `POST /webhook-endpoints/{endpointId}/rotate-secret`. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_SECRET_INVALID."""
        return self._call("webhooks.rotateWebhookSecret", {"endpointId": endpoint_id}, {"secret": secret}, options)

    def enable_webhook_endpoint(self, *, endpoint_id: str, options: Options | None = None) -> WebhookEndpoint:
        """Enable a webhook endpoint: `POST /webhook-endpoints/{endpointId}/enable`. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND."""
        return self._call("webhooks.enableWebhookEndpoint", {"endpointId": endpoint_id}, {}, options)

    def disable_webhook_endpoint(self, *, endpoint_id: str, options: Options | None = None) -> WebhookEndpoint:
        """Disable a webhook endpoint: `POST /webhook-endpoints/{endpointId}/disable`. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND."""
        return self._call("webhooks.disableWebhookEndpoint", {"endpointId": endpoint_id}, {}, options)

    def replay_webhook_events(self, *, endpoint_id: str, after: str | None = None, options: Options | None = None) -> WebhookEndpoint:
        """Deliver events again: `POST /webhook-endpoints/{endpointId}/replay`. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED."""
        return self._call("webhooks.replayWebhookEvents", {"endpointId": endpoint_id}, {"after": after}, options)

    def redeliver_webhook_event(self, *, endpoint_id: str, event_id: str | None = None, sequence: int | None = None, options: Options | None = None) -> WebhookOrder:
        """Deliver one event again: `POST /webhook-endpoints/{endpointId}/redeliver`. Codes: CURSOR_AHEAD, EVENTS_ARCHIVED, EVENT_NOT_FOUND, FORBIDDEN, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED."""
        return self._call("webhooks.redeliverWebhookEvent", {"endpointId": endpoint_id}, {"eventId": event_id, "sequence": sequence}, options)

    def send_test_webhook_event(self, *, endpoint_id: str, options: Options | None = None) -> WebhookOrder:
        """Send a test event: `POST /webhook-endpoints/{endpointId}/test`. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED."""
        return self._call("webhooks.sendTestWebhookEvent", {"endpointId": endpoint_id}, {}, options)

    def list_webhook_attempts(self, *, endpoint_id: str, limit: int | None = None, cursor: str | None = None, sequence: str | None = None, event_id: str | None = None, options: Options | None = None) -> Pages[WebhookAttempt, ListWebhookAttemptsPage]:
        """List attempts to deliver: `GET /webhook-endpoints/{endpointId}/attempts`. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND."""
        return Pages(self._pages("webhooks.listWebhookAttempts", {"endpointId": endpoint_id}, {"limit": limit, "cursor": cursor, "sequence": sequence, "eventId": event_id}, options))

    def list_webhook_keys(self, *, options: Options | None = None) -> ListWebhookKeysOutput:
        """Get the keys of webhooks: `GET /.well-known/webhooks/jwks.json`."""
        return self._call("webhooks.listWebhookKeys", {}, {}, options)


class KycOperations(Group):
    def get_kyc(self, *, options: Options | None = None) -> GetKycOutput:
        """Get the identity check: `GET /kyc`. Codes: USER_NOT_FOUND."""
        return self._call("kyc.getKyc", {}, {}, options)

    def create_kyc_session(self, *, options: Options | None = None) -> CreateKycSessionOutput:
        """Start or continue the identity check: `POST /kyc/session`. Codes: KYC_SESSION_FAILED, KYC_STATE_CONFLICT, USER_NOT_FOUND."""
        return self._call("kyc.createKycSession", {}, {}, options)


class PciOperations(Group):
    def list_vault_keys(self, *, options: Options | None = None) -> ListVaultKeysOutput:
        """Get the keys of the vault: `GET /pci/keys`."""
        return self._call("pci.listVaultKeys", {}, {}, options)

    def create_card_data_challenge(self, *, card_id: str, action: Literal["view-details", "view-pin", "set-pin"], thumbprint: str, domain_type: Literal["true", "false"] | None = None, options: Options | None = None) -> TypedMessage:
        """Create the consent to sign for card data: `GET /pci/cards/{cardId}/challenge`. Codes: ACCOUNT_NOT_FOUND, CARD_NOT_FOUND, CARD_NOT_REVEALABLE."""
        return self._call("pci.createCardDataChallenge", {"cardId": card_id, "action": action, "thumbprint": thumbprint}, {"domainType": domain_type}, options)

    def reveal_card_data(self, *, card_id: str, action: Literal["view-details", "view-pin"], signature: str, key: RevealCardDataKey, options: Options | None = None) -> RevealCardDataOutput:
        """Show card data: `POST /pci/cards/{cardId}/reveal`. Codes: ACCOUNT_NOT_FOUND, CARD_DATA_LIMIT_REACHED, CARD_NOT_FOUND, CARD_NOT_REVEALABLE, INVALID_SIGNATURE, PIN_NOT_SET, RECEIVING_KEY_INVALID."""
        return self._call("pci.revealCardData", {"cardId": card_id, "action": action, "signature": signature, "key": key}, {}, options)

    def set_pin(self, *, card_id: str, jwe: str, signature: str, options: Options | None = None) -> Done:
        """Set the PIN of a card: `PUT /pci/cards/{cardId}/pin`. Codes: ACCOUNT_NOT_FOUND, CARD_DATA_LIMIT_REACHED, CARD_NOT_FOUND, CARD_NOT_REVEALABLE, INVALID_SIGNATURE, PIN_TOO_SIMPLE, SEALED_MESSAGE_INVALID."""
        return self._call("pci.setPin", {"cardId": card_id, "jwe": jwe, "signature": signature}, {}, options)

    def list_card_data_access(self, *, limit: int | None = None, cursor: str | None = None, card_id: str | None = None, options: Options | None = None) -> Pages[CardDataAccess, ListCardDataAccessPage]:
        """List uses of card data: `GET /pci/access-log`."""
        return Pages(self._pages("pci.listCardDataAccess", {}, {"limit": limit, "cursor": cursor, "cardId": card_id}, options))


class ThreeDsOperations(Group):
    def list_challenges(self, *, limit: int | None = None, cursor: str | None = None, status: Literal["pending", "processing", "approved", "declined", "cancelled", "expired", "failed"] | None = None, card_id: str | None = None, from_: str | None = None, to: str | None = None, options: Options | None = None) -> Pages[ThreeDSChallenge, ListChallengesPage]:
        """List challenges: `GET /3ds/challenges`."""
        return Pages(self._pages("threeDs.listChallenges", {}, {"limit": limit, "cursor": cursor, "status": status, "cardId": card_id, "from": from_, "to": to}, options))

    def watch_challenges(self, *, options: StreamOptions | None = None) -> Iterator[ServerEvent]:
        """Watch challenges: `GET /3ds/challenges/events`. Codes: STREAM_LIMIT_REACHED."""
        return self._watch("threeDs.watchChallenges", {}, {}, options)

    def get_challenge(self, *, challenge_id: str, options: Options | None = None) -> ThreeDSChallengeDetailResponse:
        """Get a challenge: `GET /3ds/challenges/{challengeId}`. Codes: CHALLENGE_NOT_FOUND."""
        return self._call("threeDs.getChallenge", {"challengeId": challenge_id}, {}, options)

    def issue_decision_challenge(self, *, challenge_id: str, decision: Literal["approve", "decline"], domain_type: Literal["true", "false"] | None = None, quoted: Literal["true", "false"] | None = None, options: Options | None = None) -> TypedMessage:
        """Create the data to sign: `POST /3ds/challenges/{challengeId}/decision-challenge`. Codes: CHALLENGE_NOT_FOUND, DECISION_ALREADY_MADE, DECISION_NOT_AVAILABLE."""
        return self._call("threeDs.issueDecisionChallenge", {"challengeId": challenge_id, "decision": decision}, {"domainType": domain_type, "quoted": quoted}, options)

    def submit_decision(self, *, challenge_id: str, decision: Literal["approve", "decline"], signature: str, options: Options | None = None) -> ThreeDSChallengeDetailResponse:
        """Submit a decision: `POST /3ds/challenges/{challengeId}/decision`. Codes: ACCOUNT_NOT_ACTIVE, CARD_NOT_ACTIVE, CHALLENGE_NOT_FOUND, DECISION_ALREADY_MADE, DECISION_NOT_AVAILABLE, INVALID_SIGNATURE, WALLET_COOLING."""
        return self._call("threeDs.submitDecision", {"challengeId": challenge_id, "decision": decision, "signature": signature}, {}, options)


class HealthOperations(Group):
    def get_capabilities(self, *, options: Options | None = None) -> Capabilities:
        """Get what this deployment requires and offers: `GET /capabilities`."""
        return self._call("health.getCapabilities", {}, {}, options)

    def get_liveness(self, *, options: Options | None = None) -> GetLivenessOutput:
        """Check liveness: `GET /health/live`."""
        return self._call("health.getLiveness", {}, {}, options)

    def get_readiness(self, *, options: Options | None = None) -> GetLivenessOutput:
        """Check readiness: `GET /health/ready`."""
        return self._call("health.getReadiness", {}, {}, options)


class SandboxOperations(Group):
    def list_outbox(self, *, to: str, options: Options | None = None) -> SandboxListOutboxOutput:
        """List sent messages: `GET /sandbox/outbox`."""
        return self._call("sandbox.listOutbox", {"to": to}, {}, options)

    def create_partner(self, *, name: str, jwk: CreatePartnerJwk, options: Options | None = None) -> PartnerClient:
        """Become a partner: `POST /sandbox/partners`. Codes: PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED."""
        return self._call("sandbox.createPartner", {"name": name, "jwk": jwk}, {}, options)

    def create_deposit(self, *, token: str, amount: str, kyt: Literal["approve", "reject", "hold"] | None = None, options: Options | None = None) -> SandboxCreateDepositOutput:
        """Make a deposit: `POST /sandbox/deposits`. Codes: ACCOUNT_CLOSED, ACCOUNT_NOT_FOUND, AMOUNT_INVALID, DEPOSIT_STATE_CONFLICT, TOKEN_NOT_SUPPORTED."""
        return self._call("sandbox.createDeposit", {"token": token, "amount": amount}, {"kyt": kyt}, options)

    def resolve_deposit(self, *, deposit_id: str, outcome: Literal["approve", "reject"], options: Options | None = None) -> Deposit:
        """Resolve a deposit: `POST /sandbox/deposits/{depositId}/resolve`. Codes: ACCOUNT_NOT_FOUND, DEPOSIT_NOT_FOUND, DEPOSIT_STATE_CONFLICT."""
        return self._call("sandbox.resolveDeposit", {"depositId": deposit_id, "outcome": outcome}, {}, options)

    def create_withdrawal(self, *, token: str, amount: str, outcome: Literal["complete", "fail", "process", "hold"] | None = None, options: Options | None = None) -> SandboxCreateDepositOutput:
        """Make a withdrawal: `POST /sandbox/withdrawals`. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, AMOUNT_INVALID, CHAIN_HALTED, INSUFFICIENT_FUNDS, TOKEN_BLOCKED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_STATE_CONFLICT."""
        return self._call("sandbox.createWithdrawal", {"token": token, "amount": amount}, {"outcome": outcome}, options)

    def resolve_withdrawal(self, *, withdrawal_id: str, outcome: Literal["complete", "fail"], options: Options | None = None) -> Withdrawal:
        """Resolve a withdrawal: `POST /sandbox/withdrawals/{withdrawalId}/resolve`. Codes: ACCOUNT_NOT_FOUND, WITHDRAWAL_NOT_FOUND, WITHDRAWAL_STATE_CONFLICT."""
        return self._call("sandbox.resolveWithdrawal", {"withdrawalId": withdrawal_id, "outcome": outcome}, {}, options)

    def resolve_dispute(self, *, dispute_id: str, outcome: Literal["chargeback", "representment", "pre_arbitration", "arbitration", "won", "lost"], amount: str | None = None, options: Options | None = None) -> CardDisputeDetail:
        """Advance or decide a dispute: `POST /sandbox/disputes/{disputeId}/resolve`. Codes: DISPUTE_NOT_AVAILABLE, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.resolveDispute", {"disputeId": dispute_id, "outcome": outcome}, {"amount": amount}, options)

    def create_challenge(self, *, card_id: str, amount: str, currency: str, merchant: SandboxMerchant, expires_in_seconds: int | None = None, confirms_later: bool | None = None, options: Options | None = None) -> SandboxCreateChallengeOutput:
        """Raise a 3DS challenge: `POST /sandbox/3ds/challenges`. Codes: ACCOUNT_NOT_ACTIVE, CARD_NOT_ACTIVE, CARD_NOT_FOUND."""
        return self._call("sandbox.createChallenge", {"cardId": card_id, "amount": amount, "currency": currency, "merchant": merchant}, {"expiresInSeconds": expires_in_seconds, "confirmsLater": confirms_later}, options)

    def confirm_challenge(self, *, challenge_id: str, options: Options | None = None) -> ThreeDSChallengeDetailResponse:
        """Confirm a decision: `POST /sandbox/3ds/challenges/{challengeId}/confirm`. Codes: CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT."""
        return self._call("sandbox.confirmChallenge", {"challengeId": challenge_id}, {}, options)

    def cancel_challenge(self, *, challenge_id: str, options: Options | None = None) -> ThreeDSChallengeDetailResponse:
        """Cancel a challenge: `POST /sandbox/3ds/challenges/{challengeId}/cancel`. Codes: CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT."""
        return self._call("sandbox.cancelChallenge", {"challengeId": challenge_id}, {}, options)

    def create_payment(self, *, card_id: str, amount: str, currency: str, merchant: SandboxCardMerchant, entry_mode: Literal["chip", "contactless", "magnetic_stripe", "ecommerce", "merchant_initiated", "manual"] | None = None, atm: bool | None = None, three_ds_challenge_id: str | None = None, cash_back_amount: str | None = None, partial: bool | None = None, capture: bool | None = None, transaction_id: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> NetworkDecision:
        """Pay with a card: `POST /sandbox/payments`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED."""
        return self._call("sandbox.createPayment", {"cardId": card_id, "amount": amount, "currency": currency, "merchant": merchant}, {"entryMode": entry_mode, "atm": atm, "threeDsChallengeId": three_ds_challenge_id, "cashBackAmount": cash_back_amount, "partial": partial, "capture": capture, "transactionId": transaction_id, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def increment_payment(self, *, transaction_id: str, amount: str, currency: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> NetworkDecision:
        """Raise a payment: `POST /sandbox/payments/{transactionId}/increment`. Codes: CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.incrementPayment", {"transactionId": transaction_id, "amount": amount}, {"currency": currency, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def advise_payment(self, *, transaction_id: str, amount: str, card_id: str | None = None, currency: str | None = None, billing_amount: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Advise of an authorization: `POST /sandbox/payments/{transactionId}/advise`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.advisePayment", {"transactionId": transaction_id, "amount": amount}, {"cardId": card_id, "currency": currency, "billingAmount": billing_amount, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def clear_payment(self, *, transaction_id: str, amount: str, card_id: str | None = None, currency: str | None = None, billing_amount: str | None = None, final: bool | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Clear a payment: `POST /sandbox/payments/{transactionId}/clear`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.clearPayment", {"transactionId": transaction_id, "amount": amount}, {"cardId": card_id, "currency": currency, "billingAmount": billing_amount, "final": final, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def force_payment(self, *, transaction_id: str, amount: str, card_id: str | None = None, currency: str | None = None, billing_amount: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Force a posting: `POST /sandbox/payments/{transactionId}/force`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.forcePayment", {"transactionId": transaction_id, "amount": amount}, {"cardId": card_id, "currency": currency, "billingAmount": billing_amount, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def reverse_payment(self, *, transaction_id: str, card_id: str | None = None, amount: str | None = None, currency: str | None = None, billing_amount: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Reverse a payment: `POST /sandbox/payments/{transactionId}/reverse`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.reversePayment", {"transactionId": transaction_id}, {"cardId": card_id, "amount": amount, "currency": currency, "billingAmount": billing_amount, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def expire_payment(self, *, transaction_id: str, card_id: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Expire a payment: `POST /sandbox/payments/{transactionId}/expire`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.expirePayment", {"transactionId": transaction_id}, {"cardId": card_id, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def refund_payment(self, *, transaction_id: str, amount: str, card_id: str | None = None, currency: str | None = None, billing_amount: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Refund a payment: `POST /sandbox/payments/{transactionId}/refund`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.refundPayment", {"transactionId": transaction_id, "amount": amount}, {"cardId": card_id, "currency": currency, "billingAmount": billing_amount, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def announce_credit(self, *, transaction_id: str, amount: str, card_id: str | None = None, currency: str | None = None, billing_amount: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Announce a credit: `POST /sandbox/payments/{transactionId}/announce-credit`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.announceCredit", {"transactionId": transaction_id, "amount": amount}, {"cardId": card_id, "currency": currency, "billingAmount": billing_amount, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def correct_debit(self, *, transaction_id: str, amount: str, card_id: str | None = None, currency: str | None = None, billing_amount: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Correct a payment with a debit: `POST /sandbox/payments/{transactionId}/correct-debit`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.correctDebit", {"transactionId": transaction_id, "amount": amount}, {"cardId": card_id, "currency": currency, "billingAmount": billing_amount, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def correct_credit(self, *, transaction_id: str, amount: str, card_id: str | None = None, currency: str | None = None, billing_amount: str | None = None, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Correct a payment with a credit: `POST /sandbox/payments/{transactionId}/correct-credit`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND."""
        return self._call("sandbox.correctCredit", {"transactionId": transaction_id, "amount": amount}, {"cardId": card_id, "currency": currency, "billingAmount": billing_amount, "repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def create_refund(self, *, card_id: str, amount: str, currency: str, merchant: SandboxCardMerchant, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Refund without a payment: `POST /sandbox/refunds`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED."""
        return self._call("sandbox.createRefund", {"cardId": card_id, "amount": amount, "currency": currency, "merchant": merchant}, {"repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def create_credit(self, *, card_id: str, amount: str, currency: str, merchant: SandboxCardMerchant, repeat: int | None = None, delay_ms: int | None = None, lose_answer: bool | None = None, options: Options | None = None) -> CardTransactionDetail:
        """Push a credit: `POST /sandbox/credits`. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED."""
        return self._call("sandbox.createCredit", {"cardId": card_id, "amount": amount, "currency": currency, "merchant": merchant}, {"repeat": repeat, "delayMs": delay_ms, "loseAnswer": lose_answer}, options)

    def advance_clock(self, *, advance_seconds: int, options: Options | None = None) -> SandboxAdvanceClockOutput:
        """Move the clock of the caller's cards and challenges: `POST /sandbox/clock`."""
        return self._call("sandbox.advanceClock", {"advanceSeconds": advance_seconds}, {}, options)

    def move_kyc(self, *, status: Literal["pending", "approved", "resubmission_requested", "rejected", "documents_requested", "in_review"], options: Options | None = None) -> SandboxMoveKycOutput:
        """Move the identity check: `POST /sandbox/kyc`. Codes: KYC_STATE_CONFLICT, USER_NOT_FOUND."""
        return self._call("sandbox.moveKyc", {"status": status}, {}, options)


class Operations:
    """The operations by group."""

    def __init__(self, runner: Runner) -> None:
        self.auth = AuthOperations(runner)
        self.user = UserOperations(runner)
        self.terms = TermsOperations(runner)
        self.source_of_funds = SourceOfFundsOperations(runner)
        self.phone = PhoneOperations(runner)
        self.user_account = UserAccountOperations(runner)
        self.cards = CardsOperations(runner)
        self.user_movements = UserMovementsOperations(runner)
        self.ledger = LedgerOperations(runner)
        self.partners = PartnersOperations(runner)
        self.events = EventsOperations(runner)
        self.notifications = NotificationsOperations(runner)
        self.webhooks = WebhooksOperations(runner)
        self.kyc = KycOperations(runner)
        self.pci = PciOperations(runner)
        self.three_ds = ThreeDsOperations(runner)
        self.health = HealthOperations(runner)
        self.sandbox = SandboxOperations(runner)
