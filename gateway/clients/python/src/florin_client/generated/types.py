# Generated from the OpenAPI document by `npm run generate`; do not edit.
"""Types of the objects in requests and responses, by the names of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

CardColour = Literal["green", "blue", "violet", "red", "brown", "grey"]


class SandboxMerchant(TypedDict):
    id: NotRequired[str]
    # Name that the cardholder sees; begins with a visible character
    displayName: NotRequired[str]
    # ISO 3166-1 alpha-2 code
    country: NotRequired[str]
    # Merchant category code (ISO 18245)
    categoryCode: NotRequired[str]


class SandboxCardMerchant(TypedDict):
    id: NotRequired[str]
    name: NotRequired[str]
    city: NotRequired[str]
    country: NotRequired[str]
    # Merchant category code (ISO 18245)
    categoryCode: NotRequired[str]


class TokenPair(TypedDict):
    # JWT access token: a user token if the wallet is registered, otherwise a wallet token
    accessToken: str
    # Refresh token; valid once, within seven days
    refreshToken: str
    # Seconds until the access token expires
    expiresIn: int
    # Id of the user; absent while the wallet is not registered
    userId: NotRequired[str]


class Session(TypedDict):
    id: str
    wallet: str
    createdAt: str
    # When its tokens were last refreshed, or the sign-in
    lastUsedAt: str
    userAgent: NotRequired[str]
    ip: NotRequired[str]
    # True if the token of this request belongs to the session
    current: bool


class Pagination(TypedDict):
    # Pass as `cursor` to get the next page; null on the last page
    nextCursor: str | None
    hasNext: bool


class Registration(TypedDict):
    userId: str
    # JWT access token: a user token
    accessToken: str
    # Seconds until the access token expires; the refresh token of the sign-in yields the next one
    expiresIn: int


class UserWallet(TypedDict):
    address: str
    # True if the wallet registered the user, or replaced the wallet that did
    primary: bool
    # From when the wallet may approve payments and wallets (end of its cooling time). It may sign in and decline payments before.
    approvesFrom: str


class User(TypedDict):
    id: str
    email: str
    # Phone number of the cardholder; absent while there is none
    phone: NotRequired[str]
    # True if a code has verified the phone number; absent without one
    phoneVerified: NotRequired[bool]
    wallets: list[UserWallet]
    partnerId: str
    # Status of the identity check
    kycStatus: Literal["not_started", "pending", "approved", "resubmission_requested", "rejected", "documents_requested", "in_review"]
    createdAt: str


class Onboarding(TypedDict):
    status: Literal["action_accept_tos", "action_complete_kyc", "kyc_in_review", "action_kyc_resubmission", "action_complete_sof", "rejected", "account_provisioning", "completed"]
    # Page of the KYC provider; present if the status requires one and the provider has one
    url: NotRequired[str]
    # Status of the identity check
    kycStatus: Literal["not_started", "pending", "approved", "resubmission_requested", "rejected", "documents_requested", "in_review"]


class Term(TypedDict):
    # Stable identifier of the document
    type: str
    name: str
    # URL of the current version
    url: str
    currentVersion: str


class UserTerm(TypedDict):
    # Stable identifier of the document
    type: str
    name: str
    # URL of the current version
    url: str
    currentVersion: str
    # True if the caller has accepted the current version
    accepted: bool
    # The version that the caller accepted last
    acceptedVersion: NotRequired[str]
    acceptedAt: NotRequired[str]


class SourceOfFundsQuestion(TypedDict):
    question: str
    # The allowed answers
    answers: list[str]
    # The answer that the caller gave last
    answer: NotRequired[str]


class TypedMessageDomain(TypedDict):
    name: str
    version: str
    chainId: int


class TypedMessageTypesEIP712Domain(TypedDict):
    name: str
    type: str


class TypedMessageTypes(TypedDict):
    # Type of `domain`; present with `domainType=true`
    EIP712Domain: NotRequired[list[TypedMessageTypesEIP712Domain]]
    Message: list[TypedMessageTypesEIP712Domain]


class TypedMessageMessage(TypedDict):
    # The text that the wallet shows, with every fact of the consent; for a card payment decision, amount, merchant, card, challenge and expiry
    authorization: str
    # Single-use 256-bit number in decimal
    nonce: str


class TypedMessage(TypedDict):
    domain: TypedMessageDomain
    primaryType: Literal["Message"]
    types: TypedMessageTypes
    message: TypedMessageMessage


class AccountChain(TypedDict):
    name: str
    # EIP-155 chain id in decimal
    id: str


class Account(TypedDict):
    id: str
    kycProfileId: str
    safeOwnerAddress: str
    safeAddress: str
    chain: AccountChain
    # The `name` of `chain`
    chainName: str
    # Payment reference, unique to the account
    reference: str
    nativeCurrency: str
    additionalCurrencies: list[str]
    createdAt: str
    updatedAt: str
    closedAt: NotRequired[str]
    status: Literal["provisioning", "active", "blocked", "closed"]
    provisionedAt: NotRequired[str]
    # Tokens that the account cannot spend at the moment, whatever it has of them
    tokenBlocks: list[TokenBlock]
    deployment: NotRequired[Deployment]


class TokenBlock(TypedDict):
    token: str
    # `frozen`: its issuer has frozen the Safe of the account. `paused`: its issuer has paused it. `upgraded`: its issuer has exchanged its code, and the operator has not decided yet that it can be spent
    reason: Literal["frozen", "paused", "upgraded"]
    since: str


class DeploymentCollectionLimit(TypedDict):
    # The contract of the token
    token: str
    # Most that is collected of it in a day (UTC), in its smallest unit
    perDay: str


class DeploymentCollection(TypedDict):
    # Receives what is collected
    treasury: str
    limits: list[DeploymentCollectionLimit]


class Deployment(TypedDict):
    # `predicted` until the set-up is signed, `relaying` until it is final, `verified` when the Safe is what an account needs, `deviating` when it is not
    status: Literal["predicted", "relaying", "verified", "deviating"]
    # In what the Safe differs from what an account needs; empty unless `deviating`
    findings: list[str]
    # When it was verified first
    verifiedAt: NotRequired[str]
    # The owner today, a wallet of the user
    owner: str
    # The owner that the address of the Safe commits to; absent unless a recovery has exchanged it
    firstOwner: NotRequired[str]
    # The wallet that has replaced a lost owner, and becomes the owner with the backup key; absent without one, and once an exchange has made it the owner. The owner itself if it was put back
    replacement: NotRequired[str]
    # The second owner, a key or a Safe of the platform: both owners must sign
    platformOwner: str
    # Zodiac Delay module, through which the owner can move the money without the platform
    delayModule: str
    # Seconds between a request to the Delay module and its execution
    cooldownSeconds: int
    # Seconds after the cooldown in which it can be executed
    expirationSeconds: int
    # The key that exchanges a lost owner together with the platform; absent before one is named
    backup: NotRequired[BackupKey]
    # The signature of `platformOwner` over the set-up. With it the owner can deploy the Safe, set it up and leave without the platform: keep it before money is sent to the address. Absent where the owner alone signs the set-up, and once a backup key is named: the Safe is set up then
    setUpSignature: NotRequired[str]
    # Limits within which the platform may collect card spending: part of the set-up. Absent for a Safe from which nothing is collected
    collection: NotRequired[DeploymentCollection]


class BackupKey(TypedDict):
    # The backup key
    key: str
    # Zodiac Delay module in which the exchange of a lost owner waits
    module: str
    # Seconds between the request for an exchange and its execution
    cooldownSeconds: int
    # Seconds after the cooldown in which it can be executed
    expirationSeconds: int


class AccountReservesHeld(TypedDict):
    token: str
    # In the token's smallest unit
    amount: str


class AccountReservesPublicKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str


class AccountReserves(TypedDict):
    accountId: str
    chainId: int
    # Block of the chain as of which the Safe is shown
    block: int
    blockHash: str
    createdAt: str
    safeAddress: str
    # Owners in the Safe's initializer, the wallet first; empty when it held nothing
    owners: list[str]
    # Amounts that the Safe held, by token, without zeros
    held: list[AccountReservesHeld]
    # Amounts that the Safe must hold, by token, without zeros
    owed: list[AccountReservesHeld]
    # Siblings within the bucket of the account, from the bottom: side and hash
    accountPath: list[str]
    # Siblings of the bucket, from the bottom
    bucketPath: list[str]
    head: LedgerHead
    publicKey: AccountReservesPublicKey


class LedgerHead(TypedDict):
    shard: str
    # Number of the block
    block: int
    # SHA-256 of the block, which covers all blocks before it
    hash: str
    # Time of the block
    time: str
    # Root of the tree of all balances after the block
    root: NotRequired[str]
    # Root of the tree of what is owed to each account after the block
    owed: NotRequired[str]
    # All shards of the ledger
    shards: NotRequired[list[str]]
    # Thumbprint (RFC 7638) of the key that signed
    key: str
    # Ed25519, base64url, over the JSON array ["florin-head-2", shard, block, hash, time, root or "", owed or "", shards, key] without white space; of a head without shards over ["florin-head-1", shard, block, hash, time, root or "", key]
    signature: str


class Balances(TypedDict):
    data: list[CurrencyBalance]


class CurrencyBalance(TypedDict):
    currency: str
    decimals: int
    # Whole minor units of the spendable tokens; fractions are not spendable
    spendable: str
    # Amount held by card authorizations or blocked
    nonSpendable: str
    processingDeposits: str
    processingWithdrawals: str
    tokens: list[TokenBalance]


class TokenBalance(TypedDict):
    token: str
    decimals: int
    spendable: str
    nonSpendable: str
    processingDeposits: str
    maxInstantWithdraw: str
    # Contract of the token on the chain of the account, in lower case; absent if none is configured
    contract: NotRequired[str]
    # Least amount of a deposit that is credited; a smaller one is rejected. Absent if any amount is credited
    depositMinimum: NotRequired[str]


class CollectionAllowances(TypedDict):
    data: list[CollectionAllowance]


class CollectionAllowance(TypedDict):
    token: str
    decimals: int
    # Most that is collected in a day (UTC), as the Safe allows it
    perDay: str
    # Rest of it for today
    left: str
    # When all of it may be collected again
    resetsAt: str
    # Amount that cards have spent and that is still in the Safe
    uncollected: str
    # Amount set aside for card payments that are not cleared
    held: str
    # Most that cards may spend before something is collected, whatever the balance
    spendable: str


class SafeTypedDataDomain(TypedDict):
    chainId: int
    # The Safe
    verifyingContract: str


class SafeTypedDataTypes(TypedDict):
    # Type of `domain`; present with `domainType=true`
    EIP712Domain: NotRequired[list[TypedMessageTypesEIP712Domain]]
    SafeTx: list[TypedMessageTypesEIP712Domain]


class SafeTypedDataMessage(TypedDict):
    # The called contract; of a withdrawal, the token
    to: str
    # Integer in decimal
    value: str
    # Call data; of a withdrawal, `transfer(recipient, amount)` of the token
    data: str
    # 0 calls, 1 delegates
    operation: int
    # Integer in decimal
    safeTxGas: str
    # Integer in decimal
    baseGas: str
    # Integer in decimal
    gasPrice: str
    gasToken: str
    refundReceiver: str
    # Integer in decimal
    nonce: str


class SafeTypedData(TypedDict):
    domain: SafeTypedDataDomain
    primaryType: Literal["SafeTx"]
    types: SafeTypedDataTypes
    message: SafeTypedDataMessage


class RecoveryChallenge(TypedDict):
    transactionId: str
    typedData: SafeTypedData
    # The key that signs it: the owner of the Safe, or the backup key
    signer: str
    # The key that signs the same typed data, which proves that it can sign: the backup key that is named, or the wallet that becomes the owner; absent in a stop
    provenKey: NotRequired[str]
    # Until when the signature is accepted
    expiresAt: str
    # The backup key as the naming leads to it; absent in the other steps
    backup: NotRequired[BackupKey]


class Recovery(TypedDict):
    recoveryId: str
    # `requested` until the request is on the chain, `waiting` until it is executed, `completed` once the owner is exchanged, `cancelled` if it was stopped or has expired
    status: Literal["requested", "waiting", "completed", "cancelled"]
    # The wallet that becomes the owner
    newOwner: str
    createdAt: str
    # When the owner can be exchanged; absent before it waits on the chain
    executableAt: NotRequired[str]


class Card(TypedDict):
    id: str
    # Name that the cardholder gave the card
    cardName: str
    # The same as `cardName`
    name: str
    # Colour that the cardholder chose; apps show a card without it in green
    colour: NotRequired[CardColour]
    last4: str
    expMonth: int
    expYear: int
    network: str
    virtual: bool
    status: Literal["active", "frozen", "lost", "stolen", "cancelled", "expired"]
    # Reason given for the current status
    statusReason: NotRequired[str]
    # Present while the card is frozen; the cardholder cannot lift a freeze by the issuer
    frozenBy: NotRequired[Literal["cardholder", "issuer"]]
    # The lost or stolen card that this card replaces
    replacementFor: NotRequired[str]
    # The card that replaces this lost or stolen card
    replacedBy: NotRequired[str]
    # The payment that has used up a card for single use
    usedBy: NotRequired[str]
    # Present where cards are read
    limits: NotRequired[CardLimits]
    createdAt: str


class CardLimitsPerTransaction(TypedDict):
    amount: str
    currency: str
    # Amount that counts in the current period
    used: str
    remaining: str
    # End of the current period; absent for `perTransaction`
    resetsAt: NotRequired[str]


class CardLimits(TypedDict):
    perTransaction: NotRequired[CardLimitsPerTransaction]
    daily: NotRequired[CardLimitsPerTransaction]
    weekly: NotRequired[CardLimitsPerTransaction]
    monthly: NotRequired[CardLimitsPerTransaction]
    atm: NotRequired[CardLimitsPerTransaction]


class CardTransactionThreeDs(TypedDict):
    challengeId: str
    eci: NotRequired[str]


class CardTransaction(TypedDict):
    id: str
    accountId: str
    cardId: str
    status: Literal["pending", "settled", "reversed", "expired", "declined"]
    kind: Literal["payment", "refund", "atm", "credit", "verification"]
    # True if the account is credited
    isCredit: bool
    amount: str
    currency: str
    decimals: int
    # Amount in the currency of the transaction
    originalAmount: str
    originalCurrency: str
    originalDecimals: int
    fx: NotRequired[CurrencyConversion]
    conversionCost: NotRequired[ConversionCost]
    heldAmount: str
    clearedAmount: str
    refundedAmount: str
    # Amount credited for this payment by refunds that are transactions of their own
    relatedRefundAmount: NotRequired[str]
    # Credit that was announced and is not booked yet
    pendingCreditAmount: str
    merchant: CardMerchant
    entryMode: NotRequired[Literal["chip", "contactless", "magnetic_stripe", "ecommerce", "merchant_initiated", "manual"]]
    authorizationCode: NotRequired[str]
    # Card network, in lower case
    network: NotRequired[str]
    # The network's id of the transaction
    networkTransactionId: NotRequired[str]
    declineReason: NotRequired[DeclineReason]
    threeDs: NotRequired[CardTransactionThreeDs]
    # The latest dispute
    dispute: NotRequired[CardTransactionDispute]
    # Disputes before the latest one, oldest first
    earlierDisputes: NotRequired[list[CardTransactionDispute]]
    # Of a refund: the payment that it is likely to refund
    relatedTransactionId: NotRequired[str]
    # The cardholder's own note, which nobody else is told of
    note: NotRequired[str]
    # When the hold expires; present while pending
    expiresAt: NotRequired[str]
    createdAt: str
    clearedAt: NotRequired[str]
    updatedAt: str


class CurrencyConversion(TypedDict):
    rate: str
    markupBasisPoints: int
    rateDate: NotRequired[str]
    markupAmount: NotRequired[str]


class ConversionCost(TypedDict):
    referenceRate: str
    referenceDate: str
    overReferenceBasisPoints: int


class CardMerchant(TypedDict):
    id: NotRequired[str]
    name: NotRequired[str]
    city: NotRequired[str]
    country: NotRequired[str]
    categoryCode: NotRequired[str]


class DeclineReason(TypedDict):
    code: str
    # The reason in words
    message: str


class CardTransactionDispute(TypedDict):
    id: str
    # `submitted`, `won`, `lost` or `withdrawn`
    status: str
    # When it was opened
    createdAt: NotRequired[str]
    # How far it has gone at the card network, or its outcome
    stage: NotRequired[Literal["opened", "chargeback", "representment", "pre_arbitration", "arbitration", "won", "lost", "withdrawn"]]
    # `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other`
    reason: str
    # In the words of the cardholder
    text: NotRequired[str]
    provisionalCredit: str
    amount: str
    creditedAmount: str
    # True if it has blocked the card for good
    cardBlocked: NotRequired[bool]


class CardTransactionDetail(TypedDict):
    id: str
    accountId: str
    cardId: str
    status: Literal["pending", "settled", "reversed", "expired", "declined"]
    kind: Literal["payment", "refund", "atm", "credit", "verification"]
    # True if the account is credited
    isCredit: bool
    amount: str
    currency: str
    decimals: int
    # Amount in the currency of the transaction
    originalAmount: str
    originalCurrency: str
    originalDecimals: int
    fx: NotRequired[CurrencyConversion]
    conversionCost: NotRequired[ConversionCost]
    heldAmount: str
    clearedAmount: str
    refundedAmount: str
    # Amount credited for this payment by refunds that are transactions of their own
    relatedRefundAmount: NotRequired[str]
    # Credit that was announced and is not booked yet
    pendingCreditAmount: str
    merchant: CardMerchant
    entryMode: NotRequired[Literal["chip", "contactless", "magnetic_stripe", "ecommerce", "merchant_initiated", "manual"]]
    authorizationCode: NotRequired[str]
    # Card network, in lower case
    network: NotRequired[str]
    # The network's id of the transaction
    networkTransactionId: NotRequired[str]
    declineReason: NotRequired[DeclineReason]
    threeDs: NotRequired[CardTransactionThreeDs]
    # The latest dispute
    dispute: NotRequired[CardTransactionDispute]
    # Disputes before the latest one, oldest first
    earlierDisputes: NotRequired[list[CardTransactionDispute]]
    # Of a refund: the payment that it is likely to refund
    relatedTransactionId: NotRequired[str]
    # The cardholder's own note, which nobody else is told of
    note: NotRequired[str]
    # When the hold expires; present while pending
    expiresAt: NotRequired[str]
    createdAt: str
    clearedAt: NotRequired[str]
    updatedAt: str
    # Reports of the card network, in the order of arrival
    events: list[CardTransactionEvent]
    # Ids of the ledger's holds and entries; lines of the statement have them as `reference`
    ledgerEntries: list[str]


class CardTransactionEvent(TypedDict):
    id: str
    type: str
    at: str
    amount: NotRequired[str]
    approved: bool
    # Response code of ISO 8583, field 39
    responseCode: NotRequired[str]
    # Why this request was declined
    declineReason: NotRequired[DeclineReason]
    # Acquirer reference number (ARN) of a clearing or refund, by which a merchant finds it
    acquirerReference: NotRequired[str]
    # Wallet of the device that has paid
    wallet: NotRequired[str]
    # Reference of the token that has paid in place of the card number
    tokenReference: NotRequired[str]


class DecisionReceipt(TypedDict):
    challengeId: str
    decision: Literal["approve", "decline"]
    typedData: TypedMessage
    # EIP-712 digest of `typedData`, which was signed
    typedDataHash: str
    # 0x and hexadecimal digits in lower case: 65 bytes of a wallet, 65 to 2048 bytes for a Safe
    signature: str
    # The wallet that has signed, or the Safe that has accepted the signature
    signer: str
    # `wallet`: the address is recovered from the signature. `safe`: its contract accepts the signature (EIP-1271) at `blockNumber`.
    signerType: Literal["wallet", "safe"]
    # Block of the chain `typedData.domain.chainId`; present for a Safe
    blockNumber: NotRequired[int]
    # When the typed data was created
    issuedAt: str
    decidedAt: str
    # When the challenge expires
    expiresAt: str
    # Absent without a payment, like `currency` and `decimals`
    amount: NotRequired[str]
    currency: NotRequired[str]
    decimals: NotRequired[int]
    cardLast4: str
    merchant: NotRequired[ThreeDSMerchant]
    # SHA-256 over the other fields, which detects damage of those that are not signed
    fingerprint: str


class ThreeDSMerchant(TypedDict):
    id: NotRequired[str]
    displayName: NotRequired[str]
    country: NotRequired[str]
    categoryCode: NotRequired[str]


class ForeignAmount(TypedDict):
    # Amount in the currency of the transaction
    originalAmount: str
    originalCurrency: str
    originalDecimals: int
    # Decimals of the billing currency, in whose minor unit the mark-up's amount is
    decimals: int
    # Absent when the processor has converted
    fx: NotRequired[CurrencyConversion]
    # Absent when the reference rate was not known
    conversionCost: NotRequired[ConversionCost]


class CardDispute(TypedDict):
    id: str
    # `submitted`, `won`, `lost` or `withdrawn`
    status: str
    # When it was opened
    createdAt: NotRequired[str]
    # How far it has gone at the card network, or its outcome
    stage: NotRequired[Literal["opened", "chargeback", "representment", "pre_arbitration", "arbitration", "won", "lost", "withdrawn"]]
    # `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other`
    reason: str
    # In the words of the cardholder
    text: NotRequired[str]
    provisionalCredit: str
    amount: str
    creditedAmount: str
    # True if it has blocked the card for good
    cardBlocked: NotRequired[bool]
    cardTransactionId: str
    cardId: str
    currency: str
    decimals: int
    merchant: NotRequired[CardMerchant]
    # Until when the next step has to be taken
    deadline: NotRequired[str]


class CardDisputeDetail(TypedDict):
    id: str
    # `submitted`, `won`, `lost` or `withdrawn`
    status: str
    # When it was opened
    createdAt: NotRequired[str]
    # How far it has gone at the card network, or its outcome
    stage: NotRequired[Literal["opened", "chargeback", "representment", "pre_arbitration", "arbitration", "won", "lost", "withdrawn"]]
    # `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other`
    reason: str
    # In the words of the cardholder
    text: NotRequired[str]
    provisionalCredit: str
    amount: str
    creditedAmount: str
    # True if it has blocked the card for good
    cardBlocked: NotRequired[bool]
    cardTransactionId: str
    cardId: str
    currency: str
    decimals: int
    merchant: NotRequired[CardMerchant]
    # Until when the next step has to be taken
    deadline: NotRequired[str]
    timeline: list[CardDisputeStep]


class CardDisputeStep(TypedDict):
    stage: Literal["opened", "chargeback", "representment", "pre_arbitration", "arbitration", "won", "lost", "withdrawn"]
    at: str
    # Amount of the step; absent if it is the disputed amount
    amount: NotRequired[str]
    # Until when the next step has to be taken
    deadline: NotRequired[str]


class CardControlsCategories(TypedDict):
    allow: list[str]
    deny: list[str]


class CardControls(TypedDict):
    # Merchant category codes (ISO 18245)
    categories: CardControlsCategories
    # Countries of merchants
    countries: CardControlsCategories
    # Acquirers' ids of merchants
    merchants: CardControlsCategories
    # True if payments without the card present are permitted
    online: bool
    # True if contactless payments are permitted
    contactless: bool
    # True if cash withdrawals are permitted
    atm: bool
    # True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first
    singleUse: bool


class CardDataAccess(TypedDict):
    id: str
    cardId: str
    last4: str
    # `seal`: the data was encrypted for the card processor
    action: Literal["seal", "view-details", "view-pin", "set-pin"]
    # The wallet that signed; absent for `seal`
    wallet: NotRequired[str]
    # Thumbprint (RFC 7638, SHA-256, base64url) of the app's P-256 key
    thumbprint: str
    at: str


class DepositKytBreakdown(TypedDict):
    result: str
    riskScore: int
    riskTier: str


Deposit = TypedDict(
  "Deposit",
  {
    "id": "str",
    "txHash": "str",
    "amount": "str",
    "currency": "str",
    "token": "str",
    "decimals": "int",
    "createdAt": "str",
    "from": "NotRequired[str]",
    "status": "Literal['pending', 'approved', 'rejected']",
    "resolvedAt": "NotRequired[str]",
    "reversedAt": "NotRequired[str]",
    "reason": "NotRequired[Literal['SCREENING_REJECTED', 'OPERATOR_REJECTED', 'DEPOSIT_REVERSED']]",
    "kytBreakdown": "NotRequired[DepositKytBreakdown]",
  },
)


class Withdrawal(TypedDict):
    id: str
    # Absent until the transaction is known
    txHash: NotRequired[str]
    # Integer in the token's smallest unit
    amount: str
    currency: str
    token: str
    decimals: int
    createdAt: str
    # Address that receives it; absent where it was not given
    to: NotRequired[str]
    status: Literal["pending", "processing", "completed", "failed"]
    # When it was sent to the chain; absent if that was skipped
    processingAt: NotRequired[str]
    # When it was completed or has failed
    endedAt: NotRequired[str]
    # Why it has failed: a code. New ones may be added.
    reason: NotRequired[str]


class DepositReturn(TypedDict):
    id: str
    token: str
    decimals: int
    amount: str
    # The sender of the deposit, to whom it goes back
    to: str
    # The transaction that brought it
    txHash: str
    # The Safe that sends it back
    safeAddress: str


class Move(TypedDict):
    # The former account
    accountId: str
    # The former account's Safe
    safeAddress: str
    token: str
    decimals: int
    amount: str
    # True if `POST /user/moves/challenge` moves it; otherwise the Safe's owners move it without the platform, with their wallets alone
    cosigned: bool
    # The wallet that the Safe was made for
    firstOwner: str


class StatementLine(TypedDict):
    id: str
    # `card_payment`: taken for a card transaction; `card_refund`, `card_credit`: refunded, or pushed to the card, and negative where that was taken back; `dispute_credit`, `dispute_reversal`: credited for a dispute, and taken back; `fee`: to the program; `adjustment`: booked by the program; `transfer`: from or to another account; `reversal`: an earlier line taken back
    kind: Literal["deposit", "withdrawal", "card_payment", "card_refund", "card_credit", "dispute_credit", "dispute_reversal", "fee", "adjustment", "transfer", "reversal"]
    # UUID of the deposit, withdrawal, hold or entry that the line was booked for; of a reversal, of what it reverses
    reference: str
    # The card transaction that the line belongs to
    cardTransactionId: NotRequired[str]
    # Merchant of the card transaction
    merchant: NotRequired[CardMerchant]
    # How the line's amount in another currency was billed, with its mark-up by itself; credits of disputes have none
    foreign: NotRequired[ForeignAmount]
    # The dispute that the line belongs to; absent where the card transaction has had several
    disputeId: NotRequired[str]
    # Kind of the line in English, with the merchant
    description: str
    # Transaction hash; present on deposits and withdrawals
    txHash: NotRequired[str]
    token: str
    decimals: int
    currency: str
    # Signed integer in the token's smallest unit; negative when the account was debited
    amount: str
    # Booked balance of the token after this line (ISO 20022), in the token's smallest unit; negative when the account owes
    balanceAfter: str
    # Part of the amount that repaid debt; absent when none did
    debtRepaid: NotRequired[str]
    # Part of the amount that was not covered and became debt; absent when none did
    debtIncurred: NotRequired[str]
    createdAt: str


class AuditHead(TypedDict):
    # Name of the process
    service: str
    # Number of the record
    sequence: int
    # SHA-256 of the record, which covers all records before it
    hash: str
    # When the record was added
    at: str
    # Ed25519 by the key of the process, over the JSON array ["florin-audit-head-1", service, sequence, hash, at] without white space
    seal: str


class ThreeDSChallenge(TypedDict):
    id: str
    cardId: str
    accountId: str
    amount: NotRequired[str]
    currency: NotRequired[str]
    decimals: NotRequired[int]
    # Last four digits of the card, as in the text that the wallet shows
    cardLast4: str
    merchant: ThreeDSMerchant
    status: Literal["pending", "processing", "approved", "declined", "cancelled", "expired", "failed"]
    # Present once a decision was submitted
    decision: NotRequired[Literal["approve", "decline"]]
    createdAt: NotRequired[str]
    # When the decision was submitted; present with it
    decidedAt: NotRequired[str]
    # The card transaction that has used the approval
    cardTransactionId: NotRequired[str]
    expiresAt: str
    # True while a decision can be submitted: the status is `pending` and `expiresAt` has not passed
    decisionAvailable: bool


class ThreeDSChallengeDetailResponse(TypedDict):
    serverTime: str
    challenge: ThreeDSChallenge


class ThreeDSChallengesReady(TypedDict):
    serverTime: str
    # True if the preceding events are all pending challenges: any other challenge that the client shows as pending is no longer pending
    snapshot: bool


class ThreeDSChallengesReset(TypedDict):
    serverTime: str
    # The Last-Event-ID is malformed, too old or of another platform: the pending challenges follow instead of the changes after it
    code: Literal["LAST_EVENT_ID_UNKNOWN"]


class ThreeDSChallengesEnd(TypedDict):
    serverTime: str
    # `TOKEN_ENDED`: the token expired or its session ended; get a new token before reconnecting. `STOPPING`: the server stops; reconnect. `TOO_SLOW`: the client did not read fast enough; reconnect.
    code: Literal["TOKEN_ENDED", "STOPPING", "TOO_SLOW"]


class PartnerClient(TypedDict):
    # Thumbprint of the key (RFC 7638): `kid`, `iss` and `sub` of the tokens that it signs
    clientId: str
    # The partner whose events and users its tokens reach
    partnerId: str
    name: str
    # Scopes that its tokens may carry
    scopes: list[str]
    createdAt: str
    # The key of the partner with whose token it was registered; absent if the platform let it in
    registeredBy: NotRequired[str]
    # When the key ends by itself: those of a sandbox do
    expiresAt: NotRequired[str]


class PartnerRequestMember(TypedDict):
    # Path of the member; `[]` is the first item of an array, `?` a name that is no word
    name: str
    type: Literal["string", "number", "boolean", "null", "object", "array"]


class PartnerRequest(TypedDict):
    # `X-Request-Id` of the request, by which the operator finds it in logs
    requestId: str
    at: str
    method: str
    # Path of the operation, without ids
    path: str
    # Name of the client that signed the token
    clientId: str
    status: int
    # Code of the error, see `/errors`
    error: NotRequired[str]
    # Milliseconds until the response was sent
    durationMs: int
    # Names and types of the members of the body that was sent, without their values
    members: list[PartnerRequestMember]


class Event(TypedDict):
    # UUID; a repeat of the event has the same one
    id: str
    # Type of the catalogue. New types may be added.
    type: str
    timestamp: str
    # Kind and id of the changed object
    subject: str
    # Place in the feed, from 1 without a gap
    sequence: int
    # Place of the last event before it that the filter of this request lets through; 0 without one. Another value than the `sequence` of the event that was received before shows that something is missing.
    previousSequence: int
    # Number of this change of the subject, from 1 without a gap
    subjectSequence: int
    # A JSON object with ids, states, amounts, merchants and the last digits of cards; it names no person. Fields may be added.
    data: Any


class EventCheckpoint(TypedDict):
    timestamp: str
    # Place of the last event of the feed; 0 without one
    sequence: int
    # Place of the last event that the filter lets through; 0 without one
    previousSequence: int


class EventsEnd(TypedDict):
    code: Literal["TOKEN_ENDED", "STOPPING", "TOO_SLOW"]


class WebhookEndpointWithSecretDelivery(TypedDict):
    # Place up to which every event was delivered, was given up, or waits in a parked subject
    cursor: str
    # Subjects of which an event failed and waits for its next attempt
    parkedSubjects: int
    failingSince: NotRequired[str]
    lastSuccessAt: NotRequired[str]


class WebhookEndpointWithSecret(TypedDict):
    id: str
    # https URL of a public host, without user information and fragment
    url: str
    types: list[str]
    description: str
    dataVersion: int
    contactEmail: NotRequired[str]
    status: Literal["enabled", "disabled"]
    # `requested` by you, `gone` after an answer 410, `failing` after five days without a success
    disabledReason: NotRequired[Literal["requested", "gone", "failing"]]
    createdAt: str
    # When the secret before the current one stops signing
    previousSecretExpiresAt: NotRequired[str]
    # How far the deliveries are, as of a second ago
    delivery: NotRequired[WebhookEndpointWithSecretDelivery]
    # `whsec_` and base64 of 24 to 64 bytes
    secret: str


class WebhookEndpoint(TypedDict):
    id: str
    # https URL of a public host, without user information and fragment
    url: str
    types: list[str]
    description: str
    dataVersion: int
    contactEmail: NotRequired[str]
    status: Literal["enabled", "disabled"]
    # `requested` by you, `gone` after an answer 410, `failing` after five days without a success
    disabledReason: NotRequired[Literal["requested", "gone", "failing"]]
    createdAt: str
    # When the secret before the current one stops signing
    previousSecretExpiresAt: NotRequired[str]
    # How far the deliveries are, as of a second ago
    delivery: NotRequired[WebhookEndpointWithSecretDelivery]


class WebhookOrder(TypedDict):
    success: Literal[True]
    # Id of the event, which its attempt carries
    eventId: str


class WebhookAttempt(TypedDict):
    id: str
    eventId: str
    eventType: str
    # Place of the event; 0 for a test event
    sequence: int
    # Number of the attempt, from 1; 0 for a redelivery, a test or a checkpoint
    number: int
    at: str
    durationMs: int
    # Status of the answer; absent without one
    status: NotRequired[int]
    # Why there was no answer
    failure: NotRequired[str]
    # The first KiB of the answer
    answer: str


class NotificationDevice(TypedDict):
    # Id of the subscription, the same for the same endpoint
    id: str
    language: Literal["en", "de", "fr"]
    createdAt: str
    renewedAt: str


class NotificationPreferencesKindsPayment_approved(TypedDict):
    push: bool
    email: bool


class NotificationPreferencesKinds(TypedDict):
    payment_approved: NotificationPreferencesKindsPayment_approved
    payment_declined: NotificationPreferencesKindsPayment_approved
    challenge: NotificationPreferencesKindsPayment_approved
    refund: NotificationPreferencesKindsPayment_approved
    deposit: NotificationPreferencesKindsPayment_approved
    withdrawal: NotificationPreferencesKindsPayment_approved
    card: NotificationPreferencesKindsPayment_approved
    security: NotificationPreferencesKindsPayment_approved


NotificationPreferencesQuietHours = TypedDict(
  "NotificationPreferencesQuietHours",
  {
    "from": "str",
    "to": "str",
    "timeZone": "str",
  },
)


class NotificationPreferences(TypedDict):
    # How the user is notified of each kind: payments that were approved or declined, `challenge`: payments that wait for an approval, money that came back, deposits, withdrawals, states of cards, and `security`: wallets and the phone number
    kinds: NotificationPreferencesKinds
    # When devices stay silent. Challenges and `security` are pushed all the same. Absent: never
    quietHours: NotRequired[NotificationPreferencesQuietHours]
    # Language of mails
    language: Literal["en", "de", "fr"]


class CapabilitiesToken(TypedDict):
    token: str
    decimals: int
    currency: str
    # Address of the token on the chain, in lower case
    contract: NotRequired[str]


class CapabilitiesChain(TypedDict):
    # EIP-155 id in decimal digits
    id: str
    name: str


class CapabilitiesLimitsRequestsPerMinute(TypedDict):
    # Requests of a user or wallet
    caller: int
    # Sign-ins, codes and registrations of an IP address
    signIn: int


class CapabilitiesLimitsPayments(TypedDict):
    currency: str
    perTransaction: NotRequired[str]
    daily: NotRequired[str]
    weekly: NotRequired[str]
    monthly: NotRequired[str]
    atm: NotRequired[str]


class CapabilitiesLimits(TypedDict):
    # Most cards that a user has at a time; replacements do not count
    cards: int
    requestsPerMinute: CapabilitiesLimitsRequestsPerMinute
    # Most that a cardholder can allow a card, in the minor unit of the currency; one that is absent does not exist
    payments: CapabilitiesLimitsPayments


class CapabilitiesNotifications(TypedDict):
    # Key of Web Push (VAPID, RFC 8292), for `pushManager.subscribe`
    publicKey: NotRequired[str]


class CapabilitiesSupport(TypedDict):
    url: NotRequired[str]
    email: NotRequired[str]


class Capabilities(TypedDict):
    # True if outside systems are simulated and no real money moves
    sandbox: bool
    # Steps of a new user: `terms`, `kyc` and `source_of_funds` before the account is active, `phone` (a number that a code has verified) before the first card, `safe` (a Safe that is deployed and verified) before the account is active. Empty: nothing
    onboarding: list[Literal["terms", "kyc", "source_of_funds", "phone", "safe"]]
    # Wallets that can sign in: plain ones, and contracts (EIP-1271)
    wallets: list[Literal["eoa", "safe"]]
    # True if accounts have Safes on the chain, from which users withdraw with a signature
    withdrawals: bool
    tokens: list[CapabilitiesToken]
    # Tokens that no account can spend at the moment
    tokenBlocks: list[TokenBlock]
    # Currencies of accounts, the native one first
    currencies: list[str]
    chain: CapabilitiesChain
    limits: CapabilitiesLimits
    # Absent: nobody is notified. Without a key there are mails only
    notifications: NotRequired[CapabilitiesNotifications]
    # Where people get help
    support: CapabilitiesSupport


class OutboxMessage(TypedDict):
    channel: Literal["email", "sms"]
    to: str
    text: str
    code: NotRequired[str]
    sentAt: str


class NetworkDecision(TypedDict):
    # Id of the card transaction
    transactionId: str
    approved: bool
    # In the currency of the request
    approvedAmount: str
    billingAmount: str
    # Response code of ISO 8583, field 39
    responseCode: str
    reason: NotRequired[DeclineReason]
    authorizationCode: NotRequired[str]


class CreateSiweMessageOutput(TypedDict):
    message: str


class Done(TypedDict):
    success: Literal[True]


class ListSessionsPage(TypedDict):
    data: list[Session]
    pagination: Pagination


class GetPublishedKeysOutputKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    alg: NotRequired[Literal["EdDSA"]]
    use: NotRequired[Literal["sig"]]


class GetPublishedKeysOutput(TypedDict):
    keys: list[GetPublishedKeysOutputKey]


class EraseUserOutput(TypedDict):
    success: Literal[True]
    # Time from which the e-mail address and the wallets may register again
    claimsReleasedAt: str


class ExportUserDataOutputRecord(TypedDict):
    # Service that stores the record
    service: Literal["identity", "card", "ledger", "threeds", "vault", "notifications"]
    # Kind of the record, as the guide Personal data lists them
    kind: str
    # The record, a JSON object as it is stored, without secrets. Fields may be added.
    data: Any


class ExportUserDataOutput(TypedDict):
    exportedAt: str
    records: list[ExportUserDataOutputRecord]


class ListTermsOutput(TypedDict):
    terms: list[Term]


class ListUserTermsOutput(TypedDict):
    terms: list[UserTerm]


class AcceptTermsTerm(TypedDict):
    type: str
    version: str


class GetSourceOfFundsOutput(TypedDict):
    questions: list[SourceOfFundsQuestion]
    # True if every question is answered
    complete: bool
    answeredAt: NotRequired[str]


class SubmitSourceOfFundsAnswer(TypedDict):
    question: str
    answer: str


class GetKycOutput(TypedDict):
    # Status of the identity check
    status: Literal["not_started", "pending", "approved", "resubmission_requested", "rejected", "documents_requested", "in_review"]
    profileId: str
    changedAt: NotRequired[str]


class CreateKycSessionOutput(TypedDict):
    url: str
    expiresAt: str


class GetRecoveryOutput(TypedDict):
    recovery: NotRequired[Recovery]


class CreateVirtualCardOutput(TypedDict):
    cardId: str


class ListCardsPage(TypedDict):
    data: list[Card]
    pagination: Pagination


class ListCardTransactionsPage(TypedDict):
    data: list[CardTransaction]
    pagination: Pagination


class GetCardReceiptOutput(TypedDict):
    receipt: DecisionReceipt
    foreign: NotRequired[ForeignAmount]


class DisputeCardTransactionOutput(TypedDict):
    id: str
    status: str
    amount: str
    cardBlocked: bool


class ListCardDisputesPage(TypedDict):
    data: list[CardDispute]
    pagination: Pagination


class SetCardLimitsPerTransaction(TypedDict):
    amount: str
    currency: str


class UpdateCardControlsCategories(TypedDict):
    allow: NotRequired[list[str]]
    deny: NotRequired[list[str]]


class ListVaultKeysOutputKey(TypedDict):
    kty: Literal["EC"]
    crv: Literal["P-256"]
    x: str
    y: str
    # Thumbprint (RFC 7638)
    kid: str
    use: Literal["enc"]
    alg: Literal["ECDH-ES"]


class ListVaultKeysOutput(TypedDict):
    keys: list[ListVaultKeysOutputKey]


class RevealCardDataKey(TypedDict):
    kty: Literal["EC"]
    crv: Literal["P-256"]
    x: str
    y: str
    # Private part: must be absent
    d: NotRequired[str]


class RevealCardDataOutput(TypedDict):
    # Compact JWE (RFC 7516): ECDH-ES with A256GCM
    jwe: str


class ListCardDataAccessPage(TypedDict):
    data: list[CardDataAccess]
    pagination: Pagination


class ListDepositsPage(TypedDict):
    data: list[Deposit]
    pagination: Pagination


class ListWithdrawalsPage(TypedDict):
    data: list[Withdrawal]
    pagination: Pagination


class SubmitWithdrawalOutput(TypedDict):
    id: str
    status: Literal["processing", "completed", "failed"]


class CreateWithdrawalChallengeOutput(TypedDict):
    withdrawalId: str
    # When the signature is no longer accepted
    expiresAt: str
    typedData: SafeTypedData


class ListReturnsOutput(TypedDict):
    data: list[DepositReturn]


class ListMovesOutput(TypedDict):
    data: list[Move]
    ready: bool


class ListStatementPage(TypedDict):
    data: list[StatementLine]
    pagination: Pagination


class ListLedgerHeadsOutputKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    # Thumbprint (RFC 7638)
    kid: str


class ListLedgerHeadsOutput(TypedDict):
    keys: list[ListLedgerHeadsOutputKey]
    heads: list[LedgerHead]


class ListAuditHeadsOutput(TypedDict):
    heads: list[AuditHead]


class GetReservesOutput(TypedDict):
    chainId: int
    block: int
    blockHash: str
    createdAt: str
    part: int
    # Number of parts
    parts: int
    # Whole lines of the file
    text: str


class ListChallengesPage(TypedDict):
    data: list[ThreeDSChallenge]
    pagination: Pagination


class CreatePartnerJwk(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    # Ignored: the id of the client is the thumbprint of the key
    kid: NotRequired[str]
    alg: NotRequired[Literal["EdDSA"]]
    use: NotRequired[Literal["sig"]]


class ListPartnerKeysOutput(TypedDict):
    data: list[PartnerClient]


class ListPartnerRequestsOutput(TypedDict):
    data: list[PartnerRequest]


class ListEventsPage(TypedDict):
    data: list[Event]
    # Cursor of an earlier response. It suits every filter, the list and the stream.
    cursor: str
    # True if there were further events after the cursor
    hasMore: bool
    checkpoint: EventCheckpoint


class ListWebhookEndpointsOutput(TypedDict):
    data: list[WebhookEndpoint]


class ListWebhookAttemptsPage(TypedDict):
    data: list[WebhookAttempt]
    pagination: Pagination


class ListWebhookKeysOutputKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    # Thumbprint (RFC 7638)
    kid: str
    use: Literal["sig"]
    alg: Literal["EdDSA"]


class ListWebhookKeysOutput(TypedDict):
    keys: list[ListWebhookKeysOutputKey]


class PutNotificationSubscriptionKeys(TypedDict):
    # Key of messages (RFC 8291)
    p256dh: str
    # Authentication secret
    auth: str


class GetNotificationPreferencesOutput(TypedDict):
    preferences: NotificationPreferences
    devices: list[NotificationDevice]


class GetLivenessOutput(TypedDict):
    status: Literal["ok"]


class SandboxListOutboxOutput(TypedDict):
    data: list[OutboxMessage]


class SandboxCreateDepositOutput(TypedDict):
    id: str
    # Transaction hash
    txHash: str


class SandboxCreateChallengeOutput(TypedDict):
    challengeId: str


class SandboxAdvanceClockOutput(TypedDict):
    secondsAhead: int


class SandboxMoveKycOutput(TypedDict):
    # Status of the identity check
    status: Literal["not_started", "pending", "approved", "resubmission_requested", "rejected", "documents_requested", "in_review"]
