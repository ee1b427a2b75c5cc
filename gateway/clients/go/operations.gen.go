// Code generated from the OpenAPI document by `npm run generate`; DO NOT EDIT.

package florin

import (
	"context"
	"iter"
)

// Operations are the operations of the platform by group, the tags of the reference.
type Operations struct {
	Auth          AuthOperations
	User          UserOperations
	Terms         TermsOperations
	SourceOfFunds SourceOfFundsOperations
	Phone         PhoneOperations
	UserAccount   UserAccountOperations
	Cards         CardsOperations
	UserMovements UserMovementsOperations
	Ledger        LedgerOperations
	Partners      PartnersOperations
	Events        EventsOperations
	Notifications NotificationsOperations
	Webhooks      WebhooksOperations
	Kyc           KycOperations
	Pci           PciOperations
	ThreeDs       ThreeDsOperations
	Health        HealthOperations
	Sandbox       SandboxOperations
}

func newOperations(client *Client) Operations {
	return Operations{AuthOperations{client}, UserOperations{client}, TermsOperations{client}, SourceOfFundsOperations{client}, PhoneOperations{client}, UserAccountOperations{client}, CardsOperations{client}, UserMovementsOperations{client}, LedgerOperations{client}, PartnersOperations{client}, EventsOperations{client}, NotificationsOperations{client}, WebhooksOperations{client}, KycOperations{client}, PciOperations{client}, ThreeDsOperations{client}, HealthOperations{client}, SandboxOperations{client}}
}

// AuthOperations are the operations of a tag of the reference.
type AuthOperations struct{ client *Client }

// CreateSiweMessageInput is the input of CreateSiweMessage.
type CreateSiweMessageInput struct {
	Address string `json:"address"`
	// Authority (RFC 3986) of the app that requests the sign-in; it must belong to a partner
	Domain string `json:"domain"`
	// URI that the message is for; its host must be the domain
	URI string `json:"uri"`
	// Purpose of the message: `POST /auth/siwe` or `POST /user/wallets`
	Purpose string `json:"purpose,omitempty"`
}

// CreateSiweMessage: Create a message to sign, GET /auth/siwe/{address}. Codes: DOMAIN_NOT_ALLOWED.
func (o AuthOperations) CreateSiweMessage(ctx context.Context, in CreateSiweMessageInput, options ...CallOption) (CreateSiweMessageOutput, error) {
	return call[CreateSiweMessageOutput](ctx, o.client, newRoute("auth.createSiweMessage", "GET", "/auth/siwe/{address}", ""), in, options)
}

// SignInInput is the input of SignIn.
type SignInInput struct {
	// The message exactly as issued by `GET /auth/siwe/{address}`
	Message   string `json:"message"`
	Signature string `json:"signature"`
}

// SignIn: Sign in, POST /auth/siwe. Codes: DOMAIN_NOT_ALLOWED, INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED.
func (o AuthOperations) SignIn(ctx context.Context, in SignInInput, options ...CallOption) (TokenPair, error) {
	return call[TokenPair](ctx, o.client, newRoute("auth.signIn", "POST", "/auth/siwe", "bp"), in, options)
}

// RefreshSessionInput is the input of RefreshSession.
type RefreshSessionInput struct {
	RefreshToken string `json:"refreshToken"`
}

// RefreshSession: Refresh the tokens, POST /auth/refresh. Codes: INVALID_REFRESH_TOKEN, REFRESH_TOKEN_REUSED.
func (o AuthOperations) RefreshSession(ctx context.Context, in RefreshSessionInput, options ...CallOption) (TokenPair, error) {
	return call[TokenPair](ctx, o.client, newRoute("auth.refreshSession", "POST", "/auth/refresh", "bp"), in, options)
}

// Logout: Log out, POST /auth/logout.
func (o AuthOperations) Logout(ctx context.Context, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("auth.logout", "POST", "/auth/logout", "s"), nil, options)
}

// LogoutAll: Log out everywhere, POST /auth/logout-all.
func (o AuthOperations) LogoutAll(ctx context.Context, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("auth.logoutAll", "POST", "/auth/logout-all", "s"), nil, options)
}

// ListSessionsInput is the input of ListSessions.
type ListSessionsInput struct {
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// ListSessions: List sessions, GET /auth/sessions.
func (o AuthOperations) ListSessions(ctx context.Context, in ListSessionsInput, options ...CallOption) (ListSessionsPage, error) {
	return call[ListSessionsPage](ctx, o.client, newRoute("auth.listSessions", "GET", "/auth/sessions", "s"), in, options)
}

// ListSessionsAll: List sessions, the rows of all pages, GET /auth/sessions.
func (o AuthOperations) ListSessionsAll(ctx context.Context, in ListSessionsInput, options ...CallOption) iter.Seq2[Session, error] {
	return all[Session](ctx, o.client, newRoute("auth.listSessions", "GET", "/auth/sessions", "s"), in, options)
}

// EndSessionInput is the input of EndSession.
type EndSessionInput struct {
	ID string `json:"id"`
}

// EndSession: End a session, DELETE /auth/sessions/{id}. Codes: NOT_FOUND.
func (o AuthOperations) EndSession(ctx context.Context, in EndSessionInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("auth.endSession", "DELETE", "/auth/sessions/{id}", "s"), in, options)
}

// GetPublishedKeys: Get the token keys, GET /.well-known/jwks.json.
func (o AuthOperations) GetPublishedKeys(ctx context.Context, options ...CallOption) (GetPublishedKeysOutput, error) {
	return call[GetPublishedKeysOutput](ctx, o.client, newRoute("auth.getPublishedKeys", "GET", "/.well-known/jwks.json", ""), nil, options)
}

// SendEmailCodeInput is the input of SendEmailCode.
type SendEmailCodeInput struct {
	Email string `json:"email"`
}

// SendEmailCode: Send an e-mail code, POST /email-verification. Codes: RESEND_TOO_SOON.
func (o AuthOperations) SendEmailCode(ctx context.Context, in SendEmailCodeInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("auth.sendEmailCode", "POST", "/email-verification", "sb"), in, options)
}

// UserOperations are the operations of a tag of the reference.
type UserOperations struct{ client *Client }

// RegisterUserInput is the input of RegisterUser.
type RegisterUserInput struct {
	Email string `json:"email"`
	// One-time password received by e-mail
	Otp string `json:"otp"`
	// Share token for reusable KYC
	ShareToken string `json:"shareToken,omitempty"`
}

// RegisterUser: Register User, POST /user. Codes: INVALID_OTP, OTP_ATTEMPTS_EXCEEDED, OTP_EXPIRED, PROFILE_CREATION_FAILED, USER_ALREADY_EXISTS, USER_REGISTRATION_IN_PROGRESS.
func (o UserOperations) RegisterUser(ctx context.Context, in RegisterUserInput, options ...CallOption) (Registration, error) {
	return call[Registration](ctx, o.client, newRoute("user.registerUser", "POST", "/user", "sb"), in, options)
}

// GetUser: Get the user, GET /user. Codes: USER_NOT_FOUND.
func (o UserOperations) GetUser(ctx context.Context, options ...CallOption) (User, error) {
	return call[User](ctx, o.client, newRoute("user.getUser", "GET", "/user", "s"), nil, options)
}

// EraseUser: Erase the user, DELETE /user. Codes: REAUTHENTICATION_REQUIRED, USER_HAS_BALANCE, USER_HAS_OPEN_CHALLENGES, USER_HAS_OPEN_DISPUTES, USER_HAS_OPEN_HOLDS, USER_HAS_RECENT_PAYMENTS, USER_IS_BLOCKED, USER_NOT_FOUND.
func (o UserOperations) EraseUser(ctx context.Context, options ...CallOption) (EraseUserOutput, error) {
	return call[EraseUserOutput](ctx, o.client, newRoute("user.eraseUser", "DELETE", "/user", "s"), nil, options)
}

// ExportUserData: Export the personal data, GET /user/export. Codes: EXPORT_TOO_LARGE, REAUTHENTICATION_REQUIRED.
func (o UserOperations) ExportUserData(ctx context.Context, options ...CallOption) (ExportUserDataOutput, error) {
	return call[ExportUserDataOutput](ctx, o.client, newRoute("user.exportUserData", "GET", "/user/export", "s"), nil, options)
}

// GetOnboarding: Get the onboarding status, GET /user/onboarding. Codes: USER_NOT_FOUND.
func (o UserOperations) GetOnboarding(ctx context.Context, options ...CallOption) (Onboarding, error) {
	return call[Onboarding](ctx, o.client, newRoute("user.getOnboarding", "GET", "/user/onboarding", "s"), nil, options)
}

// CreateWalletChallengeInput is the input of CreateWalletChallenge.
type CreateWalletChallengeInput struct {
	DomainType string `json:"domainType,omitempty"`
	Wallet     string `json:"wallet"`
	// Change that the signature allows
	Change string `json:"change,omitempty"`
}

// CreateWalletChallenge: Create the approval of a wallet to sign, POST /user/wallets/challenge. Codes: USER_NOT_FOUND.
func (o UserOperations) CreateWalletChallenge(ctx context.Context, in CreateWalletChallengeInput, options ...CallOption) (TypedMessage, error) {
	return call[TypedMessage](ctx, o.client, newRoute("user.createWalletChallenge", "POST", "/user/wallets/challenge", "sb", "domainType"), in, options)
}

// AddWalletInput is the input of AddWallet.
type AddWalletInput struct {
	// The message exactly as issued by `GET /auth/siwe/{address}`
	Message   string `json:"message"`
	Signature string `json:"signature"`
	// Signature of an existing wallet over the typed data
	Approval string `json:"approval"`
}

// AddWallet: Add a wallet, POST /user/wallets. Codes: DOMAIN_NOT_ALLOWED, INVALID_APPROVAL, INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND, WALLET_COOLING, WALLET_IN_USE, WALLET_LIMIT_REACHED.
func (o UserOperations) AddWallet(ctx context.Context, in AddWalletInput, options ...CallOption) (UserWallet, error) {
	return call[UserWallet](ctx, o.client, newRoute("user.addWallet", "POST", "/user/wallets", "sb"), in, options)
}

// MakeWalletPrimaryInput is the input of MakeWalletPrimary.
type MakeWalletPrimaryInput struct {
	Wallet string `json:"wallet"`
	// Signature of the wallet over the typed data
	Approval string `json:"approval"`
}

// MakeWalletPrimary: Make a wallet the primary one, POST /user/wallets/primary. Codes: INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, NOT_FOUND, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND, WALLET_COOLING.
func (o UserOperations) MakeWalletPrimary(ctx context.Context, in MakeWalletPrimaryInput, options ...CallOption) (UserWallet, error) {
	return call[UserWallet](ctx, o.client, newRoute("user.makeWalletPrimary", "POST", "/user/wallets/primary", "sb"), in, options)
}

// RemoveWalletInput is the input of RemoveWallet.
type RemoveWalletInput struct {
	Address  string `json:"address"`
	Approval string `json:"approval,omitempty"`
}

// RemoveWallet: Remove a wallet, DELETE /user/wallets/{address}. Codes: APPROVAL_REQUIRED, INVALID_APPROVAL, LAST_WALLET, NONCE_EXPIRED, NONCE_USED, NOT_FOUND, REAUTHENTICATION_REQUIRED, USER_NOT_FOUND, WALLET_COOLING, WALLET_IS_OWNER.
func (o UserOperations) RemoveWallet(ctx context.Context, in RemoveWalletInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("user.removeWallet", "DELETE", "/user/wallets/{address}", "s"), in, options)
}

// TermsOperations are the operations of a tag of the reference.
type TermsOperations struct{ client *Client }

// ListTerms: List terms, GET /terms.
func (o TermsOperations) ListTerms(ctx context.Context, options ...CallOption) (ListTermsOutput, error) {
	return call[ListTermsOutput](ctx, o.client, newRoute("terms.listTerms", "GET", "/terms", ""), nil, options)
}

// ListUserTerms: List accepted terms, GET /user/terms.
func (o TermsOperations) ListUserTerms(ctx context.Context, options ...CallOption) (ListUserTermsOutput, error) {
	return call[ListUserTermsOutput](ctx, o.client, newRoute("terms.listUserTerms", "GET", "/user/terms", "s"), nil, options)
}

// AcceptTermsInput is the input of AcceptTerms.
type AcceptTermsInput struct {
	Terms List[AcceptTermsTerm] `json:"terms"`
}

// AcceptTerms: Accept terms, POST /user/terms. Codes: TERMS_VERSION_INVALID.
func (o TermsOperations) AcceptTerms(ctx context.Context, in AcceptTermsInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("terms.acceptTerms", "POST", "/user/terms", "sb"), in, options)
}

// SourceOfFundsOperations are the operations of a tag of the reference.
type SourceOfFundsOperations struct{ client *Client }

// GetSourceOfFunds: Get the questionnaire, GET /source-of-funds.
func (o SourceOfFundsOperations) GetSourceOfFunds(ctx context.Context, options ...CallOption) (GetSourceOfFundsOutput, error) {
	return call[GetSourceOfFundsOutput](ctx, o.client, newRoute("sourceOfFunds.getSourceOfFunds", "GET", "/source-of-funds", "s"), nil, options)
}

// SubmitSourceOfFundsInput is the input of SubmitSourceOfFunds.
type SubmitSourceOfFundsInput struct {
	Answers List[SubmitSourceOfFundsAnswer] `json:"answers"`
}

// SubmitSourceOfFunds: Submit the questionnaire, POST /source-of-funds.
func (o SourceOfFundsOperations) SubmitSourceOfFunds(ctx context.Context, in SubmitSourceOfFundsInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("sourceOfFunds.submitSourceOfFunds", "POST", "/source-of-funds", "sb"), in, options)
}

// PhoneOperations are the operations of a tag of the reference.
type PhoneOperations struct{ client *Client }

// SendPhoneCodeInput is the input of SendPhoneCode.
type SendPhoneCodeInput struct {
	// Phone number in E.164 format
	Phone string `json:"phone"`
}

// SendPhoneCode: Send a phone code, POST /phone/verification. Codes: PHONE_COUNTRY_NOT_ALLOWED, RESEND_TOO_SOON.
func (o PhoneOperations) SendPhoneCode(ctx context.Context, in SendPhoneCodeInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("phone.sendPhoneCode", "POST", "/phone/verification", "sb"), in, options)
}

// UpdatePhoneInput is the input of UpdatePhone.
type UpdatePhoneInput struct {
	// Phone number in E.164 format
	Phone string `json:"phone,omitempty"`
	// Code sent by `POST /phone/verification`
	Code string `json:"code,omitempty"`
}

// UpdatePhone: Update Phone Number, PATCH /phone. Codes: CARDHOLDER_NOT_FOUND, CODE_ATTEMPTS_EXCEEDED, CODE_EXPIRED, CODE_REQUIRED, INVALID_CODE, REAUTHENTICATION_REQUIRED.
func (o PhoneOperations) UpdatePhone(ctx context.Context, in UpdatePhoneInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("phone.updatePhone", "PATCH", "/phone", "sb"), in, options)
}

// UserAccountOperations are the operations of a tag of the reference.
type UserAccountOperations struct{ client *Client }

// GetAccount: Get the account, GET /user/account. Codes: ACCOUNT_NOT_FOUND.
func (o UserAccountOperations) GetAccount(ctx context.Context, options ...CallOption) (Account, error) {
	return call[Account](ctx, o.client, newRoute("userAccount.getAccount", "GET", "/user/account", "s"), nil, options)
}

// GetAccountReservesInput is the input of GetAccountReserves.
type GetAccountReservesInput struct {
	// A former account (`GET /user/moves`); default: the current one
	AccountID string `json:"accountId,omitempty"`
}

// GetAccountReserves: Get the account in the proof of reserves, GET /user/account/reserves. Codes: ACCOUNT_NOT_FOUND, RESERVES_NOT_FOUND.
func (o UserAccountOperations) GetAccountReserves(ctx context.Context, in GetAccountReservesInput, options ...CallOption) (AccountReserves, error) {
	return call[AccountReserves](ctx, o.client, newRoute("userAccount.getAccountReserves", "GET", "/user/account/reserves", "s"), in, options)
}

// GetBalances: Get balances, GET /user/balances/v2. Codes: ACCOUNT_NOT_FOUND.
func (o UserAccountOperations) GetBalances(ctx context.Context, options ...CallOption) (Balances, error) {
	return call[Balances](ctx, o.client, newRoute("userAccount.getBalances", "GET", "/user/balances/v2", "s"), nil, options)
}

// ListCollectionAllowances: List what may be collected, GET /user/account/allowance. Codes: ACCOUNT_NOT_FOUND.
func (o UserAccountOperations) ListCollectionAllowances(ctx context.Context, options ...CallOption) (CollectionAllowances, error) {
	return call[CollectionAllowances](ctx, o.client, newRoute("userAccount.listCollectionAllowances", "GET", "/user/account/allowance", "s"), nil, options)
}

// CreateSetUpChallengeInput is the input of CreateSetUpChallenge.
type CreateSetUpChallengeInput struct {
	DomainType string `json:"domainType,omitempty"`
}

// CreateSetUpChallenge: Create the set-up of the Safe to sign, POST /user/account/set-up/challenge. Codes: ACCOUNT_NOT_FOUND, SAFES_NOT_AVAILABLE, SET_UP_NOT_AVAILABLE.
func (o UserAccountOperations) CreateSetUpChallenge(ctx context.Context, in CreateSetUpChallengeInput, options ...CallOption) (SafeTypedData, error) {
	return call[SafeTypedData](ctx, o.client, newRoute("userAccount.createSetUpChallenge", "POST", "/user/account/set-up/challenge", "s"), in, options)
}

// SubmitSetUpInput is the input of SubmitSetUp.
type SubmitSetUpInput struct {
	Signature string `json:"signature"`
}

// SubmitSetUp: Set the Safe up, POST /user/account/set-up. Codes: ACCOUNT_NOT_FOUND, INVALID_SIGNATURE, SAFES_NOT_AVAILABLE, SET_UP_NOT_AVAILABLE.
func (o UserAccountOperations) SubmitSetUp(ctx context.Context, in SubmitSetUpInput, options ...CallOption) (Deployment, error) {
	return call[Deployment](ctx, o.client, newRoute("userAccount.submitSetUp", "POST", "/user/account/set-up", "sb"), in, options)
}

// CreateBackupKeyChallengeInput is the input of CreateBackupKeyChallenge.
type CreateBackupKeyChallengeInput struct {
	DomainType string `json:"domainType,omitempty"`
	BackupKey  string `json:"backupKey"`
}

// CreateBackupKeyChallenge: Create the naming of a backup key to sign, POST /user/account/backup-key/challenge. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED.
func (o UserAccountOperations) CreateBackupKeyChallenge(ctx context.Context, in CreateBackupKeyChallengeInput, options ...CallOption) (RecoveryChallenge, error) {
	return call[RecoveryChallenge](ctx, o.client, newRoute("userAccount.createBackupKeyChallenge", "POST", "/user/account/backup-key/challenge", "sb", "domainType"), in, options)
}

// CreateRecoveryChallengeInput is the input of CreateRecoveryChallenge.
type CreateRecoveryChallengeInput struct {
	DomainType string `json:"domainType,omitempty"`
}

// CreateRecoveryChallenge: Create the recovery of the Safe to sign, POST /user/account/recovery/challenge. Codes: ACCOUNT_NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED.
func (o UserAccountOperations) CreateRecoveryChallenge(ctx context.Context, in CreateRecoveryChallengeInput, options ...CallOption) (RecoveryChallenge, error) {
	return call[RecoveryChallenge](ctx, o.client, newRoute("userAccount.createRecoveryChallenge", "POST", "/user/account/recovery/challenge", "s"), in, options)
}

// CreateCancellationChallengeInput is the input of CreateCancellationChallenge.
type CreateCancellationChallengeInput struct {
	DomainType string `json:"domainType,omitempty"`
}

// CreateCancellationChallenge: Create the stop of a recovery to sign, POST /user/account/recovery/cancellation/challenge. Codes: ACCOUNT_NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED.
func (o UserAccountOperations) CreateCancellationChallenge(ctx context.Context, in CreateCancellationChallengeInput, options ...CallOption) (RecoveryChallenge, error) {
	return call[RecoveryChallenge](ctx, o.client, newRoute("userAccount.createCancellationChallenge", "POST", "/user/account/recovery/cancellation/challenge", "s"), in, options)
}

// SubmitRecoveryTransactionInput is the input of SubmitRecoveryTransaction.
type SubmitRecoveryTransactionInput struct {
	TransactionID string `json:"transactionId"`
	Signature     string `json:"signature"`
	// The signature of `provenKey` over the same typed data
	Proof string `json:"proof,omitempty"`
}

// SubmitRecoveryTransaction: Submit a signed step of a recovery, POST /user/account/recovery. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, INVALID_SIGNATURE, NOT_FOUND, RECOVERY_NOT_AVAILABLE, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, WITHDRAWAL_IN_PROGRESS.
func (o UserAccountOperations) SubmitRecoveryTransaction(ctx context.Context, in SubmitRecoveryTransactionInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("userAccount.submitRecoveryTransaction", "POST", "/user/account/recovery", "sb"), in, options)
}

// GetRecovery: Get the newest recovery, GET /user/account/recovery. Codes: ACCOUNT_NOT_FOUND.
func (o UserAccountOperations) GetRecovery(ctx context.Context, options ...CallOption) (GetRecoveryOutput, error) {
	return call[GetRecoveryOutput](ctx, o.client, newRoute("userAccount.getRecovery", "GET", "/user/account/recovery", "s"), nil, options)
}

// CardsOperations are the operations of a tag of the reference.
type CardsOperations struct{ client *Client }

// CreateVirtualCardInput is the input of CreateVirtualCard.
type CreateVirtualCardInput struct {
	// Name that the cardholder gives the card
	CardName string `json:"cardName"`
	// Phone number of the cardholder; required for the first card
	Phone string `json:"phone,omitempty"`
}

// CreateVirtualCard: Create Virtual Card, POST /cards/virtual. Codes: ACCOUNT_NOT_ACTIVE, CARD_ISSUING_FAILED, CARD_LIMIT_REACHED, CARD_ORDER_LIMIT_REACHED, PHONE_NOT_VERIFIED, PHONE_REQUIRED, REAUTHENTICATION_REQUIRED.
func (o CardsOperations) CreateVirtualCard(ctx context.Context, in CreateVirtualCardInput, options ...CallOption) (CreateVirtualCardOutput, error) {
	return call[CreateVirtualCardOutput](ctx, o.client, newRoute("cards.createVirtualCard", "POST", "/cards/virtual", "sb"), in, options)
}

// ListCardsInput is the input of ListCards.
type ListCardsInput struct {
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	Status string `json:"status,omitempty"`
}

// ListCards: List cards, GET /cards.
func (o CardsOperations) ListCards(ctx context.Context, in ListCardsInput, options ...CallOption) (ListCardsPage, error) {
	return call[ListCardsPage](ctx, o.client, newRoute("cards.listCards", "GET", "/cards", "s"), in, options)
}

// ListCardsAll: List cards, the rows of all pages, GET /cards.
func (o CardsOperations) ListCardsAll(ctx context.Context, in ListCardsInput, options ...CallOption) iter.Seq2[Card, error] {
	return all[Card](ctx, o.client, newRoute("cards.listCards", "GET", "/cards", "s"), in, options)
}

// ListCardTransactionsInput is the input of ListCardTransactions.
type ListCardTransactionsInput struct {
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	CardID string `json:"cardId,omitempty"`
	Status string `json:"status,omitempty"`
	Kind   string `json:"kind,omitempty"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	// The same as `from`, which takes precedence
	After string `json:"after,omitempty"`
	// The same as `to`, which takes precedence
	Before string `json:"before,omitempty"`
	// Currency of the transaction
	Currency string `json:"currency,omitempty"`
	// Merchant category code (ISO 18245), or several codes and ranges of them, separated by commas
	CategoryCode string `json:"categoryCode,omitempty"`
	// The same as `categoryCode`, which takes precedence
	Mcc string `json:"mcc,omitempty"`
	// A part of the merchant's name, in any case
	Merchant string `json:"merchant,omitempty"`
}

// ListCardTransactions: List card transactions, GET /cards/transactions.
func (o CardsOperations) ListCardTransactions(ctx context.Context, in ListCardTransactionsInput, options ...CallOption) (ListCardTransactionsPage, error) {
	return call[ListCardTransactionsPage](ctx, o.client, newRoute("cards.listCardTransactions", "GET", "/cards/transactions", "s"), in, options)
}

// ListCardTransactionsAll: List card transactions, the rows of all pages, GET /cards/transactions.
func (o CardsOperations) ListCardTransactionsAll(ctx context.Context, in ListCardTransactionsInput, options ...CallOption) iter.Seq2[CardTransaction, error] {
	return all[CardTransaction](ctx, o.client, newRoute("cards.listCardTransactions", "GET", "/cards/transactions", "s"), in, options)
}

// GetCardTransactionInput is the input of GetCardTransaction.
type GetCardTransactionInput struct {
	TransactionID string `json:"transactionId"`
}

// GetCardTransaction: Get a card transaction, GET /cards/transactions/{transactionId}. Codes: PAYMENT_NOT_FOUND.
func (o CardsOperations) GetCardTransaction(ctx context.Context, in GetCardTransactionInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("cards.getCardTransaction", "GET", "/cards/transactions/{transactionId}", "s"), in, options)
}

// GetCardReceiptInput is the input of GetCardReceipt.
type GetCardReceiptInput struct {
	TransactionID string `json:"transactionId"`
	DomainType    string `json:"domainType,omitempty"`
}

// GetCardReceipt: Get the 3DS receipt of a card transaction, GET /cards/transactions/{transactionId}/receipt. Codes: PAYMENT_NOT_FOUND, RECEIPT_NOT_FOUND.
func (o CardsOperations) GetCardReceipt(ctx context.Context, in GetCardReceiptInput, options ...CallOption) (GetCardReceiptOutput, error) {
	return call[GetCardReceiptOutput](ctx, o.client, newRoute("cards.getCardReceipt", "GET", "/cards/transactions/{transactionId}/receipt", "s"), in, options)
}

// SetCardTransactionNoteInput is the input of SetCardTransactionNote.
type SetCardTransactionNoteInput struct {
	TransactionID string `json:"transactionId"`
	Note          string `json:"note"`
}

// SetCardTransactionNote: Note something on a card transaction, PUT /cards/transactions/{transactionId}/note. Codes: PAYMENT_NOT_FOUND.
func (o CardsOperations) SetCardTransactionNote(ctx context.Context, in SetCardTransactionNoteInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("cards.setCardTransactionNote", "PUT", "/cards/transactions/{transactionId}/note", "sb"), in, options)
}

// DisputeCardTransactionInput is the input of DisputeCardTransaction.
type DisputeCardTransactionInput struct {
	TransactionID string `json:"transactionId"`
	Reason        string `json:"reason"`
	// Disputed amount, in the minor unit of the card's currency. Default: everything that can be disputed
	Amount string `json:"amount,omitempty"`
	// The cardholder's words
	Text string `json:"text,omitempty"`
}

// DisputeCardTransaction: Dispute a card transaction, POST /cards/transactions/{transactionId}/dispute. Codes: DISPUTE_NOT_AVAILABLE, PAYMENT_NOT_FOUND.
func (o CardsOperations) DisputeCardTransaction(ctx context.Context, in DisputeCardTransactionInput, options ...CallOption) (DisputeCardTransactionOutput, error) {
	return call[DisputeCardTransactionOutput](ctx, o.client, newRoute("cards.disputeCardTransaction", "POST", "/cards/transactions/{transactionId}/dispute", "sb"), in, options)
}

// ListCardDisputesInput is the input of ListCardDisputes.
type ListCardDisputesInput struct {
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	Status string `json:"status,omitempty"`
	CardID string `json:"cardId,omitempty"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
}

// ListCardDisputes: List disputes, GET /cards/disputes.
func (o CardsOperations) ListCardDisputes(ctx context.Context, in ListCardDisputesInput, options ...CallOption) (ListCardDisputesPage, error) {
	return call[ListCardDisputesPage](ctx, o.client, newRoute("cards.listCardDisputes", "GET", "/cards/disputes", "s"), in, options)
}

// ListCardDisputesAll: List disputes, the rows of all pages, GET /cards/disputes.
func (o CardsOperations) ListCardDisputesAll(ctx context.Context, in ListCardDisputesInput, options ...CallOption) iter.Seq2[CardDispute, error] {
	return all[CardDispute](ctx, o.client, newRoute("cards.listCardDisputes", "GET", "/cards/disputes", "s"), in, options)
}

// GetCardDisputeInput is the input of GetCardDispute.
type GetCardDisputeInput struct {
	DisputeID string `json:"disputeId"`
}

// GetCardDispute: Get a dispute, GET /cards/disputes/{disputeId}. Codes: PAYMENT_NOT_FOUND.
func (o CardsOperations) GetCardDispute(ctx context.Context, in GetCardDisputeInput, options ...CallOption) (CardDisputeDetail, error) {
	return call[CardDisputeDetail](ctx, o.client, newRoute("cards.getCardDispute", "GET", "/cards/disputes/{disputeId}", "s"), in, options)
}

// WithdrawCardDisputeInput is the input of WithdrawCardDispute.
type WithdrawCardDisputeInput struct {
	DisputeID string `json:"disputeId"`
}

// WithdrawCardDispute: Withdraw a dispute, POST /cards/disputes/{disputeId}/withdraw. Codes: DISPUTE_NOT_AVAILABLE, PAYMENT_NOT_FOUND.
func (o CardsOperations) WithdrawCardDispute(ctx context.Context, in WithdrawCardDisputeInput, options ...CallOption) (CardDisputeDetail, error) {
	return call[CardDisputeDetail](ctx, o.client, newRoute("cards.withdrawCardDispute", "POST", "/cards/disputes/{disputeId}/withdraw", "s"), in, options)
}

// GetCardInput is the input of GetCard.
type GetCardInput struct {
	CardID string `json:"cardId"`
}

// GetCard: One of the cards of the caller, GET /cards/{cardId}. Codes: CARD_NOT_FOUND.
func (o CardsOperations) GetCard(ctx context.Context, in GetCardInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.getCard", "GET", "/cards/{cardId}", "s"), in, options)
}

// RenameCardInput is the input of RenameCard.
type RenameCardInput struct {
	CardID string `json:"cardId"`
	// Name that the cardholder gives the card
	CardName string `json:"cardName,omitempty"`
	// The same as `cardName`, which takes precedence
	Name   string      `json:"name,omitempty"`
	Colour *CardColour `json:"colour,omitempty"`
}

// RenameCard: Rename a card, PATCH /cards/{cardId}. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) RenameCard(ctx context.Context, in RenameCardInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.renameCard", "PATCH", "/cards/{cardId}", "sb"), in, options)
}

// FreezeCardInput is the input of FreezeCard.
type FreezeCardInput struct {
	CardID string `json:"cardId"`
}

// FreezeCard: Freeze a card, POST /cards/{cardId}/freeze. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) FreezeCard(ctx context.Context, in FreezeCardInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.freezeCard", "POST", "/cards/{cardId}/freeze", "s"), in, options)
}

// UnfreezeCardInput is the input of UnfreezeCard.
type UnfreezeCardInput struct {
	CardID   string `json:"cardId"`
	Approval string `json:"approval,omitempty"`
}

// UnfreezeCard: Unfreeze a card, POST /cards/{cardId}/unfreeze. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, FROZEN_BY_ISSUER, INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING.
func (o CardsOperations) UnfreezeCard(ctx context.Context, in UnfreezeCardInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.unfreezeCard", "POST", "/cards/{cardId}/unfreeze", "s"), in, options)
}

// ReportCardLostInput is the input of ReportCardLost.
type ReportCardLostInput struct {
	CardID string `json:"cardId"`
}

// ReportCardLost: Report a card lost, POST /cards/{cardId}/lost. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) ReportCardLost(ctx context.Context, in ReportCardLostInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.reportCardLost", "POST", "/cards/{cardId}/lost", "s"), in, options)
}

// ReportCardStolenInput is the input of ReportCardStolen.
type ReportCardStolenInput struct {
	CardID string `json:"cardId"`
}

// ReportCardStolen: Report a card stolen, POST /cards/{cardId}/stolen. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) ReportCardStolen(ctx context.Context, in ReportCardStolenInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.reportCardStolen", "POST", "/cards/{cardId}/stolen", "s"), in, options)
}

// CancelCardInput is the input of CancelCard.
type CancelCardInput struct {
	CardID string `json:"cardId"`
}

// CancelCard: Cancel a card, POST /cards/{cardId}/cancel. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) CancelCard(ctx context.Context, in CancelCardInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.cancelCard", "POST", "/cards/{cardId}/cancel", "s"), in, options)
}

// ReplaceCardInput is the input of ReplaceCard.
type ReplaceCardInput struct {
	CardID string `json:"cardId"`
}

// ReplaceCard: Replace a lost or stolen card, POST /cards/{cardId}/replace. Codes: ACCOUNT_NOT_ACTIVE, CARD_ISSUING_FAILED, CARD_LIMIT_REACHED, CARD_NOT_FOUND, CARD_ORDER_LIMIT_REACHED, CARD_STATE_CONFLICT, REAUTHENTICATION_REQUIRED.
func (o CardsOperations) ReplaceCard(ctx context.Context, in ReplaceCardInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.replaceCard", "POST", "/cards/{cardId}/replace", "s"), in, options)
}

// RenewCardInput is the input of RenewCard.
type RenewCardInput struct {
	CardID string `json:"cardId"`
}

// RenewCard: Renew a card, POST /cards/{cardId}/renew. Codes: CARD_ISSUING_FAILED, CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) RenewCard(ctx context.Context, in RenewCardInput, options ...CallOption) (Card, error) {
	return call[Card](ctx, o.client, newRoute("cards.renewCard", "POST", "/cards/{cardId}/renew", "s"), in, options)
}

// GetCardLimitsInput is the input of GetCardLimits.
type GetCardLimitsInput struct {
	CardID string `json:"cardId"`
}

// GetCardLimits: Get the limits of a card, GET /cards/{cardId}/limits. Codes: CARD_NOT_FOUND.
func (o CardsOperations) GetCardLimits(ctx context.Context, in GetCardLimitsInput, options ...CallOption) (CardLimits, error) {
	return call[CardLimits](ctx, o.client, newRoute("cards.getCardLimits", "GET", "/cards/{cardId}/limits", "s"), in, options)
}

// SetCardLimitsInput is the input of SetCardLimits.
type SetCardLimitsInput struct {
	CardID         string                       `json:"cardId"`
	Approval       string                       `json:"approval,omitempty"`
	PerTransaction *SetCardLimitsPerTransaction `json:"perTransaction"`
	Daily          *SetCardLimitsPerTransaction `json:"daily"`
	Weekly         *SetCardLimitsPerTransaction `json:"weekly"`
	Monthly        *SetCardLimitsPerTransaction `json:"monthly"`
	Atm            *SetCardLimitsPerTransaction `json:"atm"`
}

// SetCardLimits: Set the limits of a card, PUT /cards/{cardId}/limits. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, LIMIT_ABOVE_PROGRAM, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING.
func (o CardsOperations) SetCardLimits(ctx context.Context, in SetCardLimitsInput, options ...CallOption) (CardLimits, error) {
	return call[CardLimits](ctx, o.client, newRoute("cards.setCardLimits", "PUT", "/cards/{cardId}/limits", "sb", "approval"), in, options)
}

// UpdateCardLimitsInput is the input of UpdateCardLimits.
type UpdateCardLimitsInput struct {
	CardID         string                                 `json:"cardId"`
	Approval       string                                 `json:"approval,omitempty"`
	PerTransaction *Nullable[SetCardLimitsPerTransaction] `json:"perTransaction,omitempty"`
	Daily          *Nullable[SetCardLimitsPerTransaction] `json:"daily,omitempty"`
	Weekly         *Nullable[SetCardLimitsPerTransaction] `json:"weekly,omitempty"`
	Monthly        *Nullable[SetCardLimitsPerTransaction] `json:"monthly,omitempty"`
	Atm            *Nullable[SetCardLimitsPerTransaction] `json:"atm,omitempty"`
}

// UpdateCardLimits: Change limits of a card, PATCH /cards/{cardId}/limits. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, LIMIT_ABOVE_PROGRAM, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING.
func (o CardsOperations) UpdateCardLimits(ctx context.Context, in UpdateCardLimitsInput, options ...CallOption) (CardLimits, error) {
	return call[CardLimits](ctx, o.client, newRoute("cards.updateCardLimits", "PATCH", "/cards/{cardId}/limits", "sb", "approval"), in, options)
}

// GetCardControlsInput is the input of GetCardControls.
type GetCardControlsInput struct {
	CardID string `json:"cardId"`
}

// GetCardControls: Get the controls of a card, GET /cards/{cardId}/controls. Codes: CARD_NOT_FOUND.
func (o CardsOperations) GetCardControls(ctx context.Context, in GetCardControlsInput, options ...CallOption) (CardControls, error) {
	return call[CardControls](ctx, o.client, newRoute("cards.getCardControls", "GET", "/cards/{cardId}/controls", "s"), in, options)
}

// SetCardControlsInput is the input of SetCardControls.
type SetCardControlsInput struct {
	CardID   string `json:"cardId"`
	Approval string `json:"approval,omitempty"`
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
	SingleUse *bool `json:"singleUse,omitempty"`
}

// SetCardControls: Set the controls of a card, PUT /cards/{cardId}/controls. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING.
func (o CardsOperations) SetCardControls(ctx context.Context, in SetCardControlsInput, options ...CallOption) (CardControls, error) {
	return call[CardControls](ctx, o.client, newRoute("cards.setCardControls", "PUT", "/cards/{cardId}/controls", "sb", "approval"), in, options)
}

// UpdateCardControlsInput is the input of UpdateCardControls.
type UpdateCardControlsInput struct {
	CardID     string                        `json:"cardId"`
	Approval   string                        `json:"approval,omitempty"`
	Categories *UpdateCardControlsCategories `json:"categories,omitempty"`
	Countries  *UpdateCardControlsCategories `json:"countries,omitempty"`
	Merchants  *UpdateCardControlsCategories `json:"merchants,omitempty"`
	// True if payments without the card present are permitted
	Online *bool `json:"online,omitempty"`
	// True if contactless payments are permitted
	Contactless *bool `json:"contactless,omitempty"`
	// True if cash withdrawals are permitted
	Atm *bool `json:"atm,omitempty"`
	// True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first
	SingleUse *bool `json:"singleUse,omitempty"`
}

// UpdateCardControls: Change controls of a card, PATCH /cards/{cardId}/controls. Codes: APPROVAL_REQUIRED, CARD_NOT_FOUND, CARD_STATE_CONFLICT, INVALID_APPROVAL, NONCE_EXPIRED, NONCE_USED, REAUTHENTICATION_REQUIRED, WALLET_COOLING.
func (o CardsOperations) UpdateCardControls(ctx context.Context, in UpdateCardControlsInput, options ...CallOption) (CardControls, error) {
	return call[CardControls](ctx, o.client, newRoute("cards.updateCardControls", "PATCH", "/cards/{cardId}/controls", "sb", "approval"), in, options)
}

// CreateCardLimitsChallengeInput is the input of CreateCardLimitsChallenge.
type CreateCardLimitsChallengeInput struct {
	CardID         string                                 `json:"cardId"`
	DomainType     string                                 `json:"domainType,omitempty"`
	PerTransaction *Nullable[SetCardLimitsPerTransaction] `json:"perTransaction,omitempty"`
	Daily          *Nullable[SetCardLimitsPerTransaction] `json:"daily,omitempty"`
	Weekly         *Nullable[SetCardLimitsPerTransaction] `json:"weekly,omitempty"`
	Monthly        *Nullable[SetCardLimitsPerTransaction] `json:"monthly,omitempty"`
	Atm            *Nullable[SetCardLimitsPerTransaction] `json:"atm,omitempty"`
}

// CreateCardLimitsChallenge: Create the approval of higher limits to sign, POST /cards/{cardId}/limits/challenge. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT, LIMIT_ABOVE_PROGRAM.
func (o CardsOperations) CreateCardLimitsChallenge(ctx context.Context, in CreateCardLimitsChallengeInput, options ...CallOption) (TypedMessage, error) {
	return call[TypedMessage](ctx, o.client, newRoute("cards.createCardLimitsChallenge", "POST", "/cards/{cardId}/limits/challenge", "sb", "domainType"), in, options)
}

// CreateCardControlsChallengeInput is the input of CreateCardControlsChallenge.
type CreateCardControlsChallengeInput struct {
	CardID     string                        `json:"cardId"`
	DomainType string                        `json:"domainType,omitempty"`
	Categories *UpdateCardControlsCategories `json:"categories,omitempty"`
	Countries  *UpdateCardControlsCategories `json:"countries,omitempty"`
	Merchants  *UpdateCardControlsCategories `json:"merchants,omitempty"`
	// True if payments without the card present are permitted
	Online *bool `json:"online,omitempty"`
	// True if contactless payments are permitted
	Contactless *bool `json:"contactless,omitempty"`
	// True if cash withdrawals are permitted
	Atm *bool `json:"atm,omitempty"`
	// True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first
	SingleUse *bool `json:"singleUse,omitempty"`
}

// CreateCardControlsChallenge: Create the approval of opened controls to sign, POST /cards/{cardId}/controls/challenge. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) CreateCardControlsChallenge(ctx context.Context, in CreateCardControlsChallengeInput, options ...CallOption) (TypedMessage, error) {
	return call[TypedMessage](ctx, o.client, newRoute("cards.createCardControlsChallenge", "POST", "/cards/{cardId}/controls/challenge", "sb", "domainType"), in, options)
}

// CreateUnfreezeChallengeInput is the input of CreateUnfreezeChallenge.
type CreateUnfreezeChallengeInput struct {
	CardID     string `json:"cardId"`
	DomainType string `json:"domainType,omitempty"`
}

// CreateUnfreezeChallenge: Create the approval of unfreezing to sign, POST /cards/{cardId}/unfreeze/challenge. Codes: CARD_NOT_FOUND, CARD_STATE_CONFLICT.
func (o CardsOperations) CreateUnfreezeChallenge(ctx context.Context, in CreateUnfreezeChallengeInput, options ...CallOption) (TypedMessage, error) {
	return call[TypedMessage](ctx, o.client, newRoute("cards.createUnfreezeChallenge", "POST", "/cards/{cardId}/unfreeze/challenge", "s"), in, options)
}

// UserMovementsOperations are the operations of a tag of the reference.
type UserMovementsOperations struct{ client *Client }

// ListDepositsInput is the input of ListDeposits.
type ListDepositsInput struct {
	Limit    *int64 `json:"limit,omitempty"`
	Cursor   string `json:"cursor,omitempty"`
	Token    string `json:"token,omitempty"`
	Currency string `json:"currency,omitempty"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Status   string `json:"status,omitempty"`
}

// ListDeposits: List deposits, GET /user/deposits. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListDeposits(ctx context.Context, in ListDepositsInput, options ...CallOption) (ListDepositsPage, error) {
	return call[ListDepositsPage](ctx, o.client, newRoute("userMovements.listDeposits", "GET", "/user/deposits", "s"), in, options)
}

// ListDepositsAll: List deposits, the rows of all pages, GET /user/deposits. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListDepositsAll(ctx context.Context, in ListDepositsInput, options ...CallOption) iter.Seq2[Deposit, error] {
	return all[Deposit](ctx, o.client, newRoute("userMovements.listDeposits", "GET", "/user/deposits", "s"), in, options)
}

// ListWithdrawalsInput is the input of ListWithdrawals.
type ListWithdrawalsInput struct {
	Limit    *int64 `json:"limit,omitempty"`
	Cursor   string `json:"cursor,omitempty"`
	Token    string `json:"token,omitempty"`
	Currency string `json:"currency,omitempty"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Status   string `json:"status,omitempty"`
}

// ListWithdrawals: List withdrawals, GET /user/withdrawals. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListWithdrawals(ctx context.Context, in ListWithdrawalsInput, options ...CallOption) (ListWithdrawalsPage, error) {
	return call[ListWithdrawalsPage](ctx, o.client, newRoute("userMovements.listWithdrawals", "GET", "/user/withdrawals", "s"), in, options)
}

// ListWithdrawalsAll: List withdrawals, the rows of all pages, GET /user/withdrawals. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListWithdrawalsAll(ctx context.Context, in ListWithdrawalsInput, options ...CallOption) iter.Seq2[Withdrawal, error] {
	return all[Withdrawal](ctx, o.client, newRoute("userMovements.listWithdrawals", "GET", "/user/withdrawals", "s"), in, options)
}

// SubmitWithdrawalInput is the input of SubmitWithdrawal.
type SubmitWithdrawalInput struct {
	WithdrawalID string `json:"withdrawalId"`
	Signature    string `json:"signature"`
}

// SubmitWithdrawal: Withdraw, POST /user/withdrawals. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, CHAIN_HALTED, INSUFFICIENT_FUNDS, INVALID_SIGNATURE, RECIPIENT_REJECTED, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_BLOCKED, WITHDRAWALS_FROZEN, WITHDRAWAL_EXPIRED, WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_LIMIT_EXCEEDED, WITHDRAWAL_NOT_FOUND.
func (o UserMovementsOperations) SubmitWithdrawal(ctx context.Context, in SubmitWithdrawalInput, options ...CallOption) (SubmitWithdrawalOutput, error) {
	return call[SubmitWithdrawalOutput](ctx, o.client, newRoute("userMovements.submitWithdrawal", "POST", "/user/withdrawals", "sb"), in, options)
}

// CreateWithdrawalChallengeInput is the input of CreateWithdrawalChallenge.
type CreateWithdrawalChallengeInput struct {
	DomainType string `json:"domainType,omitempty"`
	Token      string `json:"token"`
	// Positive integer in the token's smallest unit
	Amount string `json:"amount"`
	// EVM address that receives the money
	To string `json:"to"`
}

// CreateWithdrawalChallenge: Create a withdrawal to sign, POST /user/withdrawals/challenge. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, AMOUNT_INVALID, CHAIN_HALTED, INSUFFICIENT_FUNDS, RECIPIENT_COOLING, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_LIMIT_EXCEEDED.
func (o UserMovementsOperations) CreateWithdrawalChallenge(ctx context.Context, in CreateWithdrawalChallengeInput, options ...CallOption) (CreateWithdrawalChallengeOutput, error) {
	return call[CreateWithdrawalChallengeOutput](ctx, o.client, newRoute("userMovements.createWithdrawalChallenge", "POST", "/user/withdrawals/challenge", "sb", "domainType"), in, options)
}

// ListReturns: List deposits to send back, GET /user/returns. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListReturns(ctx context.Context, options ...CallOption) (ListReturnsOutput, error) {
	return call[ListReturnsOutput](ctx, o.client, newRoute("userMovements.listReturns", "GET", "/user/returns", "s"), nil, options)
}

// CreateReturnChallengeInput is the input of CreateReturnChallenge.
type CreateReturnChallengeInput struct {
	ReturnID   string `json:"returnId"`
	DomainType string `json:"domainType,omitempty"`
}

// CreateReturnChallenge: Create the return of a deposit to sign, POST /user/returns/{returnId}/challenge. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, CHAIN_HALTED, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_NOT_FOUND.
func (o UserMovementsOperations) CreateReturnChallenge(ctx context.Context, in CreateReturnChallengeInput, options ...CallOption) (CreateWithdrawalChallengeOutput, error) {
	return call[CreateWithdrawalChallengeOutput](ctx, o.client, newRoute("userMovements.createReturnChallenge", "POST", "/user/returns/{returnId}/challenge", "s"), in, options)
}

// ListMoves: List money of former accounts, GET /user/moves. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListMoves(ctx context.Context, options ...CallOption) (ListMovesOutput, error) {
	return call[ListMovesOutput](ctx, o.client, newRoute("userMovements.listMoves", "GET", "/user/moves", "s"), nil, options)
}

// CreateMoveChallengeInput is the input of CreateMoveChallenge.
type CreateMoveChallengeInput struct {
	DomainType string `json:"domainType,omitempty"`
	AccountID  string `json:"accountId"`
	Token      string `json:"token"`
}

// CreateMoveChallenge: Create the move of money to sign, POST /user/moves/challenge. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, CHAIN_HALTED, INSUFFICIENT_FUNDS, SAFES_NOT_AVAILABLE, SAFE_NOT_VERIFIED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_IN_PROGRESS.
func (o UserMovementsOperations) CreateMoveChallenge(ctx context.Context, in CreateMoveChallengeInput, options ...CallOption) (CreateWithdrawalChallengeOutput, error) {
	return call[CreateWithdrawalChallengeOutput](ctx, o.client, newRoute("userMovements.createMoveChallenge", "POST", "/user/moves/challenge", "sb", "domainType"), in, options)
}

// ListStatementInput is the input of ListStatement.
type ListStatementInput struct {
	Limit    *int64 `json:"limit,omitempty"`
	Cursor   string `json:"cursor,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Token    string `json:"token,omitempty"`
	Currency string `json:"currency,omitempty"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
}

// ListStatement: Get the statement, GET /user/statement. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListStatement(ctx context.Context, in ListStatementInput, options ...CallOption) (ListStatementPage, error) {
	return call[ListStatementPage](ctx, o.client, newRoute("userMovements.listStatement", "GET", "/user/statement", "s"), in, options)
}

// ListStatementAll: Get the statement, the rows of all pages, GET /user/statement. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListStatementAll(ctx context.Context, in ListStatementInput, options ...CallOption) iter.Seq2[StatementLine, error] {
	return all[StatementLine](ctx, o.client, newRoute("userMovements.listStatement", "GET", "/user/statement", "s"), in, options)
}

// ListStatementCsv: Get the statement, GET /user/statement. Codes: ACCOUNT_NOT_FOUND.
func (o UserMovementsOperations) ListStatementCsv(ctx context.Context, in ListStatementInput, options ...CallOption) (string, error) {
	return call[string](ctx, o.client, newRoute("userMovements.listStatement", "GET", "/user/statement", "sc"), in, options)
}

// LedgerOperations are the operations of a tag of the reference.
type LedgerOperations struct{ client *Client }

// ListLedgerHeads: Signed heads of the ledger, newest first, GET /.well-known/ledger-heads.
func (o LedgerOperations) ListLedgerHeads(ctx context.Context, options ...CallOption) (ListLedgerHeadsOutput, error) {
	return call[ListLedgerHeadsOutput](ctx, o.client, newRoute("ledger.listLedgerHeads", "GET", "/.well-known/ledger-heads", ""), nil, options)
}

// ListAuditHeads: Signed heads of the audit logs, GET /.well-known/audit-heads.
func (o LedgerOperations) ListAuditHeads(ctx context.Context, options ...CallOption) (ListAuditHeadsOutput, error) {
	return call[ListAuditHeadsOutput](ctx, o.client, newRoute("ledger.listAuditHeads", "GET", "/.well-known/audit-heads", ""), nil, options)
}

// GetReservesInput is the input of GetReserves.
type GetReservesInput struct {
	// EIP-155 chain id. Default: the chain of the newest file
	ChainID *int64 `json:"chainId,omitempty"`
	// Block as of which the file states balances. Default: the newest file
	Block *int64 `json:"block,omitempty"`
	// Number of the part, from 0
	Part *int64 `json:"part,omitempty"`
}

// GetReserves: Get a proof of reserves, GET /.well-known/proof-of-reserves. Codes: RESERVES_NOT_FOUND.
func (o LedgerOperations) GetReserves(ctx context.Context, in GetReservesInput, options ...CallOption) (GetReservesOutput, error) {
	return call[GetReservesOutput](ctx, o.client, newRoute("ledger.getReserves", "GET", "/.well-known/proof-of-reserves", ""), in, options)
}

// PartnersOperations are the operations of a tag of the reference.
type PartnersOperations struct{ client *Client }

// CreatePartnerInput is the input of CreatePartner.
type CreatePartnerInput struct {
	// Secret; valid for seven days
	BootstrapToken string `json:"bootstrapToken"`
	// Name of the key for people
	Name string `json:"name"`
	// Public half of an Ed25519 key as JSON Web Key (RFC 8037). A private half (`d`) is rejected.
	Jwk CreatePartnerJwk `json:"jwk"`
}

// CreatePartner: Register the first key, POST /partners. Codes: BOOTSTRAP_TOKEN_INVALID, PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED.
func (o PartnersOperations) CreatePartner(ctx context.Context, in CreatePartnerInput, options ...CallOption) (PartnerClient, error) {
	return call[PartnerClient](ctx, o.client, newRoute("partners.createPartner", "POST", "/partners", "b"), in, options)
}

// ListPartnerKeys: List the keys, GET /partner/keys. Codes: FORBIDDEN.
func (o PartnersOperations) ListPartnerKeys(ctx context.Context, options ...CallOption) (ListPartnerKeysOutput, error) {
	return call[ListPartnerKeysOutput](ctx, o.client, newRoute("partners.listPartnerKeys", "GET", "/partner/keys", "s"), nil, options)
}

// CreatePartnerKeyInput is the input of CreatePartnerKey.
type CreatePartnerKeyInput struct {
	// Name of the key for people
	Name string `json:"name"`
	// Public half of an Ed25519 key as JSON Web Key (RFC 8037). A private half (`d`) is rejected.
	Jwk CreatePartnerJwk `json:"jwk"`
	// Scopes of the key, out of those that your token carries. Default: all of them.
	Scopes []string `json:"scopes,omitzero"`
}

// CreatePartnerKey: Register a key, POST /partner/keys. Codes: FORBIDDEN, PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED.
func (o PartnersOperations) CreatePartnerKey(ctx context.Context, in CreatePartnerKeyInput, options ...CallOption) (PartnerClient, error) {
	return call[PartnerClient](ctx, o.client, newRoute("partners.createPartnerKey", "POST", "/partner/keys", "sb"), in, options)
}

// ListPartnerRequests: List recent requests, GET /partner/requests. Codes: FORBIDDEN.
func (o PartnersOperations) ListPartnerRequests(ctx context.Context, options ...CallOption) (ListPartnerRequestsOutput, error) {
	return call[ListPartnerRequestsOutput](ctx, o.client, newRoute("partners.listPartnerRequests", "GET", "/partner/requests", "s"), nil, options)
}

// RevokePartnerKeyInput is the input of RevokePartnerKey.
type RevokePartnerKeyInput struct {
	// Thumbprint of the key (RFC 7638): `kid`, `iss` and `sub` of the tokens that it signs
	ClientID string `json:"clientId"`
}

// RevokePartnerKey: Revoke a key, DELETE /partner/keys/{clientId}. Codes: FORBIDDEN, PARTNER_KEY_NOT_FOUND.
func (o PartnersOperations) RevokePartnerKey(ctx context.Context, in RevokePartnerKeyInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("partners.revokePartnerKey", "DELETE", "/partner/keys/{clientId}", "s"), in, options)
}

// GetPartnerUserInput is the input of GetPartnerUser.
type GetPartnerUserInput struct {
	UserID string `json:"userId"`
}

// GetPartnerUser: Get a user of the partner, GET /partner/users/{userId}. Codes: FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) GetPartnerUser(ctx context.Context, in GetPartnerUserInput, options ...CallOption) (User, error) {
	return call[User](ctx, o.client, newRoute("partners.getPartnerUser", "GET", "/partner/users/{userId}", "s"), in, options)
}

// ListPartnerUserCardsInput is the input of ListPartnerUserCards.
type ListPartnerUserCardsInput struct {
	UserID string `json:"userId"`
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	Status string `json:"status,omitempty"`
}

// ListPartnerUserCards: List the cards of a user, GET /partner/users/{userId}/cards. Codes: FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserCards(ctx context.Context, in ListPartnerUserCardsInput, options ...CallOption) (ListCardsPage, error) {
	return call[ListCardsPage](ctx, o.client, newRoute("partners.listPartnerUserCards", "GET", "/partner/users/{userId}/cards", "s"), in, options)
}

// ListPartnerUserCardsAll: List the cards of a user, the rows of all pages, GET /partner/users/{userId}/cards. Codes: FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserCardsAll(ctx context.Context, in ListPartnerUserCardsInput, options ...CallOption) iter.Seq2[Card, error] {
	return all[Card](ctx, o.client, newRoute("partners.listPartnerUserCards", "GET", "/partner/users/{userId}/cards", "s"), in, options)
}

// ListPartnerUserTransactionsInput is the input of ListPartnerUserTransactions.
type ListPartnerUserTransactionsInput struct {
	UserID string `json:"userId"`
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	CardID string `json:"cardId,omitempty"`
	Status string `json:"status,omitempty"`
	Kind   string `json:"kind,omitempty"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	// The same as `from`, which takes precedence
	After string `json:"after,omitempty"`
	// The same as `to`, which takes precedence
	Before string `json:"before,omitempty"`
	// Currency of the transaction
	Currency string `json:"currency,omitempty"`
	// Merchant category code (ISO 18245), or several codes and ranges of them, separated by commas
	CategoryCode string `json:"categoryCode,omitempty"`
	// The same as `categoryCode`, which takes precedence
	Mcc string `json:"mcc,omitempty"`
	// A part of the merchant's name, in any case
	Merchant string `json:"merchant,omitempty"`
}

// ListPartnerUserTransactions: List the card transactions of a user, GET /partner/users/{userId}/transactions. Codes: FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserTransactions(ctx context.Context, in ListPartnerUserTransactionsInput, options ...CallOption) (ListCardTransactionsPage, error) {
	return call[ListCardTransactionsPage](ctx, o.client, newRoute("partners.listPartnerUserTransactions", "GET", "/partner/users/{userId}/transactions", "s"), in, options)
}

// ListPartnerUserTransactionsAll: List the card transactions of a user, the rows of all pages, GET /partner/users/{userId}/transactions. Codes: FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserTransactionsAll(ctx context.Context, in ListPartnerUserTransactionsInput, options ...CallOption) iter.Seq2[CardTransaction, error] {
	return all[CardTransaction](ctx, o.client, newRoute("partners.listPartnerUserTransactions", "GET", "/partner/users/{userId}/transactions", "s"), in, options)
}

// GetPartnerUserTransactionInput is the input of GetPartnerUserTransaction.
type GetPartnerUserTransactionInput struct {
	UserID        string `json:"userId"`
	TransactionID string `json:"transactionId"`
}

// GetPartnerUserTransaction: Get a card transaction of a user, GET /partner/users/{userId}/transactions/{transactionId}. Codes: FORBIDDEN, PAYMENT_NOT_FOUND, USER_NOT_FOUND.
func (o PartnersOperations) GetPartnerUserTransaction(ctx context.Context, in GetPartnerUserTransactionInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("partners.getPartnerUserTransaction", "GET", "/partner/users/{userId}/transactions/{transactionId}", "s"), in, options)
}

// GetPartnerUserBalancesInput is the input of GetPartnerUserBalances.
type GetPartnerUserBalancesInput struct {
	UserID string `json:"userId"`
}

// GetPartnerUserBalances: Get the balances of a user, GET /partner/users/{userId}/balances. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) GetPartnerUserBalances(ctx context.Context, in GetPartnerUserBalancesInput, options ...CallOption) (Balances, error) {
	return call[Balances](ctx, o.client, newRoute("partners.getPartnerUserBalances", "GET", "/partner/users/{userId}/balances", "s"), in, options)
}

// ListPartnerUserDepositsInput is the input of ListPartnerUserDeposits.
type ListPartnerUserDepositsInput struct {
	UserID   string `json:"userId"`
	Limit    *int64 `json:"limit,omitempty"`
	Cursor   string `json:"cursor,omitempty"`
	Token    string `json:"token,omitempty"`
	Currency string `json:"currency,omitempty"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Status   string `json:"status,omitempty"`
}

// ListPartnerUserDeposits: List the deposits of a user, GET /partner/users/{userId}/deposits. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserDeposits(ctx context.Context, in ListPartnerUserDepositsInput, options ...CallOption) (ListDepositsPage, error) {
	return call[ListDepositsPage](ctx, o.client, newRoute("partners.listPartnerUserDeposits", "GET", "/partner/users/{userId}/deposits", "s"), in, options)
}

// ListPartnerUserDepositsAll: List the deposits of a user, the rows of all pages, GET /partner/users/{userId}/deposits. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserDepositsAll(ctx context.Context, in ListPartnerUserDepositsInput, options ...CallOption) iter.Seq2[Deposit, error] {
	return all[Deposit](ctx, o.client, newRoute("partners.listPartnerUserDeposits", "GET", "/partner/users/{userId}/deposits", "s"), in, options)
}

// ListPartnerUserWithdrawalsInput is the input of ListPartnerUserWithdrawals.
type ListPartnerUserWithdrawalsInput struct {
	UserID   string `json:"userId"`
	Limit    *int64 `json:"limit,omitempty"`
	Cursor   string `json:"cursor,omitempty"`
	Token    string `json:"token,omitempty"`
	Currency string `json:"currency,omitempty"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Status   string `json:"status,omitempty"`
}

// ListPartnerUserWithdrawals: List the withdrawals of a user, GET /partner/users/{userId}/withdrawals. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserWithdrawals(ctx context.Context, in ListPartnerUserWithdrawalsInput, options ...CallOption) (ListWithdrawalsPage, error) {
	return call[ListWithdrawalsPage](ctx, o.client, newRoute("partners.listPartnerUserWithdrawals", "GET", "/partner/users/{userId}/withdrawals", "s"), in, options)
}

// ListPartnerUserWithdrawalsAll: List the withdrawals of a user, the rows of all pages, GET /partner/users/{userId}/withdrawals. Codes: ACCOUNT_NOT_FOUND, FORBIDDEN, USER_NOT_FOUND.
func (o PartnersOperations) ListPartnerUserWithdrawalsAll(ctx context.Context, in ListPartnerUserWithdrawalsInput, options ...CallOption) iter.Seq2[Withdrawal, error] {
	return all[Withdrawal](ctx, o.client, newRoute("partners.listPartnerUserWithdrawals", "GET", "/partner/users/{userId}/withdrawals", "s"), in, options)
}

// EventsOperations are the operations of a tag of the reference.
type EventsOperations struct{ client *Client }

// ListEventsInput is the input of ListEvents.
type ListEventsInput struct {
	After string `json:"after,omitempty"`
	Types string `json:"types,omitempty"`
	// Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0.
	Version string `json:"version,omitempty"`
	// Maximum number of events to return
	Limit *int64 `json:"limit,omitempty"`
}

// ListEvents: List events, GET /events. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN.
func (o EventsOperations) ListEvents(ctx context.Context, in ListEventsInput, options ...CallOption) (ListEventsPage, error) {
	return call[ListEventsPage](ctx, o.client, newRoute("events.listEvents", "GET", "/events", "s"), in, options)
}

// ListEventsAll: List events, the rows of all pages, GET /events. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN.
func (o EventsOperations) ListEventsAll(ctx context.Context, in ListEventsInput, options ...CallOption) iter.Seq2[Event, error] {
	return all[Event](ctx, o.client, newRoute("events.listEvents", "GET", "/events", "s"), in, options)
}

// WatchEventsInput is the input of WatchEvents.
type WatchEventsInput struct {
	After string `json:"after,omitempty"`
	Types string `json:"types,omitempty"`
	// Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0.
	Version string `json:"version,omitempty"`
}

// WatchEvents: Watch events, GET /events/stream. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN, STREAM_LIMIT_REACHED.
func (o EventsOperations) WatchEvents(ctx context.Context, in WatchEventsInput, options ...StreamOption) iter.Seq2[ServerEvent, error] {
	return watch(ctx, o.client, newRoute("events.watchEvents", "GET", "/events/stream", "se"), in, options)
}

// ListUserEventsInput is the input of ListUserEvents.
type ListUserEventsInput struct {
	After string `json:"after,omitempty"`
	Types string `json:"types,omitempty"`
	// Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0.
	Version string `json:"version,omitempty"`
	// Maximum number of events to return
	Limit *int64 `json:"limit,omitempty"`
}

// ListUserEvents: List the events of the user, GET /user/events. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN.
func (o EventsOperations) ListUserEvents(ctx context.Context, in ListUserEventsInput, options ...CallOption) (ListEventsPage, error) {
	return call[ListEventsPage](ctx, o.client, newRoute("events.listUserEvents", "GET", "/user/events", "s"), in, options)
}

// ListUserEventsAll: List the events of the user, the rows of all pages, GET /user/events. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN.
func (o EventsOperations) ListUserEventsAll(ctx context.Context, in ListUserEventsInput, options ...CallOption) iter.Seq2[Event, error] {
	return all[Event](ctx, o.client, newRoute("events.listUserEvents", "GET", "/user/events", "s"), in, options)
}

// WatchUserEventsInput is the input of WatchUserEvents.
type WatchUserEventsInput struct {
	After string `json:"after,omitempty"`
	Types string `json:"types,omitempty"`
	// Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0.
	Version string `json:"version,omitempty"`
}

// WatchUserEvents: Watch the events of the user, GET /user/events/stream. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, STREAM_LIMIT_REACHED.
func (o EventsOperations) WatchUserEvents(ctx context.Context, in WatchUserEventsInput, options ...StreamOption) iter.Seq2[ServerEvent, error] {
	return watch(ctx, o.client, newRoute("events.watchUserEvents", "GET", "/user/events/stream", "se"), in, options)
}

// NotificationsOperations are the operations of a tag of the reference.
type NotificationsOperations struct{ client *Client }

// PutNotificationSubscriptionInput is the input of PutNotificationSubscription.
type PutNotificationSubscriptionInput struct {
	// URL of the push service for this device
	Endpoint string `json:"endpoint"`
	// Ignored: push services report what has ended
	ExpirationTime *Nullable[float64]              `json:"expirationTime,omitempty"`
	Keys           PutNotificationSubscriptionKeys `json:"keys"`
	// Language of what the device shows
	Language string `json:"language"`
}

// PutNotificationSubscription: Register a device for Web Push, PUT /notifications/subscriptions. Codes: PUSH_ENDPOINT_FORBIDDEN, PUSH_NOT_AVAILABLE.
func (o NotificationsOperations) PutNotificationSubscription(ctx context.Context, in PutNotificationSubscriptionInput, options ...CallOption) (NotificationDevice, error) {
	return call[NotificationDevice](ctx, o.client, newRoute("notifications.putNotificationSubscription", "PUT", "/notifications/subscriptions", "sb"), in, options)
}

// DeleteNotificationSubscriptionInput is the input of DeleteNotificationSubscription.
type DeleteNotificationSubscriptionInput struct {
	// Id of the subscription, the same for the same endpoint
	SubscriptionID string `json:"subscriptionId"`
}

// DeleteNotificationSubscription: Remove a device, DELETE /notifications/subscriptions/{subscriptionId}.
func (o NotificationsOperations) DeleteNotificationSubscription(ctx context.Context, in DeleteNotificationSubscriptionInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("notifications.deleteNotificationSubscription", "DELETE", "/notifications/subscriptions/{subscriptionId}", "s"), in, options)
}

// GetNotificationPreferences: Get how the user is notified, GET /notifications/preferences.
func (o NotificationsOperations) GetNotificationPreferences(ctx context.Context, options ...CallOption) (GetNotificationPreferencesOutput, error) {
	return call[GetNotificationPreferencesOutput](ctx, o.client, newRoute("notifications.getNotificationPreferences", "GET", "/notifications/preferences", "s"), nil, options)
}

// SetNotificationPreferencesInput is the input of SetNotificationPreferences.
type SetNotificationPreferencesInput struct {
	// How the user is notified of each kind: payments that were approved or declined, `challenge`: payments that wait for an approval, money that came back, deposits, withdrawals, states of cards, and `security`: wallets and the phone number
	Kinds NotificationPreferencesKinds `json:"kinds"`
	// When devices stay silent. Challenges and `security` are pushed all the same. Absent: never
	QuietHours *NotificationPreferencesQuietHours `json:"quietHours,omitempty"`
	// Language of mails
	Language string `json:"language"`
}

// SetNotificationPreferences: Set how the user is notified, PUT /notifications/preferences.
func (o NotificationsOperations) SetNotificationPreferences(ctx context.Context, in SetNotificationPreferencesInput, options ...CallOption) (NotificationPreferences, error) {
	return call[NotificationPreferences](ctx, o.client, newRoute("notifications.setNotificationPreferences", "PUT", "/notifications/preferences", "sb"), in, options)
}

// WebhooksOperations are the operations of a tag of the reference.
type WebhooksOperations struct{ client *Client }

// CreateWebhookEndpointInput is the input of CreateWebhookEndpoint.
type CreateWebhookEndpointInput struct {
	// https URL of a public host, without user information and fragment
	URL string `json:"url"`
	// Only events of these types, or of groups such as `card.*`; none: all
	Types []string `json:"types,omitzero"`
	// Your note about it
	Description string `json:"description,omitempty"`
	// Version of the data of the events, as the parameter `version` of GET /events. Default: 2 for a new endpoint; a change without it leaves it.
	DataVersion *int64 `json:"dataVersion,omitempty"`
	// Address that is told when the endpoint is disabled because it is gone or fails
	ContactEmail string `json:"contactEmail,omitempty"`
	// `whsec_` and base64 of 24 to 64 bytes
	Secret string `json:"secret,omitempty"`
	// Cursor after which deliveries begin. Without it: with the next event.
	After string `json:"after,omitempty"`
}

// CreateWebhookEndpoint: Create a webhook endpoint, POST /webhook-endpoints. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN, WEBHOOK_ENDPOINT_LIMIT_REACHED, WEBHOOK_SECRET_INVALID, WEBHOOK_URL_FORBIDDEN.
func (o WebhooksOperations) CreateWebhookEndpoint(ctx context.Context, in CreateWebhookEndpointInput, options ...CallOption) (WebhookEndpointWithSecret, error) {
	return call[WebhookEndpointWithSecret](ctx, o.client, newRoute("webhooks.createWebhookEndpoint", "POST", "/webhook-endpoints", "sb"), in, options)
}

// ListWebhookEndpoints: List webhook endpoints, GET /webhook-endpoints. Codes: FORBIDDEN.
func (o WebhooksOperations) ListWebhookEndpoints(ctx context.Context, options ...CallOption) (ListWebhookEndpointsOutput, error) {
	return call[ListWebhookEndpointsOutput](ctx, o.client, newRoute("webhooks.listWebhookEndpoints", "GET", "/webhook-endpoints", "s"), nil, options)
}

// GetWebhookEndpointInput is the input of GetWebhookEndpoint.
type GetWebhookEndpointInput struct {
	EndpointID string `json:"endpointId"`
}

// GetWebhookEndpoint: Get a webhook endpoint, GET /webhook-endpoints/{endpointId}. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND.
func (o WebhooksOperations) GetWebhookEndpoint(ctx context.Context, in GetWebhookEndpointInput, options ...CallOption) (WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, o.client, newRoute("webhooks.getWebhookEndpoint", "GET", "/webhook-endpoints/{endpointId}", "s"), in, options)
}

// SetWebhookEndpointInput is the input of SetWebhookEndpoint.
type SetWebhookEndpointInput struct {
	EndpointID string `json:"endpointId"`
	// https URL of a public host, without user information and fragment
	URL string `json:"url"`
	// Only events of these types, or of groups such as `card.*`; none: all
	Types List[string] `json:"types"`
	// Your note about it
	Description string `json:"description"`
	// Version of the data of the events, as the parameter `version` of GET /events. Default: 2 for a new endpoint; a change without it leaves it.
	DataVersion *int64 `json:"dataVersion,omitempty"`
	// Address that is told when the endpoint is disabled because it is gone or fails; null: none
	ContactEmail *string `json:"contactEmail"`
}

// SetWebhookEndpoint: Set the settings of a webhook endpoint, PUT /webhook-endpoints/{endpointId}. Codes: EVENT_TYPE_UNKNOWN, FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_URL_FORBIDDEN.
func (o WebhooksOperations) SetWebhookEndpoint(ctx context.Context, in SetWebhookEndpointInput, options ...CallOption) (WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, o.client, newRoute("webhooks.setWebhookEndpoint", "PUT", "/webhook-endpoints/{endpointId}", "sb"), in, options)
}

// UpdateWebhookEndpointInput is the input of UpdateWebhookEndpoint.
type UpdateWebhookEndpointInput struct {
	EndpointID string `json:"endpointId"`
	// https URL of a public host, without user information and fragment
	URL string `json:"url,omitempty"`
	// Only events of these types, or of groups such as `card.*`; none: all
	Types []string `json:"types,omitzero"`
	// Your note about it
	Description string `json:"description,omitempty"`
	// Version of the data of the events, as the parameter `version` of GET /events. Default: 2 for a new endpoint; a change without it leaves it.
	DataVersion *int64 `json:"dataVersion,omitempty"`
	// Address that is told when the endpoint is disabled because it is gone or fails; null: none
	ContactEmail *Nullable[string] `json:"contactEmail,omitempty"`
}

// UpdateWebhookEndpoint: Change settings of a webhook endpoint, PATCH /webhook-endpoints/{endpointId}. Codes: EVENT_TYPE_UNKNOWN, FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_URL_FORBIDDEN.
func (o WebhooksOperations) UpdateWebhookEndpoint(ctx context.Context, in UpdateWebhookEndpointInput, options ...CallOption) (WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, o.client, newRoute("webhooks.updateWebhookEndpoint", "PATCH", "/webhook-endpoints/{endpointId}", "sb"), in, options)
}

// DeleteWebhookEndpointInput is the input of DeleteWebhookEndpoint.
type DeleteWebhookEndpointInput struct {
	EndpointID string `json:"endpointId"`
}

// DeleteWebhookEndpoint: Delete a webhook endpoint, DELETE /webhook-endpoints/{endpointId}. Codes: FORBIDDEN.
func (o WebhooksOperations) DeleteWebhookEndpoint(ctx context.Context, in DeleteWebhookEndpointInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("webhooks.deleteWebhookEndpoint", "DELETE", "/webhook-endpoints/{endpointId}", "s"), in, options)
}

// RotateWebhookSecretInput is the input of RotateWebhookSecret.
type RotateWebhookSecretInput struct {
	EndpointID string `json:"endpointId"`
	// `whsec_` and base64 of 24 to 64 bytes
	Secret string `json:"secret,omitempty"`
}

// RotateWebhookSecret: Replace the secret of a webhook endpoint, POST /webhook-endpoints/{endpointId}/rotate-secret. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_SECRET_INVALID.
func (o WebhooksOperations) RotateWebhookSecret(ctx context.Context, in RotateWebhookSecretInput, options ...CallOption) (WebhookEndpointWithSecret, error) {
	return call[WebhookEndpointWithSecret](ctx, o.client, newRoute("webhooks.rotateWebhookSecret", "POST", "/webhook-endpoints/{endpointId}/rotate-secret", "sb"), in, options)
}

// EnableWebhookEndpointInput is the input of EnableWebhookEndpoint.
type EnableWebhookEndpointInput struct {
	EndpointID string `json:"endpointId"`
}

// EnableWebhookEndpoint: Enable a webhook endpoint, POST /webhook-endpoints/{endpointId}/enable. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND.
func (o WebhooksOperations) EnableWebhookEndpoint(ctx context.Context, in EnableWebhookEndpointInput, options ...CallOption) (WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, o.client, newRoute("webhooks.enableWebhookEndpoint", "POST", "/webhook-endpoints/{endpointId}/enable", "s"), in, options)
}

// DisableWebhookEndpointInput is the input of DisableWebhookEndpoint.
type DisableWebhookEndpointInput struct {
	EndpointID string `json:"endpointId"`
}

// DisableWebhookEndpoint: Disable a webhook endpoint, POST /webhook-endpoints/{endpointId}/disable. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND.
func (o WebhooksOperations) DisableWebhookEndpoint(ctx context.Context, in DisableWebhookEndpointInput, options ...CallOption) (WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, o.client, newRoute("webhooks.disableWebhookEndpoint", "POST", "/webhook-endpoints/{endpointId}/disable", "s"), in, options)
}

// ReplayWebhookEventsInput is the input of ReplayWebhookEvents.
type ReplayWebhookEventsInput struct {
	EndpointID string `json:"endpointId"`
	// Cursor. Without it: from the oldest event that is kept.
	After string `json:"after,omitempty"`
}

// ReplayWebhookEvents: Deliver events again, POST /webhook-endpoints/{endpointId}/replay. Codes: CURSOR_AHEAD, CURSOR_INVALID, EVENTS_ARCHIVED, FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED.
func (o WebhooksOperations) ReplayWebhookEvents(ctx context.Context, in ReplayWebhookEventsInput, options ...CallOption) (WebhookEndpoint, error) {
	return call[WebhookEndpoint](ctx, o.client, newRoute("webhooks.replayWebhookEvents", "POST", "/webhook-endpoints/{endpointId}/replay", "sb"), in, options)
}

// RedeliverWebhookEventInput is the input of RedeliverWebhookEvent.
type RedeliverWebhookEventInput struct {
	EndpointID string `json:"endpointId"`
	// Id of the event
	EventID string `json:"eventId,omitempty"`
	// Place of the event in the feed; `eventId` takes precedence
	Sequence *int64 `json:"sequence,omitempty"`
}

// RedeliverWebhookEvent: Deliver one event again, POST /webhook-endpoints/{endpointId}/redeliver. Codes: CURSOR_AHEAD, EVENTS_ARCHIVED, EVENT_NOT_FOUND, FORBIDDEN, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED.
func (o WebhooksOperations) RedeliverWebhookEvent(ctx context.Context, in RedeliverWebhookEventInput, options ...CallOption) (WebhookOrder, error) {
	return call[WebhookOrder](ctx, o.client, newRoute("webhooks.redeliverWebhookEvent", "POST", "/webhook-endpoints/{endpointId}/redeliver", "sb"), in, options)
}

// SendTestWebhookEventInput is the input of SendTestWebhookEvent.
type SendTestWebhookEventInput struct {
	EndpointID string `json:"endpointId"`
}

// SendTestWebhookEvent: Send a test event, POST /webhook-endpoints/{endpointId}/test. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED.
func (o WebhooksOperations) SendTestWebhookEvent(ctx context.Context, in SendTestWebhookEventInput, options ...CallOption) (WebhookOrder, error) {
	return call[WebhookOrder](ctx, o.client, newRoute("webhooks.sendTestWebhookEvent", "POST", "/webhook-endpoints/{endpointId}/test", "s"), in, options)
}

// ListWebhookAttemptsInput is the input of ListWebhookAttempts.
type ListWebhookAttemptsInput struct {
	EndpointID string `json:"endpointId"`
	Limit      *int64 `json:"limit,omitempty"`
	Cursor     string `json:"cursor,omitempty"`
	// Only attempts to deliver the event in this place
	Sequence string `json:"sequence,omitempty"`
	// Only attempts to deliver the event with this id
	EventID string `json:"eventId,omitempty"`
}

// ListWebhookAttempts: List attempts to deliver, GET /webhook-endpoints/{endpointId}/attempts. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND.
func (o WebhooksOperations) ListWebhookAttempts(ctx context.Context, in ListWebhookAttemptsInput, options ...CallOption) (ListWebhookAttemptsPage, error) {
	return call[ListWebhookAttemptsPage](ctx, o.client, newRoute("webhooks.listWebhookAttempts", "GET", "/webhook-endpoints/{endpointId}/attempts", "s"), in, options)
}

// ListWebhookAttemptsAll: List attempts to deliver, the rows of all pages, GET /webhook-endpoints/{endpointId}/attempts. Codes: FORBIDDEN, WEBHOOK_ENDPOINT_NOT_FOUND.
func (o WebhooksOperations) ListWebhookAttemptsAll(ctx context.Context, in ListWebhookAttemptsInput, options ...CallOption) iter.Seq2[WebhookAttempt, error] {
	return all[WebhookAttempt](ctx, o.client, newRoute("webhooks.listWebhookAttempts", "GET", "/webhook-endpoints/{endpointId}/attempts", "s"), in, options)
}

// ListWebhookKeys: Get the keys of webhooks, GET /.well-known/webhooks/jwks.json.
func (o WebhooksOperations) ListWebhookKeys(ctx context.Context, options ...CallOption) (ListWebhookKeysOutput, error) {
	return call[ListWebhookKeysOutput](ctx, o.client, newRoute("webhooks.listWebhookKeys", "GET", "/.well-known/webhooks/jwks.json", ""), nil, options)
}

// KycOperations are the operations of a tag of the reference.
type KycOperations struct{ client *Client }

// GetKyc: Get the identity check, GET /kyc. Codes: USER_NOT_FOUND.
func (o KycOperations) GetKyc(ctx context.Context, options ...CallOption) (GetKycOutput, error) {
	return call[GetKycOutput](ctx, o.client, newRoute("kyc.getKyc", "GET", "/kyc", "s"), nil, options)
}

// CreateKycSession: Start or continue the identity check, POST /kyc/session. Codes: KYC_SESSION_FAILED, KYC_STATE_CONFLICT, USER_NOT_FOUND.
func (o KycOperations) CreateKycSession(ctx context.Context, options ...CallOption) (CreateKycSessionOutput, error) {
	return call[CreateKycSessionOutput](ctx, o.client, newRoute("kyc.createKycSession", "POST", "/kyc/session", "s"), nil, options)
}

// PciOperations are the operations of a tag of the reference.
type PciOperations struct{ client *Client }

// ListVaultKeys: Get the keys of the vault, GET /pci/keys.
func (o PciOperations) ListVaultKeys(ctx context.Context, options ...CallOption) (ListVaultKeysOutput, error) {
	return call[ListVaultKeysOutput](ctx, o.client, newRoute("pci.listVaultKeys", "GET", "/pci/keys", ""), nil, options)
}

// CreateCardDataChallengeInput is the input of CreateCardDataChallenge.
type CreateCardDataChallengeInput struct {
	CardID     string `json:"cardId"`
	DomainType string `json:"domainType,omitempty"`
	// Action that the signature allows
	Action string `json:"action"`
	// Thumbprint (RFC 7638, SHA-256, base64url) of the app's P-256 key
	Thumbprint string `json:"thumbprint"`
}

// CreateCardDataChallenge: Create the consent to sign for card data, GET /pci/cards/{cardId}/challenge. Codes: ACCOUNT_NOT_FOUND, CARD_NOT_FOUND, CARD_NOT_REVEALABLE.
func (o PciOperations) CreateCardDataChallenge(ctx context.Context, in CreateCardDataChallengeInput, options ...CallOption) (TypedMessage, error) {
	return call[TypedMessage](ctx, o.client, newRoute("pci.createCardDataChallenge", "GET", "/pci/cards/{cardId}/challenge", "s"), in, options)
}

// RevealCardDataInput is the input of RevealCardData.
type RevealCardDataInput struct {
	CardID string `json:"cardId"`
	Action string `json:"action"`
	// EIP-712 signature in hexadecimal with 0x
	Signature string `json:"signature"`
	// Public key as JSON Web Key (RFC 7517): kty, crv, x and y
	Key RevealCardDataKey `json:"key"`
}

// RevealCardData: Show card data, POST /pci/cards/{cardId}/reveal. Codes: ACCOUNT_NOT_FOUND, CARD_DATA_LIMIT_REACHED, CARD_NOT_FOUND, CARD_NOT_REVEALABLE, INVALID_SIGNATURE, PIN_NOT_SET, RECEIVING_KEY_INVALID.
func (o PciOperations) RevealCardData(ctx context.Context, in RevealCardDataInput, options ...CallOption) (RevealCardDataOutput, error) {
	return call[RevealCardDataOutput](ctx, o.client, newRoute("pci.revealCardData", "POST", "/pci/cards/{cardId}/reveal", "sb"), in, options)
}

// SetPinInput is the input of SetPin.
type SetPinInput struct {
	CardID string `json:"cardId"`
	// Compact JWE (RFC 7516): ECDH-ES with A256GCM
	Jwe string `json:"jwe"`
	// EIP-712 signature in hexadecimal with 0x
	Signature string `json:"signature"`
}

// SetPin: Set the PIN of a card, PUT /pci/cards/{cardId}/pin. Codes: ACCOUNT_NOT_FOUND, CARD_DATA_LIMIT_REACHED, CARD_NOT_FOUND, CARD_NOT_REVEALABLE, INVALID_SIGNATURE, PIN_TOO_SIMPLE, SEALED_MESSAGE_INVALID.
func (o PciOperations) SetPin(ctx context.Context, in SetPinInput, options ...CallOption) (Done, error) {
	return call[Done](ctx, o.client, newRoute("pci.setPin", "PUT", "/pci/cards/{cardId}/pin", "sb"), in, options)
}

// ListCardDataAccessInput is the input of ListCardDataAccess.
type ListCardDataAccessInput struct {
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	CardID string `json:"cardId,omitempty"`
}

// ListCardDataAccess: List uses of card data, GET /pci/access-log.
func (o PciOperations) ListCardDataAccess(ctx context.Context, in ListCardDataAccessInput, options ...CallOption) (ListCardDataAccessPage, error) {
	return call[ListCardDataAccessPage](ctx, o.client, newRoute("pci.listCardDataAccess", "GET", "/pci/access-log", "s"), in, options)
}

// ListCardDataAccessAll: List uses of card data, the rows of all pages, GET /pci/access-log.
func (o PciOperations) ListCardDataAccessAll(ctx context.Context, in ListCardDataAccessInput, options ...CallOption) iter.Seq2[CardDataAccess, error] {
	return all[CardDataAccess](ctx, o.client, newRoute("pci.listCardDataAccess", "GET", "/pci/access-log", "s"), in, options)
}

// ThreeDsOperations are the operations of a tag of the reference.
type ThreeDsOperations struct{ client *Client }

// ListChallengesInput is the input of ListChallenges.
type ListChallengesInput struct {
	Limit  *int64 `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
	// Status at the time of the response
	Status string `json:"status,omitempty"`
	CardID string `json:"cardId,omitempty"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
}

// ListChallenges: List challenges, GET /3ds/challenges.
func (o ThreeDsOperations) ListChallenges(ctx context.Context, in ListChallengesInput, options ...CallOption) (ListChallengesPage, error) {
	return call[ListChallengesPage](ctx, o.client, newRoute("threeDs.listChallenges", "GET", "/3ds/challenges", "s"), in, options)
}

// ListChallengesAll: List challenges, the rows of all pages, GET /3ds/challenges.
func (o ThreeDsOperations) ListChallengesAll(ctx context.Context, in ListChallengesInput, options ...CallOption) iter.Seq2[ThreeDSChallenge, error] {
	return all[ThreeDSChallenge](ctx, o.client, newRoute("threeDs.listChallenges", "GET", "/3ds/challenges", "s"), in, options)
}

// WatchChallenges: Watch challenges, GET /3ds/challenges/events. Codes: STREAM_LIMIT_REACHED.
func (o ThreeDsOperations) WatchChallenges(ctx context.Context, options ...StreamOption) iter.Seq2[ServerEvent, error] {
	return watch(ctx, o.client, newRoute("threeDs.watchChallenges", "GET", "/3ds/challenges/events", "se"), nil, options)
}

// GetChallengeInput is the input of GetChallenge.
type GetChallengeInput struct {
	ChallengeID string `json:"challengeId"`
}

// GetChallenge: Get a challenge, GET /3ds/challenges/{challengeId}. Codes: CHALLENGE_NOT_FOUND.
func (o ThreeDsOperations) GetChallenge(ctx context.Context, in GetChallengeInput, options ...CallOption) (ThreeDSChallengeDetailResponse, error) {
	return call[ThreeDSChallengeDetailResponse](ctx, o.client, newRoute("threeDs.getChallenge", "GET", "/3ds/challenges/{challengeId}", "s"), in, options)
}

// IssueDecisionChallengeInput is the input of IssueDecisionChallenge.
type IssueDecisionChallengeInput struct {
	ChallengeID string `json:"challengeId"`
	DomainType  string `json:"domainType,omitempty"`
	// Puts the merchant’s name in quotation marks, which no name contains. Ask for it if your program accepts this form of the text.
	Quoted   string `json:"quoted,omitempty"`
	Decision string `json:"decision"`
}

// IssueDecisionChallenge: Create the data to sign, POST /3ds/challenges/{challengeId}/decision-challenge. Codes: CHALLENGE_NOT_FOUND, DECISION_ALREADY_MADE, DECISION_NOT_AVAILABLE.
func (o ThreeDsOperations) IssueDecisionChallenge(ctx context.Context, in IssueDecisionChallengeInput, options ...CallOption) (TypedMessage, error) {
	return call[TypedMessage](ctx, o.client, newRoute("threeDs.issueDecisionChallenge", "POST", "/3ds/challenges/{challengeId}/decision-challenge", "sb", "domainType", "quoted"), in, options)
}

// SubmitDecisionInput is the input of SubmitDecision.
type SubmitDecisionInput struct {
	ChallengeID string `json:"challengeId"`
	Decision    string `json:"decision"`
	// EIP-712 signature in hexadecimal with 0x
	Signature string `json:"signature"`
}

// SubmitDecision: Submit a decision, POST /3ds/challenges/{challengeId}/decision. Codes: ACCOUNT_NOT_ACTIVE, CARD_NOT_ACTIVE, CHALLENGE_NOT_FOUND, DECISION_ALREADY_MADE, DECISION_NOT_AVAILABLE, INVALID_SIGNATURE, WALLET_COOLING.
func (o ThreeDsOperations) SubmitDecision(ctx context.Context, in SubmitDecisionInput, options ...CallOption) (ThreeDSChallengeDetailResponse, error) {
	return call[ThreeDSChallengeDetailResponse](ctx, o.client, newRoute("threeDs.submitDecision", "POST", "/3ds/challenges/{challengeId}/decision", "sb"), in, options)
}

// HealthOperations are the operations of a tag of the reference.
type HealthOperations struct{ client *Client }

// GetCapabilities: Get what this deployment requires and offers, GET /capabilities.
func (o HealthOperations) GetCapabilities(ctx context.Context, options ...CallOption) (Capabilities, error) {
	return call[Capabilities](ctx, o.client, newRoute("health.getCapabilities", "GET", "/capabilities", ""), nil, options)
}

// GetLiveness: Check liveness, GET /health/live.
func (o HealthOperations) GetLiveness(ctx context.Context, options ...CallOption) (GetLivenessOutput, error) {
	return call[GetLivenessOutput](ctx, o.client, newRoute("health.getLiveness", "GET", "/health/live", ""), nil, options)
}

// GetReadiness: Check readiness, GET /health/ready.
func (o HealthOperations) GetReadiness(ctx context.Context, options ...CallOption) (GetLivenessOutput, error) {
	return call[GetLivenessOutput](ctx, o.client, newRoute("health.getReadiness", "GET", "/health/ready", ""), nil, options)
}

// SandboxOperations are the operations of a tag of the reference.
type SandboxOperations struct{ client *Client }

// SandboxListOutboxInput is the input of ListOutbox.
type SandboxListOutboxInput struct {
	// E-mail address, or phone number in E.164 format
	To string `json:"to"`
}

// ListOutbox: List sent messages, GET /sandbox/outbox.
func (o SandboxOperations) ListOutbox(ctx context.Context, in SandboxListOutboxInput, options ...CallOption) (SandboxListOutboxOutput, error) {
	return call[SandboxListOutboxOutput](ctx, o.client, newRoute("sandbox.listOutbox", "GET", "/sandbox/outbox", ""), in, options)
}

// SandboxCreatePartnerInput is the input of CreatePartner.
type SandboxCreatePartnerInput struct {
	// Name of the key for people
	Name string `json:"name"`
	// Public half of an Ed25519 key as JSON Web Key (RFC 8037). A private half (`d`) is rejected.
	Jwk CreatePartnerJwk `json:"jwk"`
}

// CreatePartner: Become a partner, POST /sandbox/partners. Codes: PARTNER_KEY_IN_USE, PARTNER_KEY_LIMIT_REACHED.
func (o SandboxOperations) CreatePartner(ctx context.Context, in SandboxCreatePartnerInput, options ...CallOption) (PartnerClient, error) {
	return call[PartnerClient](ctx, o.client, newRoute("sandbox.createPartner", "POST", "/sandbox/partners", "b"), in, options)
}

// SandboxCreateDepositInput is the input of CreateDeposit.
type SandboxCreateDepositInput struct {
	Token string `json:"token"`
	// Positive integer in the token's smallest unit
	Amount string `json:"amount"`
	// Result of the screening; `hold` leaves the deposit pending until it is resolved
	Kyt string `json:"kyt,omitempty"`
}

// CreateDeposit: Make a deposit, POST /sandbox/deposits. Codes: ACCOUNT_CLOSED, ACCOUNT_NOT_FOUND, AMOUNT_INVALID, DEPOSIT_STATE_CONFLICT, TOKEN_NOT_SUPPORTED.
func (o SandboxOperations) CreateDeposit(ctx context.Context, in SandboxCreateDepositInput, options ...CallOption) (SandboxCreateDepositOutput, error) {
	return call[SandboxCreateDepositOutput](ctx, o.client, newRoute("sandbox.createDeposit", "POST", "/sandbox/deposits", "sb"), in, options)
}

// SandboxResolveDepositInput is the input of ResolveDeposit.
type SandboxResolveDepositInput struct {
	DepositID string `json:"depositId"`
	Outcome   string `json:"outcome"`
}

// ResolveDeposit: Resolve a deposit, POST /sandbox/deposits/{depositId}/resolve. Codes: ACCOUNT_NOT_FOUND, DEPOSIT_NOT_FOUND, DEPOSIT_STATE_CONFLICT.
func (o SandboxOperations) ResolveDeposit(ctx context.Context, in SandboxResolveDepositInput, options ...CallOption) (Deposit, error) {
	return call[Deposit](ctx, o.client, newRoute("sandbox.resolveDeposit", "POST", "/sandbox/deposits/{depositId}/resolve", "sb"), in, options)
}

// SandboxCreateWithdrawalInput is the input of CreateWithdrawal.
type SandboxCreateWithdrawalInput struct {
	Token string `json:"token"`
	// Positive integer in the token's smallest unit
	Amount string `json:"amount"`
	// Outcome of the withdrawal; `process` leaves it `processing`, `hold` leaves it `pending`
	Outcome string `json:"outcome,omitempty"`
}

// CreateWithdrawal: Make a withdrawal, POST /sandbox/withdrawals. Codes: ACCOUNT_NOT_ACTIVE, ACCOUNT_NOT_FOUND, AMOUNT_INVALID, CHAIN_HALTED, INSUFFICIENT_FUNDS, TOKEN_BLOCKED, TOKEN_NOT_SUPPORTED, WITHDRAWAL_STATE_CONFLICT.
func (o SandboxOperations) CreateWithdrawal(ctx context.Context, in SandboxCreateWithdrawalInput, options ...CallOption) (SandboxCreateDepositOutput, error) {
	return call[SandboxCreateDepositOutput](ctx, o.client, newRoute("sandbox.createWithdrawal", "POST", "/sandbox/withdrawals", "sb"), in, options)
}

// SandboxResolveWithdrawalInput is the input of ResolveWithdrawal.
type SandboxResolveWithdrawalInput struct {
	WithdrawalID string `json:"withdrawalId"`
	Outcome      string `json:"outcome"`
}

// ResolveWithdrawal: Resolve a withdrawal, POST /sandbox/withdrawals/{withdrawalId}/resolve. Codes: ACCOUNT_NOT_FOUND, WITHDRAWAL_NOT_FOUND, WITHDRAWAL_STATE_CONFLICT.
func (o SandboxOperations) ResolveWithdrawal(ctx context.Context, in SandboxResolveWithdrawalInput, options ...CallOption) (Withdrawal, error) {
	return call[Withdrawal](ctx, o.client, newRoute("sandbox.resolveWithdrawal", "POST", "/sandbox/withdrawals/{withdrawalId}/resolve", "sb"), in, options)
}

// SandboxResolveDisputeInput is the input of ResolveDispute.
type SandboxResolveDisputeInput struct {
	DisputeID string `json:"disputeId"`
	Outcome   string `json:"outcome"`
	// The part that the step is about. Default: the disputed amount
	Amount string `json:"amount,omitempty"`
}

// ResolveDispute: Advance or decide a dispute, POST /sandbox/disputes/{disputeId}/resolve. Codes: DISPUTE_NOT_AVAILABLE, PAYMENT_NOT_FOUND.
func (o SandboxOperations) ResolveDispute(ctx context.Context, in SandboxResolveDisputeInput, options ...CallOption) (CardDisputeDetail, error) {
	return call[CardDisputeDetail](ctx, o.client, newRoute("sandbox.resolveDispute", "POST", "/sandbox/disputes/{disputeId}/resolve", "sb"), in, options)
}

// SandboxCreateChallengeInput is the input of CreateChallenge.
type SandboxCreateChallengeInput struct {
	CardID string `json:"cardId"`
	Amount string `json:"amount"`
	// Active ISO 4217 code
	Currency string          `json:"currency"`
	Merchant SandboxMerchant `json:"merchant"`
	// Time until the challenge expires, in seconds
	ExpiresInSeconds *int64 `json:"expiresInSeconds,omitempty"`
	// True if a decision stays `processing` until POST /sandbox/3ds/challenges/{challengeId}/confirm
	ConfirmsLater *bool `json:"confirmsLater,omitempty"`
}

// CreateChallenge: Raise a 3DS challenge, POST /sandbox/3ds/challenges. Codes: ACCOUNT_NOT_ACTIVE, CARD_NOT_ACTIVE, CARD_NOT_FOUND.
func (o SandboxOperations) CreateChallenge(ctx context.Context, in SandboxCreateChallengeInput, options ...CallOption) (SandboxCreateChallengeOutput, error) {
	return call[SandboxCreateChallengeOutput](ctx, o.client, newRoute("sandbox.createChallenge", "POST", "/sandbox/3ds/challenges", "sb"), in, options)
}

// SandboxConfirmChallengeInput is the input of ConfirmChallenge.
type SandboxConfirmChallengeInput struct {
	ChallengeID string `json:"challengeId"`
}

// ConfirmChallenge: Confirm a decision, POST /sandbox/3ds/challenges/{challengeId}/confirm. Codes: CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT.
func (o SandboxOperations) ConfirmChallenge(ctx context.Context, in SandboxConfirmChallengeInput, options ...CallOption) (ThreeDSChallengeDetailResponse, error) {
	return call[ThreeDSChallengeDetailResponse](ctx, o.client, newRoute("sandbox.confirmChallenge", "POST", "/sandbox/3ds/challenges/{challengeId}/confirm", "s"), in, options)
}

// SandboxCancelChallengeInput is the input of CancelChallenge.
type SandboxCancelChallengeInput struct {
	ChallengeID string `json:"challengeId"`
}

// CancelChallenge: Cancel a challenge, POST /sandbox/3ds/challenges/{challengeId}/cancel. Codes: CHALLENGE_NOT_FOUND, CHALLENGE_STATE_CONFLICT.
func (o SandboxOperations) CancelChallenge(ctx context.Context, in SandboxCancelChallengeInput, options ...CallOption) (ThreeDSChallengeDetailResponse, error) {
	return call[ThreeDSChallengeDetailResponse](ctx, o.client, newRoute("sandbox.cancelChallenge", "POST", "/sandbox/3ds/challenges/{challengeId}/cancel", "s"), in, options)
}

// SandboxCreatePaymentInput is the input of CreatePayment.
type SandboxCreatePaymentInput struct {
	CardID string `json:"cardId"`
	Amount string `json:"amount"`
	// Active ISO 4217 code
	Currency  string              `json:"currency"`
	Merchant  SandboxCardMerchant `json:"merchant"`
	EntryMode string              `json:"entryMode,omitempty"`
	// A withdrawal of cash with the correct PIN, which is booked at once
	Atm *bool `json:"atm,omitempty"`
	// The approved challenge that the authorization uses up
	ThreeDsChallengeID string `json:"threeDsChallengeId,omitempty"`
	// Part of the amount that is paid out in cash at the counter, at most the amount
	CashBackAmount string `json:"cashBackAmount,omitempty"`
	// True if the terminal accepts an approval of a part
	Partial *bool `json:"partial,omitempty"`
	// True if an approved payment is cleared at once
	Capture *bool `json:"capture,omitempty"`
	// The network's id of the payment, to send its events out of order
	TransactionID string `json:"transactionId,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// CreatePayment: Pay with a card, POST /sandbox/payments. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED.
func (o SandboxOperations) CreatePayment(ctx context.Context, in SandboxCreatePaymentInput, options ...CallOption) (NetworkDecision, error) {
	return call[NetworkDecision](ctx, o.client, newRoute("sandbox.createPayment", "POST", "/sandbox/payments", "sb"), in, options)
}

// SandboxIncrementPaymentInput is the input of IncrementPayment.
type SandboxIncrementPaymentInput struct {
	TransactionID string `json:"transactionId"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// IncrementPayment: Raise a payment, POST /sandbox/payments/{transactionId}/increment. Codes: CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) IncrementPayment(ctx context.Context, in SandboxIncrementPaymentInput, options ...CallOption) (NetworkDecision, error) {
	return call[NetworkDecision](ctx, o.client, newRoute("sandbox.incrementPayment", "POST", "/sandbox/payments/{transactionId}/increment", "sb"), in, options)
}

// SandboxAdvisePaymentInput is the input of AdvisePayment.
type SandboxAdvisePaymentInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// AdvisePayment: Advise of an authorization, POST /sandbox/payments/{transactionId}/advise. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) AdvisePayment(ctx context.Context, in SandboxAdvisePaymentInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.advisePayment", "POST", "/sandbox/payments/{transactionId}/advise", "sb"), in, options)
}

// SandboxClearPaymentInput is the input of ClearPayment.
type SandboxClearPaymentInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	// Of a clearing: whether it is the last one, which releases what is still held. A clearing after it is booked from the available balance, or as debt, and the operator sees an exception.
	Final      *bool  `json:"final,omitempty"`
	Repeat     *int64 `json:"repeat,omitempty"`
	DelayMs    *int64 `json:"delayMs,omitempty"`
	LoseAnswer *bool  `json:"loseAnswer,omitempty"`
}

// ClearPayment: Clear a payment, POST /sandbox/payments/{transactionId}/clear. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) ClearPayment(ctx context.Context, in SandboxClearPaymentInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.clearPayment", "POST", "/sandbox/payments/{transactionId}/clear", "sb"), in, options)
}

// SandboxForcePaymentInput is the input of ForcePayment.
type SandboxForcePaymentInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// ForcePayment: Force a posting, POST /sandbox/payments/{transactionId}/force. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) ForcePayment(ctx context.Context, in SandboxForcePaymentInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.forcePayment", "POST", "/sandbox/payments/{transactionId}/force", "sb"), in, options)
}

// SandboxReversePaymentInput is the input of ReversePayment.
type SandboxReversePaymentInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount,omitempty"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// ReversePayment: Reverse a payment, POST /sandbox/payments/{transactionId}/reverse. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) ReversePayment(ctx context.Context, in SandboxReversePaymentInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.reversePayment", "POST", "/sandbox/payments/{transactionId}/reverse", "sb"), in, options)
}

// SandboxExpirePaymentInput is the input of ExpirePayment.
type SandboxExpirePaymentInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// ExpirePayment: Expire a payment, POST /sandbox/payments/{transactionId}/expire. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) ExpirePayment(ctx context.Context, in SandboxExpirePaymentInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.expirePayment", "POST", "/sandbox/payments/{transactionId}/expire", "sb"), in, options)
}

// SandboxRefundPaymentInput is the input of RefundPayment.
type SandboxRefundPaymentInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// RefundPayment: Refund a payment, POST /sandbox/payments/{transactionId}/refund. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) RefundPayment(ctx context.Context, in SandboxRefundPaymentInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.refundPayment", "POST", "/sandbox/payments/{transactionId}/refund", "sb"), in, options)
}

// SandboxAnnounceCreditInput is the input of AnnounceCredit.
type SandboxAnnounceCreditInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// AnnounceCredit: Announce a credit, POST /sandbox/payments/{transactionId}/announce-credit. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) AnnounceCredit(ctx context.Context, in SandboxAnnounceCreditInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.announceCredit", "POST", "/sandbox/payments/{transactionId}/announce-credit", "sb"), in, options)
}

// SandboxCorrectDebitInput is the input of CorrectDebit.
type SandboxCorrectDebitInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// CorrectDebit: Correct a payment with a debit, POST /sandbox/payments/{transactionId}/correct-debit. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) CorrectDebit(ctx context.Context, in SandboxCorrectDebitInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.correctDebit", "POST", "/sandbox/payments/{transactionId}/correct-debit", "sb"), in, options)
}

// SandboxCorrectCreditInput is the input of CorrectCredit.
type SandboxCorrectCreditInput struct {
	TransactionID string `json:"transactionId"`
	CardID        string `json:"cardId,omitempty"`
	Amount        string `json:"amount"`
	Currency      string `json:"currency,omitempty"`
	BillingAmount string `json:"billingAmount,omitempty"`
	Repeat        *int64 `json:"repeat,omitempty"`
	DelayMs       *int64 `json:"delayMs,omitempty"`
	LoseAnswer    *bool  `json:"loseAnswer,omitempty"`
}

// CorrectCredit: Correct a payment with a credit, POST /sandbox/payments/{transactionId}/correct-credit. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED, PAYMENT_NOT_FOUND.
func (o SandboxOperations) CorrectCredit(ctx context.Context, in SandboxCorrectCreditInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.correctCredit", "POST", "/sandbox/payments/{transactionId}/correct-credit", "sb"), in, options)
}

// SandboxCreateRefundInput is the input of CreateRefund.
type SandboxCreateRefundInput struct {
	CardID string `json:"cardId"`
	Amount string `json:"amount"`
	// Active ISO 4217 code
	Currency   string              `json:"currency"`
	Merchant   SandboxCardMerchant `json:"merchant"`
	Repeat     *int64              `json:"repeat,omitempty"`
	DelayMs    *int64              `json:"delayMs,omitempty"`
	LoseAnswer *bool               `json:"loseAnswer,omitempty"`
}

// CreateRefund: Refund without a payment, POST /sandbox/refunds. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED.
func (o SandboxOperations) CreateRefund(ctx context.Context, in SandboxCreateRefundInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.createRefund", "POST", "/sandbox/refunds", "sb"), in, options)
}

// SandboxCreateCreditInput is the input of CreateCredit.
type SandboxCreateCreditInput struct {
	CardID string `json:"cardId"`
	Amount string `json:"amount"`
	// Active ISO 4217 code
	Currency   string              `json:"currency"`
	Merchant   SandboxCardMerchant `json:"merchant"`
	Repeat     *int64              `json:"repeat,omitempty"`
	DelayMs    *int64              `json:"delayMs,omitempty"`
	LoseAnswer *bool               `json:"loseAnswer,omitempty"`
}

// CreateCredit: Push a credit, POST /sandbox/credits. Codes: CARD_NOT_FOUND, CURRENCY_NOT_SUPPORTED.
func (o SandboxOperations) CreateCredit(ctx context.Context, in SandboxCreateCreditInput, options ...CallOption) (CardTransactionDetail, error) {
	return call[CardTransactionDetail](ctx, o.client, newRoute("sandbox.createCredit", "POST", "/sandbox/credits", "sb"), in, options)
}

// SandboxAdvanceClockInput is the input of AdvanceClock.
type SandboxAdvanceClockInput struct {
	AdvanceSeconds int64 `json:"advanceSeconds"`
}

// AdvanceClock: Move the clock of the caller's cards and challenges, POST /sandbox/clock.
func (o SandboxOperations) AdvanceClock(ctx context.Context, in SandboxAdvanceClockInput, options ...CallOption) (SandboxAdvanceClockOutput, error) {
	return call[SandboxAdvanceClockOutput](ctx, o.client, newRoute("sandbox.advanceClock", "POST", "/sandbox/clock", "sb"), in, options)
}

// SandboxMoveKycInput is the input of MoveKyc.
type SandboxMoveKycInput struct {
	Status string `json:"status"`
}

// MoveKyc: Move the identity check, POST /sandbox/kyc. Codes: KYC_STATE_CONFLICT, USER_NOT_FOUND.
func (o SandboxOperations) MoveKyc(ctx context.Context, in SandboxMoveKycInput, options ...CallOption) (SandboxMoveKycOutput, error) {
	return call[SandboxMoveKycOutput](ctx, o.client, newRoute("sandbox.moveKyc", "POST", "/sandbox/kyc", "sb"), in, options)
}
