// Code generated from the OpenAPI document by `npm run generate`; DO NOT EDIT.

package florin

type CardColour = string

type SandboxMerchant struct {
	ID string `json:"id,omitempty"`
	// Name that the cardholder sees; begins with a visible character
	DisplayName string `json:"displayName,omitempty"`
	// ISO 3166-1 alpha-2 code
	Country string `json:"country,omitempty"`
	// Merchant category code (ISO 18245)
	CategoryCode string `json:"categoryCode,omitempty"`
}

type SandboxCardMerchant struct {
	ID      string `json:"id,omitempty"`
	Name    string `json:"name,omitempty"`
	City    string `json:"city,omitempty"`
	Country string `json:"country,omitempty"`
	// Merchant category code (ISO 18245)
	CategoryCode string `json:"categoryCode,omitempty"`
}

type TokenPair struct {
	// JWT access token: a user token if the wallet is registered, otherwise a wallet token
	AccessToken string `json:"accessToken"`
	// Refresh token; valid once, within seven days
	RefreshToken string `json:"refreshToken"`
	// Seconds until the access token expires
	ExpiresIn int64 `json:"expiresIn"`
	// Id of the user; absent while the wallet is not registered
	UserID string `json:"userId,omitempty"`
}

type Session struct {
	ID        string `json:"id"`
	Wallet    string `json:"wallet"`
	CreatedAt string `json:"createdAt"`
	// When its tokens were last refreshed, or the sign-in
	LastUsedAt string `json:"lastUsedAt"`
	UserAgent  string `json:"userAgent,omitempty"`
	IP         string `json:"ip,omitempty"`
	// True if the token of this request belongs to the session
	Current bool `json:"current"`
}

type Pagination struct {
	// Pass as `cursor` to get the next page; null on the last page
	NextCursor *string `json:"nextCursor"`
	HasNext    bool    `json:"hasNext"`
}

type Registration struct {
	UserID string `json:"userId"`
	// JWT access token: a user token
	AccessToken string `json:"accessToken"`
	// Seconds until the access token expires; the refresh token of the sign-in yields the next one
	ExpiresIn int64 `json:"expiresIn"`
}

type UserWallet struct {
	Address string `json:"address"`
	// True if the wallet registered the user, or replaced the wallet that did
	Primary bool `json:"primary"`
	// From when the wallet may approve payments and wallets (end of its cooling time). It may sign in and decline payments before.
	ApprovesFrom string `json:"approvesFrom"`
}

type User struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	// Phone number of the cardholder; absent while there is none
	Phone string `json:"phone,omitempty"`
	// True if a code has verified the phone number; absent without one
	PhoneVerified *bool            `json:"phoneVerified,omitempty"`
	Wallets       List[UserWallet] `json:"wallets"`
	PartnerID     string           `json:"partnerId"`
	// Status of the identity check
	KycStatus string `json:"kycStatus"`
	CreatedAt string `json:"createdAt"`
}

type Onboarding struct {
	Status string `json:"status"`
	// Page of the KYC provider; present if the status requires one and the provider has one
	URL string `json:"url,omitempty"`
	// Status of the identity check
	KycStatus string `json:"kycStatus"`
}

type Term struct {
	// Stable identifier of the document
	Type string `json:"type"`
	Name string `json:"name"`
	// URL of the current version
	URL            string `json:"url"`
	CurrentVersion string `json:"currentVersion"`
}

type UserTerm struct {
	// Stable identifier of the document
	Type string `json:"type"`
	Name string `json:"name"`
	// URL of the current version
	URL            string `json:"url"`
	CurrentVersion string `json:"currentVersion"`
	// True if the caller has accepted the current version
	Accepted bool `json:"accepted"`
	// The version that the caller accepted last
	AcceptedVersion string `json:"acceptedVersion,omitempty"`
	AcceptedAt      string `json:"acceptedAt,omitempty"`
}

type SourceOfFundsQuestion struct {
	Question string `json:"question"`
	// The allowed answers
	Answers List[string] `json:"answers"`
	// The answer that the caller gave last
	Answer string `json:"answer,omitempty"`
}

type TypedMessageDomain struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	ChainID int64  `json:"chainId"`
}

type TypedMessageTypesEIP712Domain struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type TypedMessageTypes struct {
	// Type of `domain`; present with `domainType=true`
	EIP712Domain []TypedMessageTypesEIP712Domain     `json:"EIP712Domain,omitzero"`
	Message      List[TypedMessageTypesEIP712Domain] `json:"Message"`
}

type TypedMessageMessage struct {
	// The text that the wallet shows, with every fact of the consent; for a card payment decision, amount, merchant, card, challenge and expiry
	Authorization string `json:"authorization"`
	// Single-use 256-bit number in decimal
	Nonce string `json:"nonce"`
}

type TypedMessage struct {
	Domain      TypedMessageDomain  `json:"domain"`
	PrimaryType string              `json:"primaryType"`
	Types       TypedMessageTypes   `json:"types"`
	Message     TypedMessageMessage `json:"message"`
}

type AccountChain struct {
	Name string `json:"name"`
	// EIP-155 chain id in decimal
	ID string `json:"id"`
}

type Account struct {
	ID               string       `json:"id"`
	KycProfileID     string       `json:"kycProfileId"`
	SafeOwnerAddress string       `json:"safeOwnerAddress"`
	SafeAddress      string       `json:"safeAddress"`
	Chain            AccountChain `json:"chain"`
	// The `name` of `chain`
	ChainName string `json:"chainName"`
	// Payment reference, unique to the account
	Reference            string       `json:"reference"`
	NativeCurrency       string       `json:"nativeCurrency"`
	AdditionalCurrencies List[string] `json:"additionalCurrencies"`
	CreatedAt            string       `json:"createdAt"`
	UpdatedAt            string       `json:"updatedAt"`
	ClosedAt             string       `json:"closedAt,omitempty"`
	Status               string       `json:"status"`
	ProvisionedAt        string       `json:"provisionedAt,omitempty"`
	// Tokens that the account cannot spend at the moment, whatever it has of them
	TokenBlocks List[TokenBlock] `json:"tokenBlocks"`
	Deployment  *Deployment      `json:"deployment,omitempty"`
}

type TokenBlock struct {
	Token string `json:"token"`
	// `frozen`: its issuer has frozen the Safe of the account. `paused`: its issuer has paused it. `upgraded`: its issuer has exchanged its code, and the operator has not decided yet that it can be spent
	Reason string `json:"reason"`
	Since  string `json:"since"`
}

type DeploymentCollectionLimit struct {
	// The contract of the token
	Token string `json:"token"`
	// Most that is collected of it in a day (UTC), in its smallest unit
	PerDay string `json:"perDay"`
}

type DeploymentCollection struct {
	// Receives what is collected
	Treasury string                          `json:"treasury"`
	Limits   List[DeploymentCollectionLimit] `json:"limits"`
}

type Deployment struct {
	// `predicted` until the set-up is signed, `relaying` until it is final, `verified` when the Safe is what an account needs, `deviating` when it is not
	Status string `json:"status"`
	// In what the Safe differs from what an account needs; empty unless `deviating`
	Findings List[string] `json:"findings"`
	// When it was verified first
	VerifiedAt string `json:"verifiedAt,omitempty"`
	// The owner today, a wallet of the user
	Owner string `json:"owner"`
	// The owner that the address of the Safe commits to; absent unless a recovery has exchanged it
	FirstOwner string `json:"firstOwner,omitempty"`
	// The wallet that has replaced a lost owner, and becomes the owner with the backup key; absent without one, and once an exchange has made it the owner. The owner itself if it was put back
	Replacement string `json:"replacement,omitempty"`
	// The second owner, a key or a Safe of the platform: both owners must sign
	PlatformOwner string `json:"platformOwner"`
	// Zodiac Delay module, through which the owner can move the money without the platform
	DelayModule string `json:"delayModule"`
	// Seconds between a request to the Delay module and its execution
	CooldownSeconds int64 `json:"cooldownSeconds"`
	// Seconds after the cooldown in which it can be executed
	ExpirationSeconds int64 `json:"expirationSeconds"`
	// The key that exchanges a lost owner together with the platform; absent before one is named
	Backup *BackupKey `json:"backup,omitempty"`
	// The signature of `platformOwner` over the set-up. With it the owner can deploy the Safe, set it up and leave without the platform: keep it before money is sent to the address. Absent where the owner alone signs the set-up, and once a backup key is named: the Safe is set up then
	SetUpSignature string `json:"setUpSignature,omitempty"`
	// Limits within which the platform may collect card spending: part of the set-up. Absent for a Safe from which nothing is collected
	Collection *DeploymentCollection `json:"collection,omitempty"`
}

type BackupKey struct {
	// The backup key
	Key string `json:"key"`
	// Zodiac Delay module in which the exchange of a lost owner waits
	Module string `json:"module"`
	// Seconds between the request for an exchange and its execution
	CooldownSeconds int64 `json:"cooldownSeconds"`
	// Seconds after the cooldown in which it can be executed
	ExpirationSeconds int64 `json:"expirationSeconds"`
}

type AccountReservesHeld struct {
	Token string `json:"token"`
	// In the token's smallest unit
	Amount string `json:"amount"`
}

type AccountReservesPublicKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
}

type AccountReserves struct {
	AccountID string `json:"accountId"`
	ChainID   int64  `json:"chainId"`
	// Block of the chain as of which the Safe is shown
	Block       int64  `json:"block"`
	BlockHash   string `json:"blockHash"`
	CreatedAt   string `json:"createdAt"`
	SafeAddress string `json:"safeAddress"`
	// Owners in the Safe's initializer, the wallet first; empty when it held nothing
	Owners List[string] `json:"owners"`
	// Amounts that the Safe held, by token, without zeros
	Held List[AccountReservesHeld] `json:"held"`
	// Amounts that the Safe must hold, by token, without zeros
	Owed List[AccountReservesHeld] `json:"owed"`
	// Siblings within the bucket of the account, from the bottom: side and hash
	AccountPath List[string] `json:"accountPath"`
	// Siblings of the bucket, from the bottom
	BucketPath List[string]             `json:"bucketPath"`
	Head       LedgerHead               `json:"head"`
	PublicKey  AccountReservesPublicKey `json:"publicKey"`
}

type LedgerHead struct {
	Shard string `json:"shard"`
	// Number of the block
	Block int64 `json:"block"`
	// SHA-256 of the block, which covers all blocks before it
	Hash string `json:"hash"`
	// Time of the block
	Time string `json:"time"`
	// Root of the tree of all balances after the block
	Root string `json:"root,omitempty"`
	// Root of the tree of what is owed to each account after the block
	Owed string `json:"owed,omitempty"`
	// All shards of the ledger
	Shards []string `json:"shards,omitzero"`
	// Thumbprint (RFC 7638) of the key that signed
	Key string `json:"key"`
	// Ed25519, base64url, over the JSON array ["florin-head-2", shard, block, hash, time, root or "", owed or "", shards, key] without white space; of a head without shards over ["florin-head-1", shard, block, hash, time, root or "", key]
	Signature string `json:"signature"`
}

type Balances struct {
	Data List[CurrencyBalance] `json:"data"`
}

type CurrencyBalance struct {
	Currency string `json:"currency"`
	Decimals int64  `json:"decimals"`
	// Whole minor units of the spendable tokens; fractions are not spendable
	Spendable string `json:"spendable"`
	// Amount held by card authorizations or blocked
	NonSpendable          string             `json:"nonSpendable"`
	ProcessingDeposits    string             `json:"processingDeposits"`
	ProcessingWithdrawals string             `json:"processingWithdrawals"`
	Tokens                List[TokenBalance] `json:"tokens"`
}

type TokenBalance struct {
	Token              string `json:"token"`
	Decimals           int64  `json:"decimals"`
	Spendable          string `json:"spendable"`
	NonSpendable       string `json:"nonSpendable"`
	ProcessingDeposits string `json:"processingDeposits"`
	MaxInstantWithdraw string `json:"maxInstantWithdraw"`
	// Contract of the token on the chain of the account, in lower case; absent if none is configured
	Contract string `json:"contract,omitempty"`
	// Least amount of a deposit that is credited; a smaller one is rejected. Absent if any amount is credited
	DepositMinimum string `json:"depositMinimum,omitempty"`
}

type CollectionAllowances struct {
	Data List[CollectionAllowance] `json:"data"`
}

type CollectionAllowance struct {
	Token    string `json:"token"`
	Decimals int64  `json:"decimals"`
	// Most that is collected in a day (UTC), as the Safe allows it
	PerDay string `json:"perDay"`
	// Rest of it for today
	Left string `json:"left"`
	// When all of it may be collected again
	ResetsAt string `json:"resetsAt"`
	// Amount that cards have spent and that is still in the Safe
	Uncollected string `json:"uncollected"`
	// Amount set aside for card payments that are not cleared
	Held string `json:"held"`
	// Most that cards may spend before something is collected, whatever the balance
	Spendable string `json:"spendable"`
}

type SafeTypedDataDomain struct {
	ChainID int64 `json:"chainId"`
	// The Safe
	VerifyingContract string `json:"verifyingContract"`
}

type SafeTypedDataTypes struct {
	// Type of `domain`; present with `domainType=true`
	EIP712Domain []TypedMessageTypesEIP712Domain     `json:"EIP712Domain,omitzero"`
	SafeTx       List[TypedMessageTypesEIP712Domain] `json:"SafeTx"`
}

type SafeTypedDataMessage struct {
	// The called contract; of a withdrawal, the token
	To string `json:"to"`
	// Integer in decimal
	Value string `json:"value"`
	// Call data; of a withdrawal, `transfer(recipient, amount)` of the token
	Data string `json:"data"`
	// 0 calls, 1 delegates
	Operation int64 `json:"operation"`
	// Integer in decimal
	SafeTxGas string `json:"safeTxGas"`
	// Integer in decimal
	BaseGas string `json:"baseGas"`
	// Integer in decimal
	GasPrice       string `json:"gasPrice"`
	GasToken       string `json:"gasToken"`
	RefundReceiver string `json:"refundReceiver"`
	// Integer in decimal
	Nonce string `json:"nonce"`
}

type SafeTypedData struct {
	Domain      SafeTypedDataDomain  `json:"domain"`
	PrimaryType string               `json:"primaryType"`
	Types       SafeTypedDataTypes   `json:"types"`
	Message     SafeTypedDataMessage `json:"message"`
}

type RecoveryChallenge struct {
	TransactionID string        `json:"transactionId"`
	TypedData     SafeTypedData `json:"typedData"`
	// The key that signs it: the owner of the Safe, or the backup key
	Signer string `json:"signer"`
	// The key that signs the same typed data, which proves that it can sign: the backup key that is named, or the wallet that becomes the owner; absent in a stop
	ProvenKey string `json:"provenKey,omitempty"`
	// Until when the signature is accepted
	ExpiresAt string `json:"expiresAt"`
	// The backup key as the naming leads to it; absent in the other steps
	Backup *BackupKey `json:"backup,omitempty"`
}

type Recovery struct {
	RecoveryID string `json:"recoveryId"`
	// `requested` until the request is on the chain, `waiting` until it is executed, `completed` once the owner is exchanged, `cancelled` if it was stopped or has expired
	Status string `json:"status"`
	// The wallet that becomes the owner
	NewOwner  string `json:"newOwner"`
	CreatedAt string `json:"createdAt"`
	// When the owner can be exchanged; absent before it waits on the chain
	ExecutableAt string `json:"executableAt,omitempty"`
}

type Card struct {
	ID string `json:"id"`
	// Name that the cardholder gave the card
	CardName string `json:"cardName"`
	// The same as `cardName`
	Name string `json:"name"`
	// Colour that the cardholder chose; apps show a card without it in green
	Colour   *CardColour `json:"colour,omitempty"`
	Last4    string      `json:"last4"`
	ExpMonth int64       `json:"expMonth"`
	ExpYear  int64       `json:"expYear"`
	Network  string      `json:"network"`
	Virtual  bool        `json:"virtual"`
	Status   string      `json:"status"`
	// Reason given for the current status
	StatusReason string `json:"statusReason,omitempty"`
	// Present while the card is frozen; the cardholder cannot lift a freeze by the issuer
	FrozenBy string `json:"frozenBy,omitempty"`
	// The lost or stolen card that this card replaces
	ReplacementFor string `json:"replacementFor,omitempty"`
	// The card that replaces this lost or stolen card
	ReplacedBy string `json:"replacedBy,omitempty"`
	// The payment that has used up a card for single use
	UsedBy string `json:"usedBy,omitempty"`
	// Present where cards are read
	Limits    *CardLimits `json:"limits,omitempty"`
	CreatedAt string      `json:"createdAt"`
}

type CardLimitsPerTransaction struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	// Amount that counts in the current period
	Used      string `json:"used"`
	Remaining string `json:"remaining"`
	// End of the current period; absent for `perTransaction`
	ResetsAt string `json:"resetsAt,omitempty"`
}

type CardLimits struct {
	PerTransaction *CardLimitsPerTransaction `json:"perTransaction,omitempty"`
	Daily          *CardLimitsPerTransaction `json:"daily,omitempty"`
	Weekly         *CardLimitsPerTransaction `json:"weekly,omitempty"`
	Monthly        *CardLimitsPerTransaction `json:"monthly,omitempty"`
	Atm            *CardLimitsPerTransaction `json:"atm,omitempty"`
}

type CardTransactionThreeDs struct {
	ChallengeID string `json:"challengeId"`
	Eci         string `json:"eci,omitempty"`
}

type CardTransaction struct {
	ID        string `json:"id"`
	AccountID string `json:"accountId"`
	CardID    string `json:"cardId"`
	Status    string `json:"status"`
	Kind      string `json:"kind"`
	// True if the account is credited
	IsCredit bool   `json:"isCredit"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Decimals int64  `json:"decimals"`
	// Amount in the currency of the transaction
	OriginalAmount   string              `json:"originalAmount"`
	OriginalCurrency string              `json:"originalCurrency"`
	OriginalDecimals int64               `json:"originalDecimals"`
	Fx               *CurrencyConversion `json:"fx,omitempty"`
	ConversionCost   *ConversionCost     `json:"conversionCost,omitempty"`
	HeldAmount       string              `json:"heldAmount"`
	ClearedAmount    string              `json:"clearedAmount"`
	RefundedAmount   string              `json:"refundedAmount"`
	// Amount credited for this payment by refunds that are transactions of their own
	RelatedRefundAmount string `json:"relatedRefundAmount,omitempty"`
	// Credit that was announced and is not booked yet
	PendingCreditAmount string       `json:"pendingCreditAmount"`
	Merchant            CardMerchant `json:"merchant"`
	EntryMode           string       `json:"entryMode,omitempty"`
	AuthorizationCode   string       `json:"authorizationCode,omitempty"`
	// Card network, in lower case
	Network string `json:"network,omitempty"`
	// The network's id of the transaction
	NetworkTransactionID string                  `json:"networkTransactionId,omitempty"`
	DeclineReason        *DeclineReason          `json:"declineReason,omitempty"`
	ThreeDs              *CardTransactionThreeDs `json:"threeDs,omitempty"`
	// The latest dispute
	Dispute *CardTransactionDispute `json:"dispute,omitempty"`
	// Disputes before the latest one, oldest first
	EarlierDisputes []CardTransactionDispute `json:"earlierDisputes,omitzero"`
	// Of a refund: the payment that it is likely to refund
	RelatedTransactionID string `json:"relatedTransactionId,omitempty"`
	// The cardholder's own note, which nobody else is told of
	Note string `json:"note,omitempty"`
	// When the hold expires; present while pending
	ExpiresAt string `json:"expiresAt,omitempty"`
	CreatedAt string `json:"createdAt"`
	ClearedAt string `json:"clearedAt,omitempty"`
	UpdatedAt string `json:"updatedAt"`
}

type CurrencyConversion struct {
	Rate              string `json:"rate"`
	MarkupBasisPoints int64  `json:"markupBasisPoints"`
	RateDate          string `json:"rateDate,omitempty"`
	MarkupAmount      string `json:"markupAmount,omitempty"`
}

type ConversionCost struct {
	ReferenceRate            string `json:"referenceRate"`
	ReferenceDate            string `json:"referenceDate"`
	OverReferenceBasisPoints int64  `json:"overReferenceBasisPoints"`
}

type CardMerchant struct {
	ID           string `json:"id,omitempty"`
	Name         string `json:"name,omitempty"`
	City         string `json:"city,omitempty"`
	Country      string `json:"country,omitempty"`
	CategoryCode string `json:"categoryCode,omitempty"`
}

type DeclineReason struct {
	Code string `json:"code"`
	// The reason in words
	Message string `json:"message"`
}

type CardTransactionDispute struct {
	ID string `json:"id"`
	// `submitted`, `won`, `lost` or `withdrawn`
	Status string `json:"status"`
	// When it was opened
	CreatedAt string `json:"createdAt,omitempty"`
	// How far it has gone at the card network, or its outcome
	Stage string `json:"stage,omitempty"`
	// `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other`
	Reason string `json:"reason"`
	// In the words of the cardholder
	Text              string `json:"text,omitempty"`
	ProvisionalCredit string `json:"provisionalCredit"`
	Amount            string `json:"amount"`
	CreditedAmount    string `json:"creditedAmount"`
	// True if it has blocked the card for good
	CardBlocked *bool `json:"cardBlocked,omitempty"`
}

type CardTransactionDetail struct {
	ID        string `json:"id"`
	AccountID string `json:"accountId"`
	CardID    string `json:"cardId"`
	Status    string `json:"status"`
	Kind      string `json:"kind"`
	// True if the account is credited
	IsCredit bool   `json:"isCredit"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
	Decimals int64  `json:"decimals"`
	// Amount in the currency of the transaction
	OriginalAmount   string              `json:"originalAmount"`
	OriginalCurrency string              `json:"originalCurrency"`
	OriginalDecimals int64               `json:"originalDecimals"`
	Fx               *CurrencyConversion `json:"fx,omitempty"`
	ConversionCost   *ConversionCost     `json:"conversionCost,omitempty"`
	HeldAmount       string              `json:"heldAmount"`
	ClearedAmount    string              `json:"clearedAmount"`
	RefundedAmount   string              `json:"refundedAmount"`
	// Amount credited for this payment by refunds that are transactions of their own
	RelatedRefundAmount string `json:"relatedRefundAmount,omitempty"`
	// Credit that was announced and is not booked yet
	PendingCreditAmount string       `json:"pendingCreditAmount"`
	Merchant            CardMerchant `json:"merchant"`
	EntryMode           string       `json:"entryMode,omitempty"`
	AuthorizationCode   string       `json:"authorizationCode,omitempty"`
	// Card network, in lower case
	Network string `json:"network,omitempty"`
	// The network's id of the transaction
	NetworkTransactionID string                  `json:"networkTransactionId,omitempty"`
	DeclineReason        *DeclineReason          `json:"declineReason,omitempty"`
	ThreeDs              *CardTransactionThreeDs `json:"threeDs,omitempty"`
	// The latest dispute
	Dispute *CardTransactionDispute `json:"dispute,omitempty"`
	// Disputes before the latest one, oldest first
	EarlierDisputes []CardTransactionDispute `json:"earlierDisputes,omitzero"`
	// Of a refund: the payment that it is likely to refund
	RelatedTransactionID string `json:"relatedTransactionId,omitempty"`
	// The cardholder's own note, which nobody else is told of
	Note string `json:"note,omitempty"`
	// When the hold expires; present while pending
	ExpiresAt string `json:"expiresAt,omitempty"`
	CreatedAt string `json:"createdAt"`
	ClearedAt string `json:"clearedAt,omitempty"`
	UpdatedAt string `json:"updatedAt"`
	// Reports of the card network, in the order of arrival
	Events List[CardTransactionEvent] `json:"events"`
	// Ids of the ledger's holds and entries; lines of the statement have them as `reference`
	LedgerEntries List[string] `json:"ledgerEntries"`
}

type CardTransactionEvent struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	At       string `json:"at"`
	Amount   string `json:"amount,omitempty"`
	Approved bool   `json:"approved"`
	// Response code of ISO 8583, field 39
	ResponseCode string `json:"responseCode,omitempty"`
	// Why this request was declined
	DeclineReason *DeclineReason `json:"declineReason,omitempty"`
	// Acquirer reference number (ARN) of a clearing or refund, by which a merchant finds it
	AcquirerReference string `json:"acquirerReference,omitempty"`
	// Wallet of the device that has paid
	Wallet string `json:"wallet,omitempty"`
	// Reference of the token that has paid in place of the card number
	TokenReference string `json:"tokenReference,omitempty"`
}

type DecisionReceipt struct {
	ChallengeID string       `json:"challengeId"`
	Decision    string       `json:"decision"`
	TypedData   TypedMessage `json:"typedData"`
	// EIP-712 digest of `typedData`, which was signed
	TypedDataHash string `json:"typedDataHash"`
	// 0x and hexadecimal digits in lower case: 65 bytes of a wallet, 65 to 2048 bytes for a Safe
	Signature string `json:"signature"`
	// The wallet that has signed, or the Safe that has accepted the signature
	Signer string `json:"signer"`
	// `wallet`: the address is recovered from the signature. `safe`: its contract accepts the signature (EIP-1271) at `blockNumber`.
	SignerType string `json:"signerType"`
	// Block of the chain `typedData.domain.chainId`; present for a Safe
	BlockNumber *int64 `json:"blockNumber,omitempty"`
	// When the typed data was created
	IssuedAt  string `json:"issuedAt"`
	DecidedAt string `json:"decidedAt"`
	// When the challenge expires
	ExpiresAt string `json:"expiresAt"`
	// Absent without a payment, like `currency` and `decimals`
	Amount    string           `json:"amount,omitempty"`
	Currency  string           `json:"currency,omitempty"`
	Decimals  *int64           `json:"decimals,omitempty"`
	CardLast4 string           `json:"cardLast4"`
	Merchant  *ThreeDSMerchant `json:"merchant,omitempty"`
	// SHA-256 over the other fields, which detects damage of those that are not signed
	Fingerprint string `json:"fingerprint"`
}

type ThreeDSMerchant struct {
	ID           string `json:"id,omitempty"`
	DisplayName  string `json:"displayName,omitempty"`
	Country      string `json:"country,omitempty"`
	CategoryCode string `json:"categoryCode,omitempty"`
}

type ForeignAmount struct {
	// Amount in the currency of the transaction
	OriginalAmount   string `json:"originalAmount"`
	OriginalCurrency string `json:"originalCurrency"`
	OriginalDecimals int64  `json:"originalDecimals"`
	// Decimals of the billing currency, in whose minor unit the mark-up's amount is
	Decimals int64 `json:"decimals"`
	// Absent when the processor has converted
	Fx *CurrencyConversion `json:"fx,omitempty"`
	// Absent when the reference rate was not known
	ConversionCost *ConversionCost `json:"conversionCost,omitempty"`
}

type CardDispute struct {
	ID string `json:"id"`
	// `submitted`, `won`, `lost` or `withdrawn`
	Status string `json:"status"`
	// When it was opened
	CreatedAt string `json:"createdAt,omitempty"`
	// How far it has gone at the card network, or its outcome
	Stage string `json:"stage,omitempty"`
	// `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other`
	Reason string `json:"reason"`
	// In the words of the cardholder
	Text              string `json:"text,omitempty"`
	ProvisionalCredit string `json:"provisionalCredit"`
	Amount            string `json:"amount"`
	CreditedAmount    string `json:"creditedAmount"`
	// True if it has blocked the card for good
	CardBlocked       *bool         `json:"cardBlocked,omitempty"`
	CardTransactionID string        `json:"cardTransactionId"`
	CardID            string        `json:"cardId"`
	Currency          string        `json:"currency"`
	Decimals          int64         `json:"decimals"`
	Merchant          *CardMerchant `json:"merchant,omitempty"`
	// Until when the next step has to be taken
	Deadline string `json:"deadline,omitempty"`
}

type CardDisputeDetail struct {
	ID string `json:"id"`
	// `submitted`, `won`, `lost` or `withdrawn`
	Status string `json:"status"`
	// When it was opened
	CreatedAt string `json:"createdAt,omitempty"`
	// How far it has gone at the card network, or its outcome
	Stage string `json:"stage,omitempty"`
	// `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other`
	Reason string `json:"reason"`
	// In the words of the cardholder
	Text              string `json:"text,omitempty"`
	ProvisionalCredit string `json:"provisionalCredit"`
	Amount            string `json:"amount"`
	CreditedAmount    string `json:"creditedAmount"`
	// True if it has blocked the card for good
	CardBlocked       *bool         `json:"cardBlocked,omitempty"`
	CardTransactionID string        `json:"cardTransactionId"`
	CardID            string        `json:"cardId"`
	Currency          string        `json:"currency"`
	Decimals          int64         `json:"decimals"`
	Merchant          *CardMerchant `json:"merchant,omitempty"`
	// Until when the next step has to be taken
	Deadline string                `json:"deadline,omitempty"`
	Timeline List[CardDisputeStep] `json:"timeline"`
}

type CardDisputeStep struct {
	Stage string `json:"stage"`
	At    string `json:"at"`
	// Amount of the step; absent if it is the disputed amount
	Amount string `json:"amount,omitempty"`
	// Until when the next step has to be taken
	Deadline string `json:"deadline,omitempty"`
}

type CardControlsCategories struct {
	Allow List[string] `json:"allow"`
	Deny  List[string] `json:"deny"`
}

type CardControls struct {
	// Merchant category codes (ISO 18245)
	Categories CardControlsCategories `json:"categories"`
	// Countries of merchants
	Countries CardControlsCategories `json:"countries"`
	// Acquirers' ids of merchants
	Merchants CardControlsCategories `json:"merchants"`
	// True if payments without the card present are permitted
	Online bool `json:"online"`
	// True if contactless payments are permitted
	Contactless bool `json:"contactless"`
	// True if cash withdrawals are permitted
	Atm bool `json:"atm"`
	// True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first
	SingleUse bool `json:"singleUse"`
}

type CardDataAccess struct {
	ID     string `json:"id"`
	CardID string `json:"cardId"`
	Last4  string `json:"last4"`
	// `seal`: the data was encrypted for the card processor
	Action string `json:"action"`
	// The wallet that signed; absent for `seal`
	Wallet string `json:"wallet,omitempty"`
	// Thumbprint (RFC 7638, SHA-256, base64url) of the app's P-256 key
	Thumbprint string `json:"thumbprint"`
	At         string `json:"at"`
}

type DepositKytBreakdown struct {
	Result    string `json:"result"`
	RiskScore int64  `json:"riskScore"`
	RiskTier  string `json:"riskTier"`
}

type Deposit struct {
	ID string `json:"id"`
	// Transaction hash
	TxHash string `json:"txHash"`
	// Integer in the token's smallest unit
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	Token     string `json:"token"`
	Decimals  int64  `json:"decimals"`
	CreatedAt string `json:"createdAt"`
	// Address that sent it; absent where it is not known
	From   string `json:"from,omitempty"`
	Status string `json:"status"`
	// When it was approved or rejected
	ResolvedAt string `json:"resolvedAt,omitempty"`
	// When it was taken back, because its transfer has vanished from the chain
	ReversedAt string `json:"reversedAt,omitempty"`
	// Why it is `rejected`: by the transaction screening, by a person of the program, or because it was taken back
	Reason string `json:"reason,omitempty"`
	// Result of the transaction screening; present once the deposit was screened
	KytBreakdown *DepositKytBreakdown `json:"kytBreakdown,omitempty"`
}

type Withdrawal struct {
	ID string `json:"id"`
	// Absent until the transaction is known
	TxHash string `json:"txHash,omitempty"`
	// Integer in the token's smallest unit
	Amount    string `json:"amount"`
	Currency  string `json:"currency"`
	Token     string `json:"token"`
	Decimals  int64  `json:"decimals"`
	CreatedAt string `json:"createdAt"`
	// Address that receives it; absent where it was not given
	To     string `json:"to,omitempty"`
	Status string `json:"status"`
	// When it was sent to the chain; absent if that was skipped
	ProcessingAt string `json:"processingAt,omitempty"`
	// When it was completed or has failed
	EndedAt string `json:"endedAt,omitempty"`
	// Why it has failed: a code. New ones may be added.
	Reason string `json:"reason,omitempty"`
}

type DepositReturn struct {
	ID       string `json:"id"`
	Token    string `json:"token"`
	Decimals int64  `json:"decimals"`
	Amount   string `json:"amount"`
	// The sender of the deposit, to whom it goes back
	To string `json:"to"`
	// The transaction that brought it
	TxHash string `json:"txHash"`
	// The Safe that sends it back
	SafeAddress string `json:"safeAddress"`
}

type Move struct {
	// The former account
	AccountID string `json:"accountId"`
	// The former account's Safe
	SafeAddress string `json:"safeAddress"`
	Token       string `json:"token"`
	Decimals    int64  `json:"decimals"`
	Amount      string `json:"amount"`
	// True if `POST /user/moves/challenge` moves it; otherwise the Safe's owners move it without the platform, with their wallets alone
	Cosigned bool `json:"cosigned"`
	// The wallet that the Safe was made for
	FirstOwner string `json:"firstOwner"`
}

type StatementLine struct {
	ID string `json:"id"`
	// `card_payment`: taken for a card transaction; `card_refund`, `card_credit`: refunded, or pushed to the card, and negative where that was taken back; `dispute_credit`, `dispute_reversal`: credited for a dispute, and taken back; `fee`: to the program; `adjustment`: booked by the program; `transfer`: from or to another account; `reversal`: an earlier line taken back
	Kind string `json:"kind"`
	// UUID of the deposit, withdrawal, hold or entry that the line was booked for; of a reversal, of what it reverses
	Reference string `json:"reference"`
	// The card transaction that the line belongs to
	CardTransactionID string `json:"cardTransactionId,omitempty"`
	// Merchant of the card transaction
	Merchant *CardMerchant `json:"merchant,omitempty"`
	// How the line's amount in another currency was billed, with its mark-up by itself; credits of disputes have none
	Foreign *ForeignAmount `json:"foreign,omitempty"`
	// The dispute that the line belongs to; absent where the card transaction has had several
	DisputeID string `json:"disputeId,omitempty"`
	// Kind of the line in English, with the merchant
	Description string `json:"description"`
	// Transaction hash; present on deposits and withdrawals
	TxHash   string `json:"txHash,omitempty"`
	Token    string `json:"token"`
	Decimals int64  `json:"decimals"`
	Currency string `json:"currency"`
	// Signed integer in the token's smallest unit; negative when the account was debited
	Amount string `json:"amount"`
	// Booked balance of the token after this line (ISO 20022), in the token's smallest unit; negative when the account owes
	BalanceAfter string `json:"balanceAfter"`
	// Part of the amount that repaid debt; absent when none did
	DebtRepaid string `json:"debtRepaid,omitempty"`
	// Part of the amount that was not covered and became debt; absent when none did
	DebtIncurred string `json:"debtIncurred,omitempty"`
	CreatedAt    string `json:"createdAt"`
}

type AuditHead struct {
	// Name of the process
	Service string `json:"service"`
	// Number of the record
	Sequence int64 `json:"sequence"`
	// SHA-256 of the record, which covers all records before it
	Hash string `json:"hash"`
	// When the record was added
	At string `json:"at"`
	// Ed25519 by the key of the process, over the JSON array ["florin-audit-head-1", service, sequence, hash, at] without white space
	Seal string `json:"seal"`
}

type ThreeDSChallenge struct {
	ID        string `json:"id"`
	CardID    string `json:"cardId"`
	AccountID string `json:"accountId"`
	Amount    string `json:"amount,omitempty"`
	Currency  string `json:"currency,omitempty"`
	Decimals  *int64 `json:"decimals,omitempty"`
	// Last four digits of the card, as in the text that the wallet shows
	CardLast4 string          `json:"cardLast4"`
	Merchant  ThreeDSMerchant `json:"merchant"`
	Status    string          `json:"status"`
	// Present once a decision was submitted
	Decision  string `json:"decision,omitempty"`
	CreatedAt string `json:"createdAt,omitempty"`
	// When the decision was submitted; present with it
	DecidedAt string `json:"decidedAt,omitempty"`
	// The card transaction that has used the approval
	CardTransactionID string `json:"cardTransactionId,omitempty"`
	ExpiresAt         string `json:"expiresAt"`
	// True while a decision can be submitted: the status is `pending` and `expiresAt` has not passed
	DecisionAvailable bool `json:"decisionAvailable"`
}

type ThreeDSChallengeDetailResponse struct {
	ServerTime string           `json:"serverTime"`
	Challenge  ThreeDSChallenge `json:"challenge"`
}

type ThreeDSChallengesReady struct {
	ServerTime string `json:"serverTime"`
	// True if the preceding events are all pending challenges: any other challenge that the client shows as pending is no longer pending
	Snapshot bool `json:"snapshot"`
}

type ThreeDSChallengesReset struct {
	ServerTime string `json:"serverTime"`
	// The Last-Event-ID is malformed, too old or of another platform: the pending challenges follow instead of the changes after it
	Code string `json:"code"`
}

type ThreeDSChallengesEnd struct {
	ServerTime string `json:"serverTime"`
	// `TOKEN_ENDED`: the token expired or its session ended; get a new token before reconnecting. `STOPPING`: the server stops; reconnect. `TOO_SLOW`: the client did not read fast enough; reconnect.
	Code string `json:"code"`
}

type PartnerClient struct {
	// Thumbprint of the key (RFC 7638): `kid`, `iss` and `sub` of the tokens that it signs
	ClientID string `json:"clientId"`
	// The partner whose events and users its tokens reach
	PartnerID string `json:"partnerId"`
	Name      string `json:"name"`
	// Scopes that its tokens may carry
	Scopes    List[string] `json:"scopes"`
	CreatedAt string       `json:"createdAt"`
	// The key of the partner with whose token it was registered; absent if the platform let it in
	RegisteredBy string `json:"registeredBy,omitempty"`
	// When the key ends by itself: those of a sandbox do
	ExpiresAt string `json:"expiresAt,omitempty"`
}

type PartnerRequestMember struct {
	// Path of the member; `[]` is the first item of an array, `?` a name that is no word
	Name string `json:"name"`
	Type string `json:"type"`
}

type PartnerRequest struct {
	// `X-Request-Id` of the request, by which the operator finds it in logs
	RequestID string `json:"requestId"`
	At        string `json:"at"`
	Method    string `json:"method"`
	// Path of the operation, without ids
	Path string `json:"path"`
	// Name of the client that signed the token
	ClientID string `json:"clientId"`
	Status   int64  `json:"status"`
	// Code of the error, see `/errors`
	Error string `json:"error,omitempty"`
	// Milliseconds until the response was sent
	DurationMs int64 `json:"durationMs"`
	// Names and types of the members of the body that was sent, without their values
	Members List[PartnerRequestMember] `json:"members"`
}

type Event struct {
	// UUID; a repeat of the event has the same one
	ID string `json:"id"`
	// Type of the catalogue. New types may be added.
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	// Kind and id of the changed object
	Subject string `json:"subject"`
	// Place in the feed, from 1 without a gap
	Sequence int64 `json:"sequence"`
	// Place of the last event before it that the filter of this request lets through; 0 without one. Another value than the `sequence` of the event that was received before shows that something is missing.
	PreviousSequence int64 `json:"previousSequence"`
	// Number of this change of the subject, from 1 without a gap
	SubjectSequence int64 `json:"subjectSequence"`
	// A JSON object with ids, states, amounts, merchants and the last digits of cards; it names no person. Fields may be added.
	Data any `json:"data"`
}

type EventCheckpoint struct {
	Timestamp string `json:"timestamp"`
	// Place of the last event of the feed; 0 without one
	Sequence int64 `json:"sequence"`
	// Place of the last event that the filter lets through; 0 without one
	PreviousSequence int64 `json:"previousSequence"`
}

type EventsEnd struct {
	Code string `json:"code"`
}

type WebhookEndpointWithSecretDelivery struct {
	// Place up to which every event was delivered, was given up, or waits in a parked subject
	Cursor string `json:"cursor"`
	// Subjects of which an event failed and waits for its next attempt
	ParkedSubjects int64  `json:"parkedSubjects"`
	FailingSince   string `json:"failingSince,omitempty"`
	LastSuccessAt  string `json:"lastSuccessAt,omitempty"`
}

type WebhookEndpointWithSecret struct {
	ID string `json:"id"`
	// https URL of a public host, without user information and fragment
	URL          string       `json:"url"`
	Types        List[string] `json:"types"`
	Description  string       `json:"description"`
	DataVersion  int64        `json:"dataVersion"`
	ContactEmail string       `json:"contactEmail,omitempty"`
	Status       string       `json:"status"`
	// `requested` by you, `gone` after an answer 410, `failing` after five days without a success
	DisabledReason string `json:"disabledReason,omitempty"`
	CreatedAt      string `json:"createdAt"`
	// When the secret before the current one stops signing
	PreviousSecretExpiresAt string `json:"previousSecretExpiresAt,omitempty"`
	// How far the deliveries are, as of a second ago
	Delivery *WebhookEndpointWithSecretDelivery `json:"delivery,omitempty"`
	// `whsec_` and base64 of 24 to 64 bytes
	Secret string `json:"secret"`
}

type WebhookEndpoint struct {
	ID string `json:"id"`
	// https URL of a public host, without user information and fragment
	URL          string       `json:"url"`
	Types        List[string] `json:"types"`
	Description  string       `json:"description"`
	DataVersion  int64        `json:"dataVersion"`
	ContactEmail string       `json:"contactEmail,omitempty"`
	Status       string       `json:"status"`
	// `requested` by you, `gone` after an answer 410, `failing` after five days without a success
	DisabledReason string `json:"disabledReason,omitempty"`
	CreatedAt      string `json:"createdAt"`
	// When the secret before the current one stops signing
	PreviousSecretExpiresAt string `json:"previousSecretExpiresAt,omitempty"`
	// How far the deliveries are, as of a second ago
	Delivery *WebhookEndpointWithSecretDelivery `json:"delivery,omitempty"`
}

type WebhookOrder struct {
	Success bool `json:"success"`
	// Id of the event, which its attempt carries
	EventID string `json:"eventId"`
}

type WebhookAttempt struct {
	ID        string `json:"id"`
	EventID   string `json:"eventId"`
	EventType string `json:"eventType"`
	// Place of the event; 0 for a test event
	Sequence int64 `json:"sequence"`
	// Number of the attempt, from 1; 0 for a redelivery, a test or a checkpoint
	Number     int64  `json:"number"`
	At         string `json:"at"`
	DurationMs int64  `json:"durationMs"`
	// Status of the answer; absent without one
	Status *int64 `json:"status,omitempty"`
	// Why there was no answer
	Failure string `json:"failure,omitempty"`
	// The first KiB of the answer
	Answer string `json:"answer"`
}

type NotificationDevice struct {
	// Id of the subscription, the same for the same endpoint
	ID        string `json:"id"`
	Language  string `json:"language"`
	CreatedAt string `json:"createdAt"`
	RenewedAt string `json:"renewedAt"`
}

type NotificationPreferencesKindsPaymentApproved struct {
	Push  bool `json:"push"`
	Email bool `json:"email"`
}

type NotificationPreferencesKinds struct {
	PaymentApproved NotificationPreferencesKindsPaymentApproved `json:"payment_approved"`
	PaymentDeclined NotificationPreferencesKindsPaymentApproved `json:"payment_declined"`
	Challenge       NotificationPreferencesKindsPaymentApproved `json:"challenge"`
	Refund          NotificationPreferencesKindsPaymentApproved `json:"refund"`
	Deposit         NotificationPreferencesKindsPaymentApproved `json:"deposit"`
	Withdrawal      NotificationPreferencesKindsPaymentApproved `json:"withdrawal"`
	Card            NotificationPreferencesKindsPaymentApproved `json:"card"`
	Security        NotificationPreferencesKindsPaymentApproved `json:"security"`
}

type NotificationPreferencesQuietHours struct {
	From string `json:"from"`
	// Before `from`: on the next day
	To string `json:"to"`
	// Name in the IANA database
	TimeZone string `json:"timeZone"`
}

type NotificationPreferences struct {
	// How the user is notified of each kind: payments that were approved or declined, `challenge`: payments that wait for an approval, money that came back, deposits, withdrawals, states of cards, and `security`: wallets and the phone number
	Kinds NotificationPreferencesKinds `json:"kinds"`
	// When devices stay silent. Challenges and `security` are pushed all the same. Absent: never
	QuietHours *NotificationPreferencesQuietHours `json:"quietHours,omitempty"`
	// Language of mails
	Language string `json:"language"`
}

type CapabilitiesToken struct {
	Token    string `json:"token"`
	Decimals int64  `json:"decimals"`
	Currency string `json:"currency"`
	// Address of the token on the chain, in lower case
	Contract string `json:"contract,omitempty"`
}

type CapabilitiesChain struct {
	// EIP-155 id in decimal digits
	ID   string `json:"id"`
	Name string `json:"name"`
}

type CapabilitiesLimitsRequestsPerMinute struct {
	// Requests of a user or wallet
	Caller int64 `json:"caller"`
	// Sign-ins, codes and registrations of an IP address
	SignIn int64 `json:"signIn"`
}

type CapabilitiesLimitsPayments struct {
	Currency       string `json:"currency"`
	PerTransaction string `json:"perTransaction,omitempty"`
	Daily          string `json:"daily,omitempty"`
	Weekly         string `json:"weekly,omitempty"`
	Monthly        string `json:"monthly,omitempty"`
	Atm            string `json:"atm,omitempty"`
}

type CapabilitiesLimits struct {
	// Most cards that a user has at a time; replacements do not count
	Cards             int64                               `json:"cards"`
	RequestsPerMinute CapabilitiesLimitsRequestsPerMinute `json:"requestsPerMinute"`
	// Most that a cardholder can allow a card, in the minor unit of the currency; one that is absent does not exist
	Payments CapabilitiesLimitsPayments `json:"payments"`
}

type CapabilitiesNotifications struct {
	// Key of Web Push (VAPID, RFC 8292), for `pushManager.subscribe`
	PublicKey string `json:"publicKey,omitempty"`
}

type CapabilitiesSupport struct {
	URL   string `json:"url,omitempty"`
	Email string `json:"email,omitempty"`
}

type Capabilities struct {
	// True if outside systems are simulated and no real money moves
	Sandbox bool `json:"sandbox"`
	// Steps of a new user: `terms`, `kyc` and `source_of_funds` before the account is active, `phone` (a number that a code has verified) before the first card, `safe` (a Safe that is deployed and verified) before the account is active. Empty: nothing
	Onboarding List[string] `json:"onboarding"`
	// Wallets that can sign in: plain ones, and contracts (EIP-1271)
	Wallets List[string] `json:"wallets"`
	// True if accounts have Safes on the chain, from which users withdraw with a signature
	Withdrawals bool                    `json:"withdrawals"`
	Tokens      List[CapabilitiesToken] `json:"tokens"`
	// Tokens that no account can spend at the moment
	TokenBlocks List[TokenBlock] `json:"tokenBlocks"`
	// Currencies of accounts, the native one first
	Currencies List[string]       `json:"currencies"`
	Chain      CapabilitiesChain  `json:"chain"`
	Limits     CapabilitiesLimits `json:"limits"`
	// Absent: nobody is notified. Without a key there are mails only
	Notifications *CapabilitiesNotifications `json:"notifications,omitempty"`
	// Where people get help
	Support CapabilitiesSupport `json:"support"`
}

type OutboxMessage struct {
	Channel string `json:"channel"`
	To      string `json:"to"`
	Text    string `json:"text"`
	Code    string `json:"code,omitempty"`
	SentAt  string `json:"sentAt"`
}

type NetworkDecision struct {
	// Id of the card transaction
	TransactionID string `json:"transactionId"`
	Approved      bool   `json:"approved"`
	// In the currency of the request
	ApprovedAmount string `json:"approvedAmount"`
	BillingAmount  string `json:"billingAmount"`
	// Response code of ISO 8583, field 39
	ResponseCode      string         `json:"responseCode"`
	Reason            *DeclineReason `json:"reason,omitempty"`
	AuthorizationCode string         `json:"authorizationCode,omitempty"`
}

type CreateSiweMessageOutput struct {
	Message string `json:"message"`
}

type Done struct {
	Success bool `json:"success"`
}

type ListSessionsPage struct {
	Data       List[Session] `json:"data"`
	Pagination Pagination    `json:"pagination"`
}

type GetPublishedKeysOutputKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid"`
	Alg string `json:"alg,omitempty"`
	Use string `json:"use,omitempty"`
}

type GetPublishedKeysOutput struct {
	Keys List[GetPublishedKeysOutputKey] `json:"keys"`
}

type EraseUserOutput struct {
	Success bool `json:"success"`
	// Time from which the e-mail address and the wallets may register again
	ClaimsReleasedAt string `json:"claimsReleasedAt"`
}

type ExportUserDataOutputRecord struct {
	// Service that stores the record
	Service string `json:"service"`
	// Kind of the record, as the guide Personal data lists them
	Kind string `json:"kind"`
	// The record, a JSON object as it is stored, without secrets. Fields may be added.
	Data any `json:"data"`
}

type ExportUserDataOutput struct {
	ExportedAt string                           `json:"exportedAt"`
	Records    List[ExportUserDataOutputRecord] `json:"records"`
}

type ListTermsOutput struct {
	Terms List[Term] `json:"terms"`
}

type ListUserTermsOutput struct {
	Terms List[UserTerm] `json:"terms"`
}

type AcceptTermsTerm struct {
	Type    string `json:"type"`
	Version string `json:"version"`
}

type GetSourceOfFundsOutput struct {
	Questions List[SourceOfFundsQuestion] `json:"questions"`
	// True if every question is answered
	Complete   bool   `json:"complete"`
	AnsweredAt string `json:"answeredAt,omitempty"`
}

type SubmitSourceOfFundsAnswer struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

type GetKycOutput struct {
	// Status of the identity check
	Status    string `json:"status"`
	ProfileID string `json:"profileId"`
	ChangedAt string `json:"changedAt,omitempty"`
}

type CreateKycSessionOutput struct {
	URL       string `json:"url"`
	ExpiresAt string `json:"expiresAt"`
}

type GetRecoveryOutput struct {
	Recovery *Recovery `json:"recovery,omitempty"`
}

type CreateVirtualCardOutput struct {
	CardID string `json:"cardId"`
}

type ListCardsPage struct {
	Data       List[Card] `json:"data"`
	Pagination Pagination `json:"pagination"`
}

type ListCardTransactionsPage struct {
	Data       List[CardTransaction] `json:"data"`
	Pagination Pagination            `json:"pagination"`
}

type GetCardReceiptOutput struct {
	Receipt DecisionReceipt `json:"receipt"`
	Foreign *ForeignAmount  `json:"foreign,omitempty"`
}

type DisputeCardTransactionOutput struct {
	ID          string `json:"id"`
	Status      string `json:"status"`
	Amount      string `json:"amount"`
	CardBlocked bool   `json:"cardBlocked"`
}

type ListCardDisputesPage struct {
	Data       List[CardDispute] `json:"data"`
	Pagination Pagination        `json:"pagination"`
}

type SetCardLimitsPerTransaction struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

type UpdateCardControlsCategories struct {
	Allow []string `json:"allow,omitzero"`
	Deny  []string `json:"deny,omitzero"`
}

type ListVaultKeysOutputKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Y   string `json:"y"`
	// Thumbprint (RFC 7638)
	Kid string `json:"kid"`
	Use string `json:"use"`
	Alg string `json:"alg"`
}

type ListVaultKeysOutput struct {
	Keys List[ListVaultKeysOutputKey] `json:"keys"`
}

type RevealCardDataKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Y   string `json:"y"`
	// Private part: must be absent
	D string `json:"d,omitempty"`
}

type RevealCardDataOutput struct {
	// Compact JWE (RFC 7516): ECDH-ES with A256GCM
	Jwe string `json:"jwe"`
}

type ListCardDataAccessPage struct {
	Data       List[CardDataAccess] `json:"data"`
	Pagination Pagination           `json:"pagination"`
}

type ListDepositsPage struct {
	Data       List[Deposit] `json:"data"`
	Pagination Pagination    `json:"pagination"`
}

type ListWithdrawalsPage struct {
	Data       List[Withdrawal] `json:"data"`
	Pagination Pagination       `json:"pagination"`
}

type SubmitWithdrawalOutput struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

type CreateWithdrawalChallengeOutput struct {
	WithdrawalID string `json:"withdrawalId"`
	// When the signature is no longer accepted
	ExpiresAt string        `json:"expiresAt"`
	TypedData SafeTypedData `json:"typedData"`
}

type ListReturnsOutput struct {
	Data List[DepositReturn] `json:"data"`
}

type ListMovesOutput struct {
	Data  List[Move] `json:"data"`
	Ready bool       `json:"ready"`
}

type ListStatementPage struct {
	Data       List[StatementLine] `json:"data"`
	Pagination Pagination          `json:"pagination"`
}

type ListLedgerHeadsOutputKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	// Thumbprint (RFC 7638)
	Kid string `json:"kid"`
}

type ListLedgerHeadsOutput struct {
	Keys  List[ListLedgerHeadsOutputKey] `json:"keys"`
	Heads List[LedgerHead]               `json:"heads"`
}

type ListAuditHeadsOutput struct {
	Heads List[AuditHead] `json:"heads"`
}

type GetReservesOutput struct {
	ChainID   int64  `json:"chainId"`
	Block     int64  `json:"block"`
	BlockHash string `json:"blockHash"`
	CreatedAt string `json:"createdAt"`
	Part      int64  `json:"part"`
	// Number of parts
	Parts int64 `json:"parts"`
	// Whole lines of the file
	Text string `json:"text"`
}

type ListChallengesPage struct {
	Data       List[ThreeDSChallenge] `json:"data"`
	Pagination Pagination             `json:"pagination"`
}

type CreatePartnerJwk struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	// Ignored: the id of the client is the thumbprint of the key
	Kid string `json:"kid,omitempty"`
	Alg string `json:"alg,omitempty"`
	Use string `json:"use,omitempty"`
}

type ListPartnerKeysOutput struct {
	Data List[PartnerClient] `json:"data"`
}

type ListPartnerRequestsOutput struct {
	Data List[PartnerRequest] `json:"data"`
}

type ListEventsPage struct {
	Data List[Event] `json:"data"`
	// Cursor of an earlier response. It suits every filter, the list and the stream.
	Cursor string `json:"cursor"`
	// True if there were further events after the cursor
	HasMore    bool            `json:"hasMore"`
	Checkpoint EventCheckpoint `json:"checkpoint"`
}

type ListWebhookEndpointsOutput struct {
	Data List[WebhookEndpoint] `json:"data"`
}

type ListWebhookAttemptsPage struct {
	Data       List[WebhookAttempt] `json:"data"`
	Pagination Pagination           `json:"pagination"`
}

type ListWebhookKeysOutputKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	// Thumbprint (RFC 7638)
	Kid string `json:"kid"`
	Use string `json:"use"`
	Alg string `json:"alg"`
}

type ListWebhookKeysOutput struct {
	Keys List[ListWebhookKeysOutputKey] `json:"keys"`
}

type PutNotificationSubscriptionKeys struct {
	// Key of messages (RFC 8291)
	P256dh string `json:"p256dh"`
	// Authentication secret
	Auth string `json:"auth"`
}

type GetNotificationPreferencesOutput struct {
	Preferences NotificationPreferences  `json:"preferences"`
	Devices     List[NotificationDevice] `json:"devices"`
}

type GetLivenessOutput struct {
	Status string `json:"status"`
}

type SandboxListOutboxOutput struct {
	Data List[OutboxMessage] `json:"data"`
}

type SandboxCreateDepositOutput struct {
	ID string `json:"id"`
	// Transaction hash
	TxHash string `json:"txHash"`
}

type SandboxCreateChallengeOutput struct {
	ChallengeID string `json:"challengeId"`
}

type SandboxAdvanceClockOutput struct {
	SecondsAhead int64 `json:"secondsAhead"`
}

type SandboxMoveKycOutput struct {
	// Status of the identity check
	Status string `json:"status"`
}
