// Generated from the OpenAPI document by `npm run generate`; do not edit.

import type { Call, CallOptions, PagedCall, ServerEvent, StreamOptions } from '../types.ts';
import type { CardColour, SandboxMerchant, SandboxCardMerchant, TokenPair, Session, Pagination, Registration, User, Onboarding, Term, UserTerm, SourceOfFundsQuestion, TypedMessage, Account, Deployment, AccountReserves, LedgerHead, Balances, CollectionAllowances, SafeTypedData, RecoveryChallenge, Recovery, Card, CardLimits, CardTransaction, CardTransactionDetail, DecisionReceipt, ForeignAmount, CardDispute, CardDisputeDetail, CardControls, CardDataAccess, Deposit, Withdrawal, DepositReturn, Move, StatementLine, AuditHead, ThreeDSChallenge, ThreeDSChallengeDetailResponse, ThreeDSChallengesReady, ThreeDSChallengesReset, PartnerClient, PartnerRequest, Event, EventCheckpoint, WebhookEndpointWithSecret, WebhookEndpoint, WebhookOrder, WebhookAttempt, NotificationDevice, NotificationPreferences, Capabilities, OutboxMessage, NetworkDecision } from './schemas.ts';

/** The operations of the platform: a group for each tag of the document. */
export type Calls = {
  auth: {
    /**
     * Create a message to sign: `GET /auth/siwe/{address}`
     *
     * Returns an EIP-4361 message with a single-use nonce that is valid for ten minutes. Sign it unchanged with `personal_sign` (EIP-191).
     *
     * Codes: `DOMAIN_NOT_ALLOWED`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    createSiweMessage: (input: {
      /** EVM address in any case */
      address: string;
      /** Authority (RFC 3986) of the app that requests the sign-in; it must belong to a partner */
      domain: string;
      /** URI that the message is for; its host must be the domain */
      uri: string;
      /** Purpose of the message: `POST /auth/siwe` or `POST /user/wallets` */
      purpose?: "sign_in" | "add_wallet" | undefined;
    }, options?: CallOptions) => Call<{
      message: string;
    }, 'auth.createSiweMessage'>;
    /**
     * Sign in: `POST /auth/siwe`
     *
     * Opens a session for the wallet that signed a message of `GET /auth/siwe/{address}`. With a DPoP proof, the session and its tokens are bound to the key of the proof.
     *
     * Codes: `DOMAIN_NOT_ALLOWED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `NONCE_EXPIRED`, `NONCE_USED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    signIn: (input: {
      /** The message exactly as issued by `GET /auth/siwe/{address}` */
      message: string;
      signature: string;
    }, options?: CallOptions) => Call<TokenPair, 'auth.signIn'>;
    /**
     * Refresh the tokens: `POST /auth/refresh`
     *
     * Exchanges a refresh token for a new pair of tokens. A refresh token can be used once: using it again more than a few seconds later ends the session (RFC 9700, section 4.14.2). A session that is bound to a key requires a proof by the same key; one that is not bound rejects a proof.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_REFRESH_TOKEN`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REFRESH_TOKEN_REUSED`, `SERVICE_UNAVAILABLE`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    refreshSession: (input: {
      refreshToken: string;
    }, options?: CallOptions) => Call<TokenPair, 'auth.refreshSession'>;
    /**
     * Log out: `POST /auth/logout`
     *
     * Ends the session of the access token. Its access and refresh tokens stop working immediately, and its event streams end. Requires a wallet token or a user token.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    logout: (input?: Record<never, never>, options?: CallOptions) => Call<{
      success: true;
    }, 'auth.logout'>;
    /**
     * Log out everywhere: `POST /auth/logout-all`
     *
     * Ends all of the caller's sessions at the partner, on all devices and of all wallets, the current one included. Their tokens stop working immediately, and their event streams end. Requires a wallet token or a user token.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    logoutAll: (input?: Record<never, never>, options?: CallOptions) => Call<{
      success: true;
    }, 'auth.logoutAll'>;
    /**
     * List sessions: `GET /auth/sessions`
     *
     * Returns the active sessions of the caller, newest first: those of the wallet, or of all wallets of the user. Requires a wallet token or a user token.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listSessions: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Session[];
      pagination: Pagination;
    }, 'auth.listSessions'>;
    /**
     * End a session: `DELETE /auth/sessions/{id}`
     *
     * Ends one of the caller's sessions. Its tokens stop working immediately, and its event streams end. A session that has ended, or is not the caller's, is `NOT_FOUND`. Requires a wallet token or a user token.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    endSession: (input: {
      /** UUID */
      id: string;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'auth.endSession'>;
    /**
     * Get the token keys: `GET /.well-known/jwks.json`
     *
     * Returns the public keys that verify access tokens, as a JSON Web Key Set (RFC 7517).
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    getPublishedKeys: (input?: Record<never, never>, options?: CallOptions) => Call<{
      keys: readonly ({
        kty: "OKP";
        crv: "Ed25519";
        x: string;
        kid: string;
        alg?: "EdDSA";
        use?: "sig";
      })[];
    }, 'auth.getPublishedKeys'>;
    /**
     * Send an e-mail code: `POST /email-verification`
     *
     * Sends a one-time password for `POST /user` by e-mail, in English, German or French, as `Accept-Language` prefers. The response does not reveal whether the address is registered. The code is valid for five minutes and stops working after five wrong attempts. A new code can be requested after 30 seconds, and an address can get five codes per hour. Requires a wallet token or a user token.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `RESEND_TOO_SOON`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    sendEmailCode: (input: {
      email: string;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'auth.sendEmailCode'>;
  };
  user: {
    /**
     * Register User: `POST /user`
     *
     * Creates a user with a wallet token and a one-time password of `POST /email-verification`. Returns a user token for later requests. The session continues: the refresh token of the sign-in stays valid and now yields user tokens, and the wallet token of the sign-in keeps working where a wallet token suffices. Requires a wallet token or a user token.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_OTP`, `MALFORMED_BODY`, `OTP_ATTEMPTS_EXCEEDED`, `OTP_EXPIRED`, `PAYLOAD_TOO_LARGE`, `PROFILE_CREATION_FAILED`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_ALREADY_EXISTS`, `USER_REGISTRATION_IN_PROGRESS`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    registerUser: (input: {
      email: string;
      /** One-time password received by e-mail */
      otp: string;
      /** Share token for reusable KYC */
      shareToken?: string | undefined;
    }, options?: CallOptions) => Call<Registration, 'user.registerUser'>;
    /**
     * Get the user: `GET /user`
     *
     * Returns the caller's own record. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getUser: (input?: Record<never, never>, options?: CallOptions) => Call<User, 'user.getUser'>;
    /**
     * Erase the user: `DELETE /user`
     *
     * Erases the caller (GDPR, Art. 17): cancels the cards, closes the account, ends all sessions and erases the personal data. What the law requires to be kept stays under the id of the user. Requires a sign-in within the last five minutes, and an account without money, holds, open challenges and recent card payments. The token of the request is invalid afterwards; when the response is lost, a repeat gets 401. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_HAS_BALANCE`, `USER_HAS_OPEN_CHALLENGES`, `USER_HAS_OPEN_DISPUTES`, `USER_HAS_OPEN_HOLDS`, `USER_HAS_RECENT_PAYMENTS`, `USER_IS_BLOCKED`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    eraseUser: (input?: Record<never, never>, options?: CallOptions) => Call<{
      success: true;
      /** Time from which the e-mail address and the wallets may register again */
      claimsReleasedAt: string;
    }, 'user.eraseUser'>;
    /**
     * Export the personal data: `GET /user/export`
     *
     * Returns everything that is stored about the caller as one document (GDPR, Art. 15 and 20): profile, sessions, accepted terms, answers, cards, who saw or changed their data, card payments, account, movements, challenges and notifications. Requires a sign-in within the last five minutes. A user gets five exports a day. An export of more than 20000 records is delivered by the back office. The guide [Personal data](/docs/guides/personal-data) lists the kinds of records. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `EXPORT_TOO_LARGE`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    exportUserData: (input?: Record<never, never>, options?: CallOptions) => Call<{
      /** ISO 8601, UTC, with milliseconds */
      exportedAt: string;
      records: readonly ({
        /** Service that stores the record */
        service: "identity" | "card" | "ledger" | "threeds" | "vault" | "notifications";
        /** Kind of the record, as the guide Personal data lists them */
        kind: string;
        /** The record, a JSON object as it is stored, without secrets. Fields may be added. */
        data: unknown;
      })[];
    }, 'user.exportUserData'>;
    /**
     * Get the onboarding status: `GET /user/onboarding`
     *
     * Returns the next step of the onboarding. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getOnboarding: (input?: Record<never, never>, options?: CallOptions) => Call<Onboarding, 'user.getOnboarding'>;
    /**
     * Create the approval of a wallet to sign: `POST /user/wallets/challenge`
     *
     * Returns EIP-712 typed data that names the user, the wallet and the expiry ten minutes later. A wallet of the user whose cooling time is over signs it; the signature is the `approval` of `POST /user/wallets`, `POST /user/wallets/primary` or `DELETE /user/wallets/{address}`. The newest twenty of a user can be used. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createWalletChallenge: (input: {
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      /** EVM address in any case */
      wallet: string;
      /** Change that the signature allows */
      change?: "add" | "make_primary" | "remove" | undefined;
    }, options?: CallOptions) => Call<TypedMessage, 'user.createWalletChallenge'>;
    /**
     * Add a wallet: `POST /user/wallets`
     *
     * Adds a wallet that may sign in. The new wallet signs a message that `GET /auth/siwe/{address}?purpose=add_wallet` created for its address, and a wallet of the user whose cooling time is over signs the typed data of `POST /user/wallets/challenge`. The new wallet can sign in immediately, and approve payments from `approvesFrom` on. The user is told by mail. The session must be younger than five minutes; otherwise sign in again. A user can have ten wallets. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `DOMAIN_NOT_ALLOWED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `NONCE_EXPIRED`, `NONCE_USED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WALLET_IN_USE`, `WALLET_LIMIT_REACHED`, `WRONG_TOKEN_KIND`.
     */
    addWallet: (input: {
      /** The message exactly as issued by `GET /auth/siwe/{address}` */
      message: string;
      signature: string;
      /** Signature of an existing wallet over the typed data */
      approval: string;
    }, options?: CallOptions) => Call<{
      /** EVM address with an EIP-55 checksum */
      address: string;
      /** True if the wallet registered the user, or replaced the wallet that did */
      primary: boolean;
      /** From when the wallet may approve payments and wallets (end of its cooling time). It may sign in and decline payments before. */
      approvesFrom: string;
    }, 'user.addWallet'>;
    /**
     * Make a wallet the primary one: `POST /user/wallets/primary`
     *
     * Makes another wallet of the user the primary one, so that the previous one can be removed unless it owns the Safe of the account. The wallet itself signs the typed data of `POST /user/wallets/challenge` with the change `make_primary`. The session must be younger than five minutes; otherwise sign in again. The Safe on chain keeps its owner. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `NONCE_EXPIRED`, `NONCE_USED`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WRONG_TOKEN_KIND`.
     */
    makeWalletPrimary: (input: {
      /** EVM address in any case */
      wallet: string;
      /** Signature of the wallet over the typed data */
      approval: string;
    }, options?: CallOptions) => Call<{
      /** EVM address with an EIP-55 checksum */
      address: string;
      /** True if the wallet registered the user, or replaced the wallet that did */
      primary: boolean;
      /** From when the wallet may approve payments and wallets (end of its cooling time). It may sign in and decline payments before. */
      approvesFrom: string;
    }, 'user.makeWalletPrimary'>;
    /**
     * Remove a wallet: `DELETE /user/wallets/{address}`
     *
     * Removes a wallet and ends its sessions immediately. The user is told by mail. The last wallet cannot be removed, nor can the primary one, unless another wallet is made the primary one first, nor the wallet that owns the Safe of the account, whose signature moves its money. During its cooling time a wallet can remove only itself. The session must be younger than five minutes; otherwise sign in again. A wallet of the user, the one to be removed included, signs the typed data of `POST /user/wallets/challenge` with the change `remove`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `APPROVAL_REQUIRED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `LAST_WALLET`, `NONCE_EXPIRED`, `NONCE_USED`, `NOT_FOUND`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WALLET_IS_OWNER`, `WRONG_TOKEN_KIND`.
     */
    removeWallet: (input: {
      /** EVM address in any case */
      address: string;
      /** Signature of a wallet of the user over the typed data that was created for this change */
      approval?: string | undefined;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'user.removeWallet'>;
  };
  terms: {
    /**
     * List terms: `GET /terms`
     *
     * Returns the documents that users accept.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    listTerms: (input?: Record<never, never>, options?: CallOptions) => Call<{
      terms: readonly Term[];
    }, 'terms.listTerms'>;
    /**
     * List accepted terms: `GET /user/terms`
     *
     * Returns the documents with the versions that the caller has accepted. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listUserTerms: (input?: Record<never, never>, options?: CallOptions) => Call<{
      terms: readonly UserTerm[];
    }, 'terms.listUserTerms'>;
    /**
     * Accept terms: `POST /user/terms`
     *
     * Records that the caller accepts documents. Only current versions can be accepted. A repeated acceptance keeps the time of the first. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `TERMS_VERSION_INVALID`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    acceptTerms: (input: {
      terms: readonly ({
        type: string;
        version: string;
      })[];
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'terms.acceptTerms'>;
  };
  sourceOfFunds: {
    /**
     * Get the questionnaire: `GET /source-of-funds`
     *
     * Returns the source-of-funds questions with their allowed answers and the caller's answers. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getSourceOfFunds: (input?: Record<never, never>, options?: CallOptions) => Call<{
      questions: readonly SourceOfFundsQuestion[];
      /** True if every question is answered */
      complete: boolean;
      /** ISO 8601, UTC, with milliseconds */
      answeredAt?: string;
    }, 'sourceOfFunds.getSourceOfFunds'>;
    /**
     * Submit the questionnaire: `POST /source-of-funds`
     *
     * Answers all source-of-funds questions. A repeat replaces the current answers; earlier answers are kept for the record. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    submitSourceOfFunds: (input: {
      answers: readonly ({
        question: string;
        answer: string;
      })[];
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'sourceOfFunds.submitSourceOfFunds'>;
  };
  phone: {
    /**
     * Send a phone code: `POST /phone/verification`
     *
     * Sends a six-digit code for `PATCH /phone` by SMS, in English, German or French, as `Accept-Language` prefers. The code is valid for five minutes and stops working after five wrong attempts. A new code can be requested after 30 seconds; one code to another number, which corrects the first, is sent at once. A number can get five codes per hour. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PHONE_COUNTRY_NOT_ALLOWED`, `RATE_LIMITED`, `RESEND_TOO_SOON`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    sendPhoneCode: (input: {
      /** Phone number in E.164 format */
      phone: string;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'phone.sendPhoneCode'>;
    /**
     * Update Phone Number: `PATCH /phone`
     *
     * Sets the phone number of the caller's cardholder, which must exist: issuing the first card creates it. `code` confirms the number that the code was sent to. The session must be younger than five minutes; otherwise sign in again. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARDHOLDER_NOT_FOUND`, `CODE_ATTEMPTS_EXCEEDED`, `CODE_EXPIRED`, `CODE_REQUIRED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_CODE`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    updatePhone: (input?: {
      /** Phone number in E.164 format */
      phone?: string | undefined;
      /** Code sent by `POST /phone/verification` */
      code?: string | undefined;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'phone.updatePhone'>;
  };
  userAccount: {
    /**
     * Get the account: `GET /user/account`
     *
     * Returns the caller's account. `deployment` shows the Safe on its chain; it is absent where the platform deploys no Safes, and while the chain service cannot be reached. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getAccount: (input?: Record<never, never>, options?: CallOptions) => Call<Account, 'userAccount.getAccount'>;
    /**
     * Get the account in the proof of reserves: `GET /user/account/reserves`
     *
     * Returns the line of the caller's account, or of a former one, in the newest proof of reserves: what the account's Safe held after a block of the chain, and what the ledger owed to the account, with the way to the signed head that states it. `checkReserves` of `@florin/client/viem` checks it without the platform. The Safe's address follows from the account and the owners. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `RESERVES_NOT_FOUND`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getAccountReserves: (input?: {
      /** A former account (`GET /user/moves`); default: the current one */
      accountId?: string | undefined;
    }, options?: CallOptions) => Call<AccountReserves, 'userAccount.getAccountReserves'>;
    /**
     * Get balances: `GET /user/balances/v2`
     *
     * Returns one row per currency of the caller's account, including zero balances, each with its tokens. `processingDeposits` is what is being screened, and what is in blocks that are not final yet: a reorganization of the chain may take the latter away. `maxInstantWithdraw` is within what may be withdrawn in 24 hours. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getBalances: (input?: Record<never, never>, options?: CallOptions) => Call<Balances, 'userAccount.getBalances'>;
    /**
     * List what may be collected: `GET /user/account/allowance`
     *
     * Returns what the platform may still collect from the caller's Safe of what cards have spent, by token, and until when. Empty where nothing is collected. What is held and uncollected together stays within `perDay`: a payment beyond it is declined. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listCollectionAllowances: (input?: Record<never, never>, options?: CallOptions) => Call<CollectionAllowances, 'userAccount.listCollectionAllowances'>;
    /**
     * Create the set-up of the Safe to sign: `POST /user/account/set-up/challenge`
     *
     * Returns EIP-712 typed data of the transaction by which the Safe becomes the account's: a key of the platform becomes the second owner, so that both must sign withdrawals, and a Delay module lets the owner alone move the money without the platform, after a cooldown. The owner's wallet signs it. It stays valid until the Safe has executed another transaction. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SAFES_NOT_AVAILABLE`, `SERVICE_UNAVAILABLE`, `SET_UP_NOT_AVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createSetUpChallenge: (input?: {
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
    }, options?: CallOptions) => Call<SafeTypedData, 'userAccount.createSetUpChallenge'>;
    /**
     * Set the Safe up: `POST /user/account/set-up`
     *
     * Takes the signature over the typed data of `POST /user/account/set-up/challenge`, deploys the Safe and sets it up, in one transaction that the platform pays for. `deployment.status` of the account becomes `verified` once that is final. A repeat changes nothing. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SAFES_NOT_AVAILABLE`, `SERVICE_UNAVAILABLE`, `SET_UP_NOT_AVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    submitSetUp: (input: {
      signature: string;
    }, options?: CallOptions) => Call<Deployment, 'userAccount.submitSetUp'>;
    /**
     * Create the naming of a backup key to sign: `POST /user/account/backup-key/challenge`
     *
     * Returns EIP-712 typed data of the Safe's transaction that names a backup key, for the owner's wallet and the backup key to sign within ten minutes. If the wallet is lost later, the backup key and the platform together exchange it, after a waiting time. In return, leaving without the platform takes that time longer, and the file for leaving has to be kept anew once `deployment.backup` of the account shows the key. A backup key is a plain wallet that is kept apart from the owner's, and cannot be changed yet. Its signature (`proof`) shows that it can sign. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `ACCOUNT_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `RECOVERY_NOT_AVAILABLE`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createBackupKeyChallenge: (input: {
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      /** EVM address in any case */
      backupKey: string;
    }, options?: CallOptions) => Call<RecoveryChallenge, 'userAccount.createBackupKeyChallenge'>;
    /**
     * Create the recovery of the Safe to sign: `POST /user/account/recovery/challenge`
     *
     * Returns EIP-712 typed data by which the backup key requests that the wallet of the session becomes the owner of the caller's Safe, for the backup key and that wallet to sign within ten minutes. Possible once the operator has replaced the lost wallet of the user, which stops the account, and in a session of the replacement. After the waiting time the platform executes the exchange; then the account can be unblocked. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `RECOVERY_NOT_AVAILABLE`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createRecoveryChallenge: (input?: {
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
    }, options?: CallOptions) => Call<RecoveryChallenge, 'userAccount.createRecoveryChallenge'>;
    /**
     * Create the stop of a recovery to sign: `POST /user/account/recovery/cancellation/challenge`
     *
     * Returns EIP-712 typed data of the Safe's transaction that stops the recovery which waits, for the wallet that is still the Safe's owner to sign within ten minutes. The session has to be of the wallet that replaced it. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `RECOVERY_NOT_AVAILABLE`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createCancellationChallenge: (input?: {
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
    }, options?: CallOptions) => Call<RecoveryChallenge, 'userAccount.createCancellationChallenge'>;
    /**
     * Submit a signed step of a recovery: `POST /user/account/recovery`
     *
     * Takes the signatures over the typed data of one of the challenges: that of `signer`, and as `proof` that of `provenKey`, if the challenge has one. The platform signs too, and pays for the execution. `deployment.backup` of the account shows a named backup key once its transaction is final, `GET /user/account/recovery` a recovery. A repeat changes nothing. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `ACCOUNT_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `NOT_FOUND`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `RECOVERY_NOT_AVAILABLE`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WITHDRAWAL_IN_PROGRESS`, `WRONG_TOKEN_KIND`.
     */
    submitRecoveryTransaction: (input: {
      /** UUID */
      transactionId: string;
      signature: string;
      /** The signature of `provenKey` over the same typed data */
      proof?: string | undefined;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'userAccount.submitRecoveryTransaction'>;
    /**
     * Get the newest recovery: `GET /user/account/recovery`
     *
     * Returns the newest recovery of the caller's Safe; `recovery` is absent before the first one. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getRecovery: (input?: Record<never, never>, options?: CallOptions) => Call<{
      recovery?: Recovery;
    }, 'userAccount.getRecovery'>;
  };
  cards: {
    /**
     * Create Virtual Card: `POST /cards/virtual`
     *
     * Issues a virtual card for online payments. The first card creates the cardholder and requires a phone number; where the operator requires verified numbers it returns `PHONE_NOT_VERIFIED` until `PATCH /phone` has verified it (guide Cards). A user can have five live cards. For a further card the session must be younger than five minutes; otherwise sign in again. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `CARD_ISSUING_FAILED`, `CARD_LIMIT_REACHED`, `CARD_ORDER_LIMIT_REACHED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PHONE_NOT_VERIFIED`, `PHONE_REQUIRED`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createVirtualCard: (input: {
      /** Name that the cardholder gives the card */
      cardName: string;
      /** Phone number of the cardholder; required for the first card */
      phone?: string | undefined;
    }, options?: CallOptions) => Call<{
      /** UUID */
      cardId: string;
    }, 'cards.createVirtualCard'>;
    /**
     * List cards: `GET /cards`
     *
     * Returns the caller's cards, newest first. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listCards: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      status?: "active" | "frozen" | "lost" | "stolen" | "cancelled" | "expired" | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Card[];
      pagination: Pagination;
    }, 'cards.listCards'>;
    /**
     * List card transactions: `GET /cards/transactions`
     *
     * Returns the card transactions of the caller's cards, newest first, declined ones included. The period is that of `createdAt`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listCardTransactions: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** UUID */
      cardId?: string | undefined;
      status?: "pending" | "settled" | "reversed" | "expired" | "declined" | undefined;
      kind?: "payment" | "refund" | "atm" | "credit" | "verification" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
      /**
       * The same as `from`, which takes precedence
       * @deprecated
       */
      after?: string | undefined;
      /**
       * The same as `to`, which takes precedence
       * @deprecated
       */
      before?: string | undefined;
      /** Currency of the transaction */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Merchant category code (ISO 18245), or several codes and ranges of them, separated by commas */
      categoryCode?: string | undefined;
      /**
       * The same as `categoryCode`, which takes precedence
       * @deprecated
       */
      mcc?: string | undefined;
      /** A part of the merchant's name, in any case */
      merchant?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly CardTransaction[];
      pagination: Pagination;
    }, 'cards.listCardTransactions'>;
    /**
     * Get a card transaction: `GET /cards/transactions/{transactionId}`
     *
     * Returns one of the card transactions of the caller, with its events and ledger entries. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getCardTransaction: (input: {
      /** UUID */
      transactionId: string;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'cards.getCardTransaction'>;
    /**
     * Get the 3DS receipt of a card transaction: `GET /cards/transactions/{transactionId}/receipt`
     *
     * Returns the signed approval that the authorization has used up, and how an amount in another currency was billed, with the mark-up by itself. `typedData` is what the wallet has signed: a library verifies `signature` over it as it is. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `RECEIPT_NOT_FOUND`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getCardReceipt: (input: {
      /** UUID */
      transactionId: string;
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
    }, options?: CallOptions) => Call<{
      receipt: DecisionReceipt;
      foreign?: ForeignAmount;
    }, 'cards.getCardReceipt'>;
    /**
     * Note something on a card transaction: `PUT /cards/transactions/{transactionId}/note`
     *
     * Replaces the cardholder's own note; an empty one removes it. Nobody else reads it, and an erasure of the user removes it. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    setCardTransactionNote: (input: {
      /** UUID */
      transactionId: string;
      note: string;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'cards.setCardTransactionNote'>;
    /**
     * Dispute a card transaction: `POST /cards/transactions/{transactionId}/dispute`
     *
     * Disputes what was cleared and has been neither refunded nor disputed, in part or whole. The program may credit it provisionally; the credit is taken back if the dispute is lost. The reason `fraud` blocks the card for good, which `cardBlocked` says: it can be replaced. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `DISPUTE_NOT_AVAILABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    disputeCardTransaction: (input: {
      /** UUID */
      transactionId: string;
      reason: "fraud" | "not_received" | "not_as_described" | "duplicate" | "cancelled" | "other";
      /** Disputed amount, in the minor unit of the card's currency. Default: everything that can be disputed */
      amount?: string | undefined;
      /** The cardholder's words */
      text?: string | undefined;
    }, options?: CallOptions) => Call<{
      /** UUID */
      id: string;
      status: string;
      /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
      amount: string;
      cardBlocked: boolean;
    }, 'cards.disputeCardTransaction'>;
    /**
     * List disputes: `GET /cards/disputes`
     *
     * Returns the disputes of the caller, those of the newest card transaction first. `limit` counts card transactions, and the period is that of their `createdAt`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listCardDisputes: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      status?: "submitted" | "won" | "lost" | "withdrawn" | undefined;
      /** UUID */
      cardId?: string | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly CardDispute[];
      pagination: Pagination;
    }, 'cards.listCardDisputes'>;
    /**
     * Get a dispute: `GET /cards/disputes/{disputeId}`
     *
     * Returns a dispute of the caller, with what has happened to it. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getCardDispute: (input: {
      /** UUID */
      disputeId: string;
    }, options?: CallOptions) => Call<CardDisputeDetail, 'cards.getCardDispute'>;
    /**
     * Withdraw a dispute: `POST /cards/disputes/{disputeId}/withdraw`
     *
     * Gives a dispute up that is not decided: what was credited for it is taken back. A card that it has blocked stays blocked. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `DISPUTE_NOT_AVAILABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    withdrawCardDispute: (input: {
      /** UUID */
      disputeId: string;
    }, options?: CallOptions) => Call<CardDisputeDetail, 'cards.withdrawCardDispute'>;
    /**
     * One of the cards of the caller: `GET /cards/{cardId}`
     *
     * Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getCard: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<Card, 'cards.getCard'>;
    /**
     * Rename a card: `PATCH /cards/{cardId}`
     *
     * Gives a live card another name, another colour, or both. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    renameCard: (input: {
      /** UUID */
      cardId: string;
      /** Name that the cardholder gives the card */
      cardName?: string | undefined;
      /**
       * The same as `cardName`, which takes precedence
       * @deprecated
       */
      name?: string | undefined;
      colour?: CardColour | undefined;
    }, options?: CallOptions) => Call<Card, 'cards.renameCard'>;
    /**
     * Freeze a card: `POST /cards/{cardId}/freeze`
     *
     * The card declines payments until it is unfrozen. A frozen card is returned unchanged. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    freezeCard: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<Card, 'cards.freezeCard'>;
    /**
     * Unfreeze a card: `POST /cards/{cardId}/unfreeze`
     *
     * Lifts the caller's freeze. A freeze by the issuer cannot be lifted. The session must be younger than five minutes; otherwise sign in again. A wallet signs the typed data of `POST /cards/{cardId}/unfreeze/challenge`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `APPROVAL_REQUIRED`, `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `FROZEN_BY_ISSUER`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `NONCE_EXPIRED`, `NONCE_USED`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WRONG_TOKEN_KIND`.
     */
    unfreezeCard: (input: {
      /** UUID */
      cardId: string;
      /** Signature of a wallet of the user over the typed data that was created for this change */
      approval?: string | undefined;
    }, options?: CallOptions) => Call<Card, 'cards.unfreezeCard'>;
    /**
     * Report a card lost: `POST /cards/{cardId}/lost`
     *
     * Ends the card. It can be replaced. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    reportCardLost: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<Card, 'cards.reportCardLost'>;
    /**
     * Report a card stolen: `POST /cards/{cardId}/stolen`
     *
     * Ends the card. It can be replaced. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    reportCardStolen: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<Card, 'cards.reportCardStolen'>;
    /**
     * Cancel a card: `POST /cards/{cardId}/cancel`
     *
     * Ends the card for good. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    cancelCard: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<Card, 'cards.cancelCard'>;
    /**
     * Replace a lost or stolen card: `POST /cards/{cardId}/replace`
     *
     * Issues a card with a new number and returns it. It does not count toward the limit of five. A repeat returns the same card. The session must be younger than five minutes; otherwise sign in again. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `CARD_ISSUING_FAILED`, `CARD_LIMIT_REACHED`, `CARD_NOT_FOUND`, `CARD_ORDER_LIMIT_REACHED`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    replaceCard: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<Card, 'cards.replaceCard'>;
    /**
     * Renew a card: `POST /cards/{cardId}/renew`
     *
     * Extends the expiry by one term and keeps the number. Possible once per term, before the card expires. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_ISSUING_FAILED`, `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    renewCard: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<Card, 'cards.renewCard'>;
    /**
     * Get the limits of a card: `GET /cards/{cardId}/limits`
     *
     * The limits in force with what counts against them. Days, ISO weeks and months are in UTC. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getCardLimits: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<CardLimits, 'cards.getCardLimits'>;
    /**
     * Set the limits of a card: `PUT /cards/{cardId}/limits`
     *
     * Replaces all of the cardholder's limits; `null` leaves only that of the card program. To raise a limit, the session must be younger than five minutes, otherwise sign in again, and a wallet signs the typed data of `POST /cards/{cardId}/limits/challenge`. Lower limits need neither. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `APPROVAL_REQUIRED`, `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `LIMIT_ABOVE_PROGRAM`, `MALFORMED_BODY`, `NONCE_EXPIRED`, `NONCE_USED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WRONG_TOKEN_KIND`.
     */
    setCardLimits: (input: {
      /** UUID */
      cardId: string;
      /** Signature of a wallet of the user over the typed data that was created for this change */
      approval?: string | undefined;
      /** Null: only the limit of the card program holds */
      perTransaction: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null;
      /** Null: only the limit of the card program holds */
      daily: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null;
      /** Null: only the limit of the card program holds */
      weekly: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null;
      /** Null: only the limit of the card program holds */
      monthly: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null;
      /** Null: only the limit of the card program holds */
      atm: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null;
    }, options?: CallOptions) => Call<CardLimits, 'cards.setCardLimits'>;
    /**
     * Change limits of a card: `PATCH /cards/{cardId}/limits`
     *
     * Changes the given limits and keeps the others; `null` leaves only that of the card program. To raise a limit, the session must be younger than five minutes, otherwise sign in again, and a wallet signs the typed data of `POST /cards/{cardId}/limits/challenge`. Lower limits need neither. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `APPROVAL_REQUIRED`, `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `LIMIT_ABOVE_PROGRAM`, `MALFORMED_BODY`, `NONCE_EXPIRED`, `NONCE_USED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WRONG_TOKEN_KIND`.
     */
    updateCardLimits: (input: {
      /** UUID */
      cardId: string;
      /** Signature of a wallet of the user over the typed data that was created for this change */
      approval?: string | undefined;
      /** Null: only the limit of the card program holds */
      perTransaction?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      daily?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      weekly?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      monthly?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      atm?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
    }, options?: CallOptions) => Call<CardLimits, 'cards.updateCardLimits'>;
    /**
     * Get the controls of a card: `GET /cards/{cardId}/controls`
     *
     * Returns the controls that the cardholder has set. Controls never stop clearings. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getCardControls: (input: {
      /** UUID */
      cardId: string;
    }, options?: CallOptions) => Call<CardControls, 'cards.getCardControls'>;
    /**
     * Set the controls of a card: `PUT /cards/{cardId}/controls`
     *
     * Replaces all that the cardholder permits. A list of allowed values, when it is not empty, excludes all others; denied values prevail. To permit what was not permitted, the session must be younger than five minutes, otherwise sign in again, and a wallet signs the typed data of `POST /cards/{cardId}/controls/challenge`. Closing needs neither. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `APPROVAL_REQUIRED`, `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `NONCE_EXPIRED`, `NONCE_USED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WRONG_TOKEN_KIND`.
     */
    setCardControls: (input: {
      /** UUID */
      cardId: string;
      /** Signature of a wallet of the user over the typed data that was created for this change */
      approval?: string | undefined;
      /** Merchant category codes (ISO 18245) */
      categories: {
        /** When it is not empty, all other values are excluded */
        allow: readonly string[];
        /** Excluded values, also allowed ones */
        deny: readonly string[];
      };
      /** Countries of merchants */
      countries: {
        /** When it is not empty, all other values are excluded */
        allow: readonly string[];
        /** Excluded values, also allowed ones */
        deny: readonly string[];
      };
      /** Acquirers' ids of merchants */
      merchants: {
        /** When it is not empty, all other values are excluded */
        allow: readonly string[];
        /** Excluded values, also allowed ones */
        deny: readonly string[];
      };
      /** True if payments without the card present are permitted */
      online: boolean;
      /** True if contactless payments are permitted */
      contactless: boolean;
      /** True if cash withdrawals are permitted */
      atm: boolean;
      /** True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first */
      singleUse?: boolean | undefined;
    }, options?: CallOptions) => Call<CardControls, 'cards.setCardControls'>;
    /**
     * Change controls of a card: `PATCH /cards/{cardId}/controls`
     *
     * Changes the given controls, each side of a list by itself, and keeps the others. To permit what was not permitted, the session must be younger than five minutes, otherwise sign in again, and a wallet signs the typed data of `POST /cards/{cardId}/controls/challenge`. Closing needs neither. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `APPROVAL_REQUIRED`, `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_APPROVAL`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `NONCE_EXPIRED`, `NONCE_USED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `REAUTHENTICATION_REQUIRED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WRONG_TOKEN_KIND`.
     */
    updateCardControls: (input: {
      /** UUID */
      cardId: string;
      /** Signature of a wallet of the user over the typed data that was created for this change */
      approval?: string | undefined;
      categories?: {
        /** When it is not empty, all other values are excluded */
        allow?: readonly string[] | undefined;
        /** Excluded values, also allowed ones */
        deny?: readonly string[] | undefined;
      } | undefined;
      countries?: {
        /** When it is not empty, all other values are excluded */
        allow?: readonly string[] | undefined;
        /** Excluded values, also allowed ones */
        deny?: readonly string[] | undefined;
      } | undefined;
      merchants?: {
        /** When it is not empty, all other values are excluded */
        allow?: readonly string[] | undefined;
        /** Excluded values, also allowed ones */
        deny?: readonly string[] | undefined;
      } | undefined;
      /** True if payments without the card present are permitted */
      online?: boolean | undefined;
      /** True if contactless payments are permitted */
      contactless?: boolean | undefined;
      /** True if cash withdrawals are permitted */
      atm?: boolean | undefined;
      /** True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first */
      singleUse?: boolean | undefined;
    }, options?: CallOptions) => Call<CardControls, 'cards.updateCardControls'>;
    /**
     * Create the approval of higher limits to sign: `POST /cards/{cardId}/limits/challenge`
     *
     * Returns EIP-712 typed data that names the change, the card, the user and the expiry ten minutes later. A wallet of the user whose cooling time is over signs it. The signature is the `approval` of `PUT` or `PATCH /cards/{cardId}/limits` with the same body, which a change that raises a limit needs. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `LIMIT_ABOVE_PROGRAM`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createCardLimitsChallenge: (input: {
      /** UUID */
      cardId: string;
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      /** Null: only the limit of the card program holds */
      perTransaction?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      daily?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      weekly?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      monthly?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
      /** Null: only the limit of the card program holds */
      atm?: {
        /** Integer in the minor unit of the currency */
        amount: string;
        /** Currency that the card is billed in */
        currency: string;
      } | null | undefined;
    }, options?: CallOptions) => Call<TypedMessage, 'cards.createCardLimitsChallenge'>;
    /**
     * Create the approval of opened controls to sign: `POST /cards/{cardId}/controls/challenge`
     *
     * Returns EIP-712 typed data that names the change, the card, the user and the expiry ten minutes later. A wallet of the user whose cooling time is over signs it. The signature is the `approval` of `PUT` or `PATCH /cards/{cardId}/controls` with the same body, which a change that permits what was not permitted needs. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createCardControlsChallenge: (input: {
      /** UUID */
      cardId: string;
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      categories?: {
        /** When it is not empty, all other values are excluded */
        allow?: readonly string[] | undefined;
        /** Excluded values, also allowed ones */
        deny?: readonly string[] | undefined;
      } | undefined;
      countries?: {
        /** When it is not empty, all other values are excluded */
        allow?: readonly string[] | undefined;
        /** Excluded values, also allowed ones */
        deny?: readonly string[] | undefined;
      } | undefined;
      merchants?: {
        /** When it is not empty, all other values are excluded */
        allow?: readonly string[] | undefined;
        /** Excluded values, also allowed ones */
        deny?: readonly string[] | undefined;
      } | undefined;
      /** True if payments without the card present are permitted */
      online?: boolean | undefined;
      /** True if contactless payments are permitted */
      contactless?: boolean | undefined;
      /** True if cash withdrawals are permitted */
      atm?: boolean | undefined;
      /** True if the card approves one purchase from then on, and declines every other one with `card_used`, whatever becomes of the first */
      singleUse?: boolean | undefined;
    }, options?: CallOptions) => Call<TypedMessage, 'cards.createCardControlsChallenge'>;
    /**
     * Create the approval of unfreezing to sign: `POST /cards/{cardId}/unfreeze/challenge`
     *
     * Returns EIP-712 typed data that names the change, the card, the user and the expiry ten minutes later. A wallet of the user whose cooling time is over signs it. The signature is the `approval` of `POST /cards/{cardId}/unfreeze`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CARD_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createUnfreezeChallenge: (input: {
      /** UUID */
      cardId: string;
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
    }, options?: CallOptions) => Call<TypedMessage, 'cards.createUnfreezeChallenge'>;
  };
  userMovements: {
    /**
     * List deposits: `GET /user/deposits`
     *
     * Returns the deposits to the caller's account, newest first. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listDeposits: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Token symbol */
      token?: string | undefined;
      /** Currency of the token */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
      status?: "pending" | "approved" | "rejected" | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Deposit[];
      pagination: Pagination;
    }, 'userMovements.listDeposits'>;
    /**
     * List withdrawals: `GET /user/withdrawals`
     *
     * Returns the withdrawals from the caller's account, newest first. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listWithdrawals: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Token symbol */
      token?: string | undefined;
      /** Currency of the token */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
      status?: "pending" | "processing" | "completed" | "failed" | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Withdrawal[];
      pagination: Pagination;
    }, 'userMovements.listWithdrawals'>;
    /**
     * Withdraw: `POST /user/withdrawals`
     *
     * Takes the signature over the typed data of `POST /user/withdrawals/challenge`: the money is set aside, the platform signs as the second owner, sends the transaction and pays for it. `completed` once the transfer is final; when it fails, the money is spendable again. A repeat changes nothing. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `ACCOUNT_NOT_FOUND`, `CHAIN_HALTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INSUFFICIENT_FUNDS`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `RECIPIENT_REJECTED`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `TOKEN_BLOCKED`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WITHDRAWALS_FROZEN`, `WITHDRAWAL_EXPIRED`, `WITHDRAWAL_IN_PROGRESS`, `WITHDRAWAL_LIMIT_EXCEEDED`, `WITHDRAWAL_NOT_FOUND`, `WRONG_TOKEN_KIND`.
     */
    submitWithdrawal: (input: {
      /** UUID */
      withdrawalId: string;
      signature: string;
    }, options?: CallOptions) => Call<{
      /** UUID */
      id: string;
      status: "processing" | "completed" | "failed";
    }, 'userMovements.submitWithdrawal'>;
    /**
     * Create a withdrawal to sign: `POST /user/withdrawals/challenge`
     *
     * Returns EIP-712 typed data of the Safe's transaction that moves the money, for the owner's wallet to sign within ten minutes. It sets nothing aside. A Safe carries out one withdrawal after the other. The first request for an address makes it known, and is rejected with `RECIPIENT_COOLING` where new recipients have to wait. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `ACCOUNT_NOT_FOUND`, `AMOUNT_INVALID`, `CHAIN_HALTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INSUFFICIENT_FUNDS`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `RECIPIENT_COOLING`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `TOKEN_NOT_SUPPORTED`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WITHDRAWAL_IN_PROGRESS`, `WITHDRAWAL_LIMIT_EXCEEDED`, `WRONG_TOKEN_KIND`.
     */
    createWithdrawalChallenge: (input: {
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      /** Token symbol */
      token: string;
      /** Positive integer in the token's smallest unit */
      amount: string;
      /** EVM address that receives the money */
      to: string;
    }, options?: CallOptions) => Call<{
      /** UUID */
      withdrawalId: string;
      /** When the signature is no longer accepted */
      expiresAt: string;
      typedData: SafeTypedData;
    }, 'userMovements.createWithdrawalChallenge'>;
    /**
     * List deposits to send back: `GET /user/returns`
     *
     * Returns the rejected deposits to the caller's Safe, and those to the Safes of former accounts, that the operator asks to send back, and that are not on their way. Until they are back, withdrawals can be stopped (`WITHDRAWALS_FROZEN`). Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listReturns: (input?: Record<never, never>, options?: CallOptions) => Call<{
      data: readonly DepositReturn[];
    }, 'userMovements.listReturns'>;
    /**
     * Create the return of a deposit to sign: `POST /user/returns/{returnId}/challenge`
     *
     * Returns EIP-712 typed data of the Safe's transaction that sends a rejected deposit back, for the owner's wallet to sign within ten minutes. `POST /user/withdrawals` takes the signature. Nothing of the caller's money moves, and no limit counts. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `ACCOUNT_NOT_FOUND`, `CHAIN_HALTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `TOKEN_NOT_SUPPORTED`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WITHDRAWAL_IN_PROGRESS`, `WITHDRAWAL_NOT_FOUND`, `WRONG_TOKEN_KIND`.
     */
    createReturnChallenge: (input: {
      /** UUID */
      returnId: string;
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
    }, options?: CallOptions) => Call<{
      /** UUID */
      withdrawalId: string;
      /** When the signature is no longer accepted */
      expiresAt: string;
      typedData: SafeTypedData;
    }, 'userMovements.createReturnChallenge'>;
    /**
     * List money of former accounts: `GET /user/moves`
     *
     * Returns what the caller's former accounts still have. The operator replaces an account whose Safe has executed something that the platform did not sign; its money moves to the new account's Safe. `ready`: the new account is active and its Safe verified. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listMoves: (input?: Record<never, never>, options?: CallOptions) => Call<{
      data: readonly Move[];
      ready: boolean;
    }, 'userMovements.listMoves'>;
    /**
     * Create the move of money to sign: `POST /user/moves/challenge`
     *
     * Returns EIP-712 typed data of the transaction that moves what `GET /user/moves` returns of a former account and token to the current account's Safe, for the owner's wallet to sign within ten minutes. `POST /user/withdrawals` takes the signature. No limit of amounts applies. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `ACCOUNT_NOT_FOUND`, `CHAIN_HALTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INSUFFICIENT_FUNDS`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SAFES_NOT_AVAILABLE`, `SAFE_NOT_VERIFIED`, `SERVICE_UNAVAILABLE`, `TOKEN_NOT_SUPPORTED`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WITHDRAWAL_IN_PROGRESS`, `WRONG_TOKEN_KIND`.
     */
    createMoveChallenge: (input: {
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      /** UUID */
      accountId: string;
      /** Token symbol */
      token: string;
    }, options?: CallOptions) => Call<{
      /** UUID */
      withdrawalId: string;
      /** When the signature is no longer accepted */
      expiresAt: string;
      typedData: SafeTypedData;
    }, 'userMovements.createMoveChallenge'>;
    /**
     * Get the statement: `GET /user/statement`
     *
     * Returns the booked movements of the account, newest first: approved deposits, completed withdrawals, captured card payments, refunds, credits of disputes, adjustments and transfers, each with the balance after it. The balance after a line is the balance after the next older line of the same token plus the amount. A page that is filtered by kind, token or currency may be short, or empty, although `hasNext` is true. With `Accept: text/csv` the response is a table of the whole period. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listStatement: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      kind?: "deposit" | "withdrawal" | "card_payment" | "card_refund" | "card_credit" | "dispute_credit" | "dispute_reversal" | "fee" | "adjustment" | "transfer" | "reversal" | undefined;
      /** Token symbol */
      token?: string | undefined;
      /** Currency of the token */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly StatementLine[];
      pagination: Pagination;
    }, 'userMovements.listStatement'>;
    /**
     * Get the statement as a table: `GET /user/statement` as CSV
     *
     * Returns the text of the whole table.
     */
    listStatementCsv: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      kind?: "deposit" | "withdrawal" | "card_payment" | "card_refund" | "card_credit" | "dispute_credit" | "dispute_reversal" | "fee" | "adjustment" | "transfer" | "reversal" | undefined;
      /** Token symbol */
      token?: string | undefined;
      /** Currency of the token */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
    }, options?: CallOptions) => Call<string, 'userMovements.listStatement'>;
  };
  ledger: {
    /**
     * Signed heads of the ledger, newest first: `GET /.well-known/ledger-heads`
     *
     * Each head states that the ledger's journal has a block, and everything before it. A copy kept elsewhere shows later whether any of it was changed.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    listLedgerHeads: (input?: Record<never, never>, options?: CallOptions) => Call<{
      keys: readonly ({
        kty: "OKP";
        crv: "Ed25519";
        x: string;
        /** Thumbprint (RFC 7638) */
        kid: string;
      })[];
      heads: readonly LedgerHead[];
    }, 'ledger.listLedgerHeads'>;
    /**
     * Signed heads of the audit logs: `GET /.well-known/audit-heads`
     *
     * Each head states that the audit log of a service has a record, and everything before it. A copy kept elsewhere shows later whether any of it was changed or removed (`npm run audit-log -- --heads FILE`). Those of settlement, webhooks and the back office are in their output only. A service that does not answer, or has signed none since it started, is missing; each of its instances signs for itself. The keys are in the operator’s trust list.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    listAuditHeads: (input?: Record<never, never>, options?: CallOptions) => Call<{
      heads: readonly AuditHead[];
    }, 'ledger.listAuditHeads'>;
    /**
     * Get a proof of reserves: `GET /.well-known/proof-of-reserves`
     *
     * The file states what every Safe held after a block of the chain, and what the ledger owed to its account when everything up to that block was booked, signed with the key of the heads. It is the `text` of its parts in order, byte for byte; `npm run ledger -- check-reserves FILE` checks it offline. To read all parts of one file, name its `chainId` and `block` from part 1 on.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `RESERVES_NOT_FOUND`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    getReserves: (input?: {
      /** EIP-155 chain id. Default: the chain of the newest file */
      chainId?: number | undefined;
      /** Block as of which the file states balances. Default: the newest file */
      block?: number | undefined;
      /** Number of the part, from 0 */
      part?: number | undefined;
    }, options?: CallOptions) => Call<{
      chainId: number;
      block: number;
      blockHash: string;
      /** ISO 8601, UTC, with milliseconds */
      createdAt: string;
      part: number;
      /** Number of parts */
      parts: number;
      /** Whole lines of the file */
      text: string;
    }, 'ledger.getReserves'>;
  };
  partners: {
    /**
     * Register the first key: `POST /partners`
     *
     * Registers the first key of a partner, with a bootstrap token that the operator of the platform has issued and that can be used once. The key may sign tokens within two seconds. A repeat with the same token and key returns the same response.
     *
     * Codes: `BOOTSTRAP_TOKEN_INVALID`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PARTNER_KEY_IN_USE`, `PARTNER_KEY_LIMIT_REACHED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    createPartner: (input: {
      /** Secret; valid for seven days */
      bootstrapToken: string;
      /** Name of the key for people */
      name: string;
      /** Public half of an Ed25519 key as JSON Web Key (RFC 8037). A private half (`d`) is rejected. */
      jwk: {
        kty: "OKP";
        crv: "Ed25519";
        x: string;
        /** Ignored: the id of the client is the thumbprint of the key */
        kid?: string | undefined;
        alg?: "EdDSA" | undefined;
        use?: "sig" | undefined;
      };
    }, options?: CallOptions) => Call<PartnerClient, 'partners.createPartner'>;
    /**
     * List the keys: `GET /partner/keys`
     *
     * Returns the keys of the partner that were registered here and may sign, oldest first. Those that the operator has registered for it are not among them. Needs the scope `keys.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listPartnerKeys: (input?: Record<never, never>, options?: CallOptions) => Call<{
      data: readonly PartnerClient[];
    }, 'partners.listPartnerKeys'>;
    /**
     * Register a key: `POST /partner/keys`
     *
     * Registers a further key of the partner: for another server, or to replace one, which you revoke afterwards. A key that the partner has registered before is returned as it is, unless other scopes are asked for: they never change. Needs the scope `keys.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PARTNER_KEY_IN_USE`, `PARTNER_KEY_LIMIT_REACHED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createPartnerKey: (input: {
      /** Name of the key for people */
      name: string;
      /** Public half of an Ed25519 key as JSON Web Key (RFC 8037). A private half (`d`) is rejected. */
      jwk: {
        kty: "OKP";
        crv: "Ed25519";
        x: string;
        /** Ignored: the id of the client is the thumbprint of the key */
        kid?: string | undefined;
        alg?: "EdDSA" | undefined;
        use?: "sig" | undefined;
      };
      /** Scopes of the key, out of those that your token carries. Default: all of them. */
      scopes?: readonly string[] | undefined;
    }, options?: CallOptions) => Call<PartnerClient, 'partners.createPartnerKey'>;
    /**
     * List recent requests: `GET /partner/requests`
     *
     * Returns the last 100 requests with tokens of the partner's servers, newest first: what was asked, in which form, and the result. In a sandbox, where everybody who asks belongs to one partner, they are those of the same key. They are kept for a day. Requests without a valid token are not among them. Needs the scope `webhooks.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listPartnerRequests: (input?: Record<never, never>, options?: CallOptions) => Call<{
      data: readonly PartnerRequest[];
    }, 'partners.listPartnerRequests'>;
    /**
     * Revoke a key: `DELETE /partner/keys/{clientId}`
     *
     * Ends a key for ever, within two seconds, also for tokens that it signed before. A key may revoke itself. Needs the scope `keys.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `PARTNER_KEY_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    revokePartnerKey: (input: {
      /** Thumbprint of the key (RFC 7638): `kid`, `iss` and `sub` of the tokens that it signs */
      clientId: string;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'partners.revokePartnerKey'>;
    /**
     * Get a user of the partner: `GET /partner/users/{userId}`
     *
     * Returns the record of a user of the partner, without the phone number. A user of another partner is not found, like one who does not exist. Needs the scope `users.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getPartnerUser: (input: {
      /** UUID */
      userId: string;
    }, options?: CallOptions) => Call<User, 'partners.getPartnerUser'>;
    /**
     * List the cards of a user: `GET /partner/users/{userId}/cards`
     *
     * Returns the cards of a user of the partner, newest first. A user of another partner is not found, like one who does not exist. Needs the scope `payments.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listPartnerUserCards: (input: {
      /** UUID */
      userId: string;
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      status?: "active" | "frozen" | "lost" | "stolen" | "cancelled" | "expired" | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Card[];
      pagination: Pagination;
    }, 'partners.listPartnerUserCards'>;
    /**
     * List the card transactions of a user: `GET /partner/users/{userId}/transactions`
     *
     * Returns the card transactions of a user of the partner, newest first, declined ones included. A user of another partner is not found, like one who does not exist. Needs the scope `payments.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listPartnerUserTransactions: (input: {
      /** UUID */
      userId: string;
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** UUID */
      cardId?: string | undefined;
      status?: "pending" | "settled" | "reversed" | "expired" | "declined" | undefined;
      kind?: "payment" | "refund" | "atm" | "credit" | "verification" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
      /**
       * The same as `from`, which takes precedence
       * @deprecated
       */
      after?: string | undefined;
      /**
       * The same as `to`, which takes precedence
       * @deprecated
       */
      before?: string | undefined;
      /** Currency of the transaction */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Merchant category code (ISO 18245), or several codes and ranges of them, separated by commas */
      categoryCode?: string | undefined;
      /**
       * The same as `categoryCode`, which takes precedence
       * @deprecated
       */
      mcc?: string | undefined;
      /** A part of the merchant's name, in any case */
      merchant?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly CardTransaction[];
      pagination: Pagination;
    }, 'partners.listPartnerUserTransactions'>;
    /**
     * Get a card transaction of a user: `GET /partner/users/{userId}/transactions/{transactionId}`
     *
     * Returns one card transaction of a user of the partner, with its events and ledger entries. A user of another partner is not found, like one who does not exist. Needs the scope `payments.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getPartnerUserTransaction: (input: {
      /** UUID */
      userId: string;
      /** UUID */
      transactionId: string;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'partners.getPartnerUserTransaction'>;
    /**
     * Get the balances of a user: `GET /partner/users/{userId}/balances`
     *
     * Returns one row per currency of the account of a user of the partner, including zero balances, each with its tokens: as the ledger has them, without what is in blocks that are not final yet. A user of another partner is not found, like one who does not exist. Needs the scope `movements.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getPartnerUserBalances: (input: {
      /** UUID */
      userId: string;
    }, options?: CallOptions) => Call<Balances, 'partners.getPartnerUserBalances'>;
    /**
     * List the deposits of a user: `GET /partner/users/{userId}/deposits`
     *
     * Returns the deposits to the account of a user of the partner, newest first. A user of another partner is not found, like one who does not exist. Needs the scope `movements.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listPartnerUserDeposits: (input: {
      /** UUID */
      userId: string;
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Token symbol */
      token?: string | undefined;
      /** Currency of the token */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
      status?: "pending" | "approved" | "rejected" | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Deposit[];
      pagination: Pagination;
    }, 'partners.listPartnerUserDeposits'>;
    /**
     * List the withdrawals of a user: `GET /partner/users/{userId}/withdrawals`
     *
     * Returns the withdrawals from the account of a user of the partner, newest first. A user of another partner is not found, like one who does not exist. Needs the scope `movements.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listPartnerUserWithdrawals: (input: {
      /** UUID */
      userId: string;
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Token symbol */
      token?: string | undefined;
      /** Currency of the token */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
      status?: "pending" | "processing" | "completed" | "failed" | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Withdrawal[];
      pagination: Pagination;
    }, 'partners.listPartnerUserWithdrawals'>;
  };
  events: {
    /**
     * List events: `GET /events`
     *
     * Returns the events of the partner after a cursor, oldest first. Nothing can be missing unseen: each event names the one before it that the filter lets through, and `checkpoint` the last one of all. Go on at `cursor` while `hasMore` is true, and later for new events. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `CURSOR_AHEAD`, `CURSOR_INVALID`, `EVENTS_ARCHIVED`, `EVENT_TYPE_UNKNOWN`, `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listEvents: (input?: {
      /** Cursor of an earlier response. It suits every filter, the list and the stream. Without it, reading begins with the oldest event that is kept. */
      after?: string | undefined;
      /** Only events of these types, or of groups such as `card.*`, separated by commas */
      types?: string | undefined;
      /** Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0. */
      version?: "1" | "2" | undefined;
      /** Maximum number of events to return */
      limit?: number | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Event[];
      /** Cursor of an earlier response. It suits every filter, the list and the stream. */
      cursor: string;
      /** True if there were further events after the cursor */
      hasMore: boolean;
      checkpoint: EventCheckpoint;
    }, 'events.listEvents'>;
    /**
     * Watch events: `GET /events/stream`
     *
     * Returns server-sent events: those of the partner after the cursor, named by their type, and new ones as they happen. The id of an event is the cursor after it, so a client that reconnects with Last-Event-ID misses nothing; it takes precedence over `after`. A `checkpoint` event marks that the client has everything, at the start, when it has caught up, and every ten seconds. An `end` event tells why the server ends the stream: `TOKEN_ENDED` (sign a new token; tokens are valid for five minutes at most), `STOPPING` and `TOO_SLOW` (reconnect). The schema describes the `data` of an event. A partner can have 10 streams, then 429 `STREAM_LIMIT_REACHED`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `CURSOR_AHEAD`, `CURSOR_INVALID`, `EVENTS_ARCHIVED`, `EVENT_TYPE_UNKNOWN`, `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `STREAM_LIMIT_REACHED`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    watchEvents: (input?: {
      /** Cursor of an earlier response. It suits every filter, the list and the stream. Without it, reading begins with the oldest event that is kept. */
      after?: string | undefined;
      /** Only events of these types, or of groups such as `card.*`, separated by commas */
      types?: string | undefined;
      /** Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0. */
      version?: "1" | "2" | undefined;
    }, options?: StreamOptions) => AsyncIterable<ServerEvent<`${string}.${string}`, Event> | ServerEvent<'checkpoint', EventCheckpoint>>;
    /**
     * List the events of the user: `GET /user/events`
     *
     * Returns the events of the caller’s own cards, payments, challenges, account and movements after a cursor, oldest first. It is the partner’s feed through a filter that lets nothing else through: each event names the one before it that the filter lets through, and `checkpoint` the last one of all, so nothing can be missing unseen. Go on at `cursor` while `hasMore` is true, and later for new events. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CURSOR_AHEAD`, `CURSOR_INVALID`, `EVENTS_ARCHIVED`, `EVENT_TYPE_UNKNOWN`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listUserEvents: (input?: {
      /** Cursor of an earlier response. It suits every filter, the list and the stream. Without it, reading begins with the oldest event that is kept. */
      after?: string | undefined;
      /** Only events of these types, or of groups such as `card.*`, separated by commas */
      types?: string | undefined;
      /** Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0. */
      version?: "1" | "2" | undefined;
      /** Maximum number of events to return */
      limit?: number | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly Event[];
      /** Cursor of an earlier response. It suits every filter, the list and the stream. */
      cursor: string;
      /** True if there were further events after the cursor */
      hasMore: boolean;
      checkpoint: EventCheckpoint;
    }, 'events.listUserEvents'>;
    /**
     * Watch the events of the user: `GET /user/events/stream`
     *
     * Returns server-sent events: those of `GET /user/events` after the cursor, named by their type, and new ones as they happen. The id of an event is the cursor after it, so a client that reconnects with Last-Event-ID misses nothing; it takes precedence over `after`. A `checkpoint` event marks that the client has everything, at the start, when it has caught up, and every 30 seconds. An `end` event tells why the server ends the stream: `TOKEN_ENDED` (get a new token), `STOPPING` and `TOO_SLOW` (reconnect). The schema describes the `data` of an event. A user can have 10 streams, then 429 `STREAM_LIMIT_REACHED`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CURSOR_AHEAD`, `CURSOR_INVALID`, `EVENTS_ARCHIVED`, `EVENT_TYPE_UNKNOWN`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `STREAM_LIMIT_REACHED`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    watchUserEvents: (input?: {
      /** Cursor of an earlier response. It suits every filter, the list and the stream. Without it, reading begins with the oldest event that is kept. */
      after?: string | undefined;
      /** Only events of these types, or of groups such as `card.*`, separated by commas */
      types?: string | undefined;
      /** Version of the data of the events: 2 unless stated. Version 1, in which deposits and withdrawals are entries of the ledger, is served until release 1.0. */
      version?: "1" | "2" | undefined;
    }, options?: StreamOptions) => AsyncIterable<ServerEvent<`${string}.${string}`, Event> | ServerEvent<'checkpoint', EventCheckpoint>>;
  };
  notifications: {
    /**
     * Register a device for Web Push: `PUT /notifications/subscriptions`
     *
     * Registers the subscription of a browser, made with the key of `GET /capabilities`, or renews it; call it at each start of an app. A device belongs to the user who registered it last. A user has at most ten; a further one takes the place of the one that was not renewed for the longest time. The user is mailed before a new one is registered. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PUSH_ENDPOINT_FORBIDDEN`, `PUSH_NOT_AVAILABLE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    putNotificationSubscription: (input: {
      /** URL of the push service for this device */
      endpoint: string;
      /** Ignored: push services report what has ended */
      expirationTime?: number | null | undefined;
      keys: {
        /** Key of messages (RFC 8291) */
        p256dh: string;
        /** Authentication secret */
        auth: string;
      };
      /** Language of what the device shows */
      language: "en" | "de" | "fr";
    }, options?: CallOptions) => Call<NotificationDevice, 'notifications.putNotificationSubscription'>;
    /**
     * Remove a device: `DELETE /notifications/subscriptions/{subscriptionId}`
     *
     * Nothing is pushed to the device any more. One that does not exist is removed already. Call it before a sign-out. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    deleteNotificationSubscription: (input: {
      /** Id of the subscription, the same for the same endpoint */
      subscriptionId: string;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'notifications.deleteNotificationSubscription'>;
    /**
     * Get how the user is notified: `GET /notifications/preferences`
     *
     * Returns the preferences of the user, or the defaults: everything is pushed to registered devices, and nothing is mailed. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getNotificationPreferences: (input?: Record<never, never>, options?: CallOptions) => Call<{
      preferences: NotificationPreferences;
      devices: readonly NotificationDevice[];
    }, 'notifications.getNotificationPreferences'>;
    /**
     * Set how the user is notified: `PUT /notifications/preferences`
     *
     * Replaces what the user has chosen. What concerns the safety of an account is mailed anyway. During quiet hours nothing is pushed but challenges and `security`; the rest is pushed when they end, unless it is older than a day then. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    setNotificationPreferences: (input: {
      /** How the user is notified of each kind: payments that were approved or declined, `challenge`: payments that wait for an approval, money that came back, deposits, withdrawals, states of cards, and `security`: wallets and the phone number */
      kinds: {
        payment_approved: {
          push: boolean;
          email: boolean;
        };
        payment_declined: {
          push: boolean;
          email: boolean;
        };
        challenge: {
          push: boolean;
          email: boolean;
        };
        refund: {
          push: boolean;
          email: boolean;
        };
        deposit: {
          push: boolean;
          email: boolean;
        };
        withdrawal: {
          push: boolean;
          email: boolean;
        };
        card: {
          push: boolean;
          email: boolean;
        };
        security: {
          push: boolean;
          email: boolean;
        };
      };
      /** When devices stay silent. Challenges and `security` are pushed all the same. Absent: never */
      quietHours?: {
        from: string;
        /** Before `from`: on the next day */
        to: string;
        /** Name in the IANA database */
        timeZone: string;
      } | undefined;
      /** Language of mails */
      language: "en" | "de" | "fr";
    }, options?: CallOptions) => Call<NotificationPreferences, 'notifications.setNotificationPreferences'>;
  };
  webhooks: {
    /**
     * Create a webhook endpoint: `POST /webhook-endpoints`
     *
     * Creates an endpoint to which the events of the partner are delivered, and returns its secret, which no other operation returns. Needs the scope `webhooks.manage`. A partner can have 20. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `CURSOR_AHEAD`, `CURSOR_INVALID`, `EVENTS_ARCHIVED`, `EVENT_TYPE_UNKNOWN`, `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_LIMIT_REACHED`, `WEBHOOK_SECRET_INVALID`, `WEBHOOK_URL_FORBIDDEN`, `WRONG_TOKEN_KIND`.
     */
    createWebhookEndpoint: (input: {
      /** https URL of a public host, without user information and fragment */
      url: string;
      /** Only events of these types, or of groups such as `card.*`; none: all */
      types?: readonly string[] | undefined;
      /** Your note about it */
      description?: string | undefined;
      /** Version of the data of the events, as the parameter `version` of GET /events. Default: 2 for a new endpoint; a change without it leaves it. */
      dataVersion?: number | undefined;
      /** Address that is told when the endpoint is disabled because it is gone or fails */
      contactEmail?: string | undefined;
      /** `whsec_` and base64 of 24 to 64 bytes */
      secret?: string | undefined;
      /** Cursor after which deliveries begin. Without it: with the next event. */
      after?: string | undefined;
    }, options?: CallOptions) => Call<WebhookEndpointWithSecret, 'webhooks.createWebhookEndpoint'>;
    /**
     * List webhook endpoints: `GET /webhook-endpoints`
     *
     * Returns all endpoints of the partner, oldest first. Needs the scope `webhooks.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listWebhookEndpoints: (input?: Record<never, never>, options?: CallOptions) => Call<{
      data: readonly WebhookEndpoint[];
    }, 'webhooks.listWebhookEndpoints'>;
    /**
     * Get a webhook endpoint: `GET /webhook-endpoints/{endpointId}`
     *
     * Needs the scope `webhooks.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WRONG_TOKEN_KIND`.
     */
    getWebhookEndpoint: (input: {
      /** UUID */
      endpointId: string;
    }, options?: CallOptions) => Call<WebhookEndpoint, 'webhooks.getWebhookEndpoint'>;
    /**
     * Set the settings of a webhook endpoint: `PUT /webhook-endpoints/{endpointId}`
     *
     * Replaces all that you have set. A new filter applies to events that have not been read for the endpoint yet. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `EVENT_TYPE_UNKNOWN`, `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_URL_FORBIDDEN`, `WRONG_TOKEN_KIND`.
     */
    setWebhookEndpoint: (input: {
      /** UUID */
      endpointId: string;
      /** https URL of a public host, without user information and fragment */
      url: string;
      /** Only events of these types, or of groups such as `card.*`; none: all */
      types: readonly string[];
      /** Your note about it */
      description: string;
      /** Version of the data of the events, as the parameter `version` of GET /events. Default: 2 for a new endpoint; a change without it leaves it. */
      dataVersion?: number | undefined;
      /** Address that is told when the endpoint is disabled because it is gone or fails; null: none */
      contactEmail: string | null;
    }, options?: CallOptions) => Call<WebhookEndpoint, 'webhooks.setWebhookEndpoint'>;
    /**
     * Change settings of a webhook endpoint: `PATCH /webhook-endpoints/{endpointId}`
     *
     * Changes the given settings and keeps the others. A new filter applies to events that have not been read for the endpoint yet. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `EVENT_TYPE_UNKNOWN`, `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_URL_FORBIDDEN`, `WRONG_TOKEN_KIND`.
     */
    updateWebhookEndpoint: (input: {
      /** UUID */
      endpointId: string;
      /** https URL of a public host, without user information and fragment */
      url?: string | undefined;
      /** Only events of these types, or of groups such as `card.*`; none: all */
      types?: readonly string[] | undefined;
      /** Your note about it */
      description?: string | undefined;
      /** Version of the data of the events, as the parameter `version` of GET /events. Default: 2 for a new endpoint; a change without it leaves it. */
      dataVersion?: number | undefined;
      /** Address that is told when the endpoint is disabled because it is gone or fails; null: none */
      contactEmail?: string | null | undefined;
    }, options?: CallOptions) => Call<WebhookEndpoint, 'webhooks.updateWebhookEndpoint'>;
    /**
     * Delete a webhook endpoint: `DELETE /webhook-endpoints/{endpointId}`
     *
     * An endpoint that does not exist is deleted already. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    deleteWebhookEndpoint: (input: {
      /** UUID */
      endpointId: string;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'webhooks.deleteWebhookEndpoint'>;
    /**
     * Replace the secret of a webhook endpoint: `POST /webhook-endpoints/{endpointId}/rotate-secret`
     *
     * Returns the new secret. For 24 hours deliveries are signed with both. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_SECRET_INVALID`, `WRONG_TOKEN_KIND`.
     */
    rotateWebhookSecret: (input: {
      /** UUID */
      endpointId: string;
      /** `whsec_` and base64 of 24 to 64 bytes */
      secret?: string | undefined;
    }, options?: CallOptions) => Call<WebhookEndpointWithSecret, 'webhooks.rotateWebhookSecret'>;
    /**
     * Enable a webhook endpoint: `POST /webhook-endpoints/{endpointId}/enable`
     *
     * Deliveries go on with the first event that was not delivered. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WRONG_TOKEN_KIND`.
     */
    enableWebhookEndpoint: (input: {
      /** UUID */
      endpointId: string;
    }, options?: CallOptions) => Call<WebhookEndpoint, 'webhooks.enableWebhookEndpoint'>;
    /**
     * Disable a webhook endpoint: `POST /webhook-endpoints/{endpointId}/disable`
     *
     * Nothing is delivered until it is enabled; its place in the feed is kept. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WRONG_TOKEN_KIND`.
     */
    disableWebhookEndpoint: (input: {
      /** UUID */
      endpointId: string;
    }, options?: CallOptions) => Call<WebhookEndpoint, 'webhooks.disableWebhookEndpoint'>;
    /**
     * Deliver events again: `POST /webhook-endpoints/{endpointId}/replay`
     *
     * Delivers everything after a cursor again, in order. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `CURSOR_AHEAD`, `CURSOR_INVALID`, `EVENTS_ARCHIVED`, `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_ORDER_LIMIT_REACHED`, `WRONG_TOKEN_KIND`.
     */
    replayWebhookEvents: (input: {
      /** UUID */
      endpointId: string;
      /** Cursor. Without it: from the oldest event that is kept. */
      after?: string | undefined;
    }, options?: CallOptions) => Call<WebhookEndpoint, 'webhooks.replayWebhookEvents'>;
    /**
     * Deliver one event again: `POST /webhook-endpoints/{endpointId}/redeliver`
     *
     * Makes one attempt, which the list of attempts shows. The event is named by `eventId` or `sequence`; the filter does not matter. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `CURSOR_AHEAD`, `EVENTS_ARCHIVED`, `EVENT_NOT_FOUND`, `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_DISABLED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_ORDER_LIMIT_REACHED`, `WRONG_TOKEN_KIND`.
     */
    redeliverWebhookEvent: (input: {
      /** UUID */
      endpointId: string;
      /** Id of the event */
      eventId?: string | undefined;
      /** Place of the event in the feed; `eventId` takes precedence */
      sequence?: number | undefined;
    }, options?: CallOptions) => Call<WebhookOrder, 'webhooks.redeliverWebhookEvent'>;
    /**
     * Send a test event: `POST /webhook-endpoints/{endpointId}/test`
     *
     * Makes one attempt to deliver an event `webhook.test` that is in no feed: its sequence is 0. Needs the scope `webhooks.manage`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_DISABLED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_ORDER_LIMIT_REACHED`, `WRONG_TOKEN_KIND`.
     */
    sendTestWebhookEvent: (input: {
      /** UUID */
      endpointId: string;
    }, options?: CallOptions) => Call<WebhookOrder, 'webhooks.sendTestWebhookEvent'>;
    /**
     * List attempts to deliver: `GET /webhook-endpoints/{endpointId}/attempts`
     *
     * Returns the attempts of the last days, newest first. Needs the scope `webhooks.read`. Requires a token that a server of the partner signs with its own key; a user token gets 403 `WRONG_TOKEN_KIND`.
     *
     * Codes: `FORBIDDEN`, `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`, `WEBHOOK_ENDPOINT_NOT_FOUND`, `WRONG_TOKEN_KIND`.
     */
    listWebhookAttempts: (input: {
      /** UUID */
      endpointId: string;
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Only attempts to deliver the event in this place */
      sequence?: string | undefined;
      /** Only attempts to deliver the event with this id */
      eventId?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly WebhookAttempt[];
      pagination: Pagination;
    }, 'webhooks.listWebhookAttempts'>;
    /**
     * Get the keys of webhooks: `GET /.well-known/webhooks/jwks.json`
     *
     * Returns the public keys that verify the signatures `v1a` of deliveries, as a JSON Web Key Set (RFC 7517), the newest first. They sign nothing else: those of access tokens are another set.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    listWebhookKeys: (input?: Record<never, never>, options?: CallOptions) => Call<{
      keys: readonly ({
        kty: "OKP";
        crv: "Ed25519";
        x: string;
        /** Thumbprint (RFC 7638) */
        kid: string;
        use: "sig";
        alg: "EdDSA";
      })[];
    }, 'webhooks.listWebhookKeys'>;
  };
  kyc: {
    /**
     * Get the identity check: `GET /kyc`
     *
     * Returns the status of the caller's identity check. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getKyc: (input?: Record<never, never>, options?: CallOptions) => Call<{
      /** Status of the identity check */
      status: "not_started" | "pending" | "approved" | "resubmission_requested" | "rejected" | "documents_requested" | "in_review";
      /** UUID */
      profileId: string;
      /** ISO 8601, UTC, with milliseconds */
      changedAt?: string;
    }, 'kyc.getKyc'>;
    /**
     * Start or continue the identity check: `POST /kyc/session`
     *
     * Returns a page of the KYC provider where the caller completes the identity check. While the page is valid, a repeat returns the same page. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `KYC_SESSION_FAILED`, `KYC_STATE_CONFLICT`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createKycSession: (input?: Record<never, never>, options?: CallOptions) => Call<{
      url: string;
      /** ISO 8601, UTC, with milliseconds */
      expiresAt: string;
    }, 'kyc.createKycSession'>;
  };
  pci: {
    /**
     * Get the keys of the vault: `GET /pci/keys`
     *
     * Returns the public keys to which a new PIN is encrypted, as a JSON Web Key Set (RFC 7517), the newest first. The text that the wallet signs names the key: compare it.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    listVaultKeys: (input?: Record<never, never>, options?: CallOptions) => Call<{
      keys: readonly ({
        kty: "EC";
        crv: "P-256";
        x: string;
        y: string;
        /** Thumbprint (RFC 7638) */
        kid: string;
        use: "enc";
        alg: "ECDH-ES";
      })[];
    }, 'pci.listVaultKeys'>;
    /**
     * Create the consent to sign for card data: `GET /pci/cards/{cardId}/challenge`
     *
     * Returns EIP-712 typed data for one action on a card. Its text names the action, the card, the app's key and the expiry, five minutes later. A signature can be used once; the newest five challenges of a card can be used. A repeated or prefetched request makes one more challenge, in the place of the oldest of five, and changes nothing else. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `CARD_NOT_FOUND`, `CARD_NOT_REVEALABLE`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createCardDataChallenge: (input: {
      /** UUID */
      cardId: string;
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      /** Action that the signature allows */
      action: "view-details" | "view-pin" | "set-pin";
      /** Thumbprint (RFC 7638, SHA-256, base64url) of the app's P-256 key */
      thumbprint: string;
    }, options?: CallOptions) => Call<TypedMessage, 'pci.createCardDataChallenge'>;
    /**
     * Show card data: `POST /pci/cards/{cardId}/reveal`
     *
     * Returns the number, expiry and security code of a card (`pan`, `expMonth`, `expYear`, `cvv2`), or its PIN (`pin`), encrypted to the key whose thumbprint the wallet signed. At most ten reveals a day and card, unless the operator configured another number. Every one is in the access log. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `CARD_DATA_LIMIT_REACHED`, `CARD_NOT_FOUND`, `CARD_NOT_REVEALABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PIN_NOT_SET`, `RATE_LIMITED`, `RECEIVING_KEY_INVALID`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    revealCardData: (input: {
      /** UUID */
      cardId: string;
      action: "view-details" | "view-pin";
      /** EIP-712 signature in hexadecimal with 0x */
      signature: string;
      /** Public key as JSON Web Key (RFC 7517): kty, crv, x and y */
      key: {
        kty: "EC";
        crv: "P-256";
        x: string;
        y: string;
        /** Private part: must be absent */
        d?: string | undefined;
      };
    }, options?: CallOptions) => Call<{
      /** Compact JWE (RFC 7516): ECDH-ES with A256GCM */
      jwe: string;
    }, 'pci.revealCardData'>;
    /**
     * Set the PIN of a card: `PUT /pci/cards/{cardId}/pin`
     *
     * The JWE, encrypted to a key of `GET /pci/keys`, contains a compact JWS (ES256) by the app's key, with its public key in the header `jwk`, of `{pin, nonce}`: four digits, and the nonce of the typed data that the wallet signed. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `CARD_DATA_LIMIT_REACHED`, `CARD_NOT_FOUND`, `CARD_NOT_REVEALABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PIN_TOO_SIMPLE`, `RATE_LIMITED`, `SEALED_MESSAGE_INVALID`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    setPin: (input: {
      /** UUID */
      cardId: string;
      /** Compact JWE (RFC 7516): ECDH-ES with A256GCM */
      jwe: string;
      /** EIP-712 signature in hexadecimal with 0x */
      signature: string;
    }, options?: CallOptions) => Call<{
      success: true;
    }, 'pci.setPin'>;
    /**
     * List uses of card data: `GET /pci/access-log`
     *
     * Returns when the data of the caller's cards was shown or changed, by which wallet and for which key, newest first. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listCardDataAccess: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** UUID */
      cardId?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly CardDataAccess[];
      pagination: Pagination;
    }, 'pci.listCardDataAccess'>;
  };
  threeDs: {
    /**
     * List challenges: `GET /3ds/challenges`
     *
     * Returns the caller's challenges, newest first; the period is that of `createdAt`. Use `status=pending` to recover challenges whose push notification was lost. With a status a page may be short, or empty, although `hasNext` is true. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    listChallenges: (input?: {
      /** Maximum number of rows to return */
      limit?: number | undefined;
      /** Opaque cursor: `pagination.nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Status at the time of the response */
      status?: "pending" | "processing" | "approved" | "declined" | "cancelled" | "expired" | "failed" | undefined;
      /** UUID */
      cardId?: string | undefined;
      /** Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC */
      from?: string | undefined;
      /** End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC */
      to?: string | undefined;
    }, options?: CallOptions) => PagedCall<{
      data: readonly ThreeDSChallenge[];
      pagination: Pagination;
    }, 'threeDs.listChallenges'>;
    /**
     * Watch challenges: `GET /3ds/challenges/events`
     *
     * Returns server-sent events. First comes one `challenge` event per pending challenge, or, with Last-Event-ID, per challenge that changed after that event, in its current state; then one `ready` event; then a `challenge` event for each new or changed challenge. Every event has an id of its own, ids increase, and a client that reconnects with the id of the last event that it read misses no change; it may read a state again. An unknown Last-Event-ID is answered by a `reset` event and the pending challenges. After an outage another `ready` event marks that the client is current again. Challenges that came and went before a `reset` or during an outage are not among the events: `GET /3ds/challenges` lists them. An `end` event tells why the server ends the stream. The schema describes the `data` of an event. A comment every 15 seconds keeps the connection alive. A user can have 10 streams, then 429 `STREAM_LIMIT_REACHED`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `STREAM_LIMIT_REACHED`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    watchChallenges: (input?: Record<never, never>, options?: StreamOptions) => AsyncIterable<ServerEvent<'challenge', ThreeDSChallengeDetailResponse> | ServerEvent<'ready', ThreeDSChallengesReady> | ServerEvent<'reset', ThreeDSChallengesReset>>;
    /**
     * Get a challenge: `GET /3ds/challenges/{challengeId}`
     *
     * Returns a challenge of one of the caller's card payments. Other users' challenges are not found. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CHALLENGE_NOT_FOUND`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    getChallenge: (input: {
      /** UUID */
      challengeId: string;
    }, options?: CallOptions) => Call<ThreeDSChallengeDetailResponse, 'threeDs.getChallenge'>;
    /**
     * Create the data to sign: `POST /3ds/challenges/{challengeId}/decision-challenge`
     *
     * Returns EIP-712 typed data to sign for a decision. It is bound to the challenge, the decision, the amount, the merchant and the expiry (dynamic linking, PSD2 RTS Art. 5). Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CHALLENGE_NOT_FOUND`, `DECISION_ALREADY_MADE`, `DECISION_NOT_AVAILABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    issueDecisionChallenge: (input: {
      /** UUID */
      challengeId: string;
      /** True if `types` includes `EIP712Domain`. Raw `eth_signTypedData_v4` requires it, for example in MetaMask; ethers rejects it; viem accepts both. */
      domainType?: "true" | "false" | undefined;
      /** Puts the merchant’s name in quotation marks, which no name contains. Ask for it if your program accepts this form of the text. */
      quoted?: "true" | "false" | undefined;
      decision: "approve" | "decline";
    }, options?: CallOptions) => Call<TypedMessage, 'threeDs.issueDecisionChallenge'>;
    /**
     * Submit a decision: `POST /3ds/challenges/{challengeId}/decision`
     *
     * Approves or declines the payment with a signature over the typed data that was created for this decision. Approval authenticates the cardholder; it does not move money. Submitting the same decision again returns the challenge. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `CARD_NOT_ACTIVE`, `CHALLENGE_NOT_FOUND`, `DECISION_ALREADY_MADE`, `DECISION_NOT_AVAILABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `INVALID_SIGNATURE`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WALLET_COOLING`, `WRONG_TOKEN_KIND`.
     */
    submitDecision: (input: {
      /** UUID */
      challengeId: string;
      decision: "approve" | "decline";
      /** EIP-712 signature in hexadecimal with 0x */
      signature: string;
    }, options?: CallOptions) => Call<ThreeDSChallengeDetailResponse, 'threeDs.submitDecision'>;
  };
  health: {
    /**
     * Get what this deployment requires and offers: `GET /capabilities`
     *
     * The same for every caller, so that an app can show the steps of onboarding, tokens and limits before anybody signs in.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    getCapabilities: (input?: Record<never, never>, options?: CallOptions) => Call<Capabilities, 'health.getCapabilities'>;
    /**
     * Check liveness: `GET /health/live`
     *
     * Returns 200 while the process runs.
     *
     * Codes: `INTERNAL_ERROR`, `VALIDATION_FAILED`.
     */
    getLiveness: (input?: Record<never, never>, options?: CallOptions) => Call<{
      status: "ok";
    }, 'health.getLiveness'>;
    /**
     * Check readiness: `GET /health/ready`
     *
     * Returns 200 if all dependencies of the gateway are healthy, and otherwise 503 with the names of those that are not.
     *
     * Codes: `INTERNAL_ERROR`, `VALIDATION_FAILED`.
     */
    getReadiness: (input?: Record<never, never>, options?: CallOptions) => Call<{
      status: "ok";
    }, 'health.getReadiness'>;
  };
  sandbox: {
    /**
     * List sent messages: `GET /sandbox/outbox`
     *
     * Returns the e-mails and text messages sent to an address or phone number, newest first: the newest 20, for a day. Everyone can read them, so use no real addresses and numbers. Erasing a person deletes the e-mails.
     *
     * Codes: `INTERNAL_ERROR`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    listOutbox: (input: {
      /** E-mail address, or phone number in E.164 format */
      to: string;
    }, options?: CallOptions) => Call<{
      data: readonly OutboxMessage[];
    }, 'sandbox.listOutbox'>;
    /**
     * Become a partner: `POST /sandbox/partners`
     *
     * Registers a key of a server of the partner to which apps on localhost belong, with all scopes, so that you read the events of your own test users and receive webhooks. Everybody in the sandbox who asks belongs to this partner. The key may sign tokens within two seconds, and ends after 30 days; asking again with it starts them anew.
     *
     * Codes: `INTERNAL_ERROR`, `MALFORMED_BODY`, `PARTNER_KEY_IN_USE`, `PARTNER_KEY_LIMIT_REACHED`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `VALIDATION_FAILED`.
     */
    createPartner: (input: {
      /** Name of the key for people */
      name: string;
      /** Public half of an Ed25519 key as JSON Web Key (RFC 8037). A private half (`d`) is rejected. */
      jwk: {
        kty: "OKP";
        crv: "Ed25519";
        x: string;
        /** Ignored: the id of the client is the thumbprint of the key */
        kid?: string | undefined;
        alg?: "EdDSA" | undefined;
        use?: "sig" | undefined;
      };
    }, options?: CallOptions) => Call<PartnerClient, 'sandbox.createPartner'>;
    /**
     * Make a deposit: `POST /sandbox/deposits`
     *
     * Records a deposit to the caller's account, as the chain watcher does. With `CHAIN=local` the faucet pays it to the account's Safe, and `kyt` must be `approve`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_CLOSED`, `ACCOUNT_NOT_FOUND`, `AMOUNT_INVALID`, `DEPOSIT_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `TOKEN_NOT_SUPPORTED`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createDeposit: (input: {
      /** Token symbol */
      token: string;
      /** Positive integer in the token's smallest unit */
      amount: string;
      /** Result of the screening; `hold` leaves the deposit pending until it is resolved */
      kyt?: "approve" | "reject" | "hold" | undefined;
    }, options?: CallOptions) => Call<{
      /** UUID */
      id: string;
      /** Transaction hash */
      txHash: string;
    }, 'sandbox.createDeposit'>;
    /**
     * Resolve a deposit: `POST /sandbox/deposits/{depositId}/resolve`
     *
     * Ends the screening of a deposit of the caller that is pending, as a person of the program does. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `DEPOSIT_NOT_FOUND`, `DEPOSIT_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    resolveDeposit: (input: {
      /** UUID */
      depositId: string;
      outcome: "approve" | "reject";
    }, options?: CallOptions) => Call<Deposit, 'sandbox.resolveDeposit'>;
    /**
     * Make a withdrawal: `POST /sandbox/withdrawals`
     *
     * Makes a withdrawal from the caller's account and moves it to the chosen outcome. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `ACCOUNT_NOT_FOUND`, `AMOUNT_INVALID`, `CHAIN_HALTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INSUFFICIENT_FUNDS`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `TOKEN_BLOCKED`, `TOKEN_NOT_SUPPORTED`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WITHDRAWAL_STATE_CONFLICT`, `WRONG_TOKEN_KIND`.
     */
    createWithdrawal: (input: {
      /** Token symbol */
      token: string;
      /** Positive integer in the token's smallest unit */
      amount: string;
      /** Outcome of the withdrawal; `process` leaves it `processing`, `hold` leaves it `pending` */
      outcome?: "complete" | "fail" | "process" | "hold" | undefined;
    }, options?: CallOptions) => Call<{
      /** UUID */
      id: string;
      /** Transaction hash */
      txHash: string;
    }, 'sandbox.createWithdrawal'>;
    /**
     * Resolve a withdrawal: `POST /sandbox/withdrawals/{withdrawalId}/resolve`
     *
     * Ends a withdrawal that the caller has made with `POST /sandbox/withdrawals` and that is pending or processing. One that was signed for a chain ends as the chain decides. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WITHDRAWAL_NOT_FOUND`, `WITHDRAWAL_STATE_CONFLICT`, `WRONG_TOKEN_KIND`.
     */
    resolveWithdrawal: (input: {
      /** UUID */
      withdrawalId: string;
      outcome: "complete" | "fail";
    }, options?: CallOptions) => Call<Withdrawal, 'sandbox.resolveWithdrawal'>;
    /**
     * Advance or decide a dispute: `POST /sandbox/disputes/{disputeId}/resolve`
     *
     * Records that a dispute of the caller has reached a stage at the card network, or its outcome `won` or `lost`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `DISPUTE_NOT_AVAILABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    resolveDispute: (input: {
      /** UUID */
      disputeId: string;
      outcome: "chargeback" | "representment" | "pre_arbitration" | "arbitration" | "won" | "lost";
      /** The part that the step is about. Default: the disputed amount */
      amount?: string | undefined;
    }, options?: CallOptions) => Call<CardDisputeDetail, 'sandbox.resolveDispute'>;
    /**
     * Raise a 3DS challenge: `POST /sandbox/3ds/challenges`
     *
     * Raises a challenge for a payment with one of the caller's cards, as the issuer's access control server does. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `ACCOUNT_NOT_ACTIVE`, `CARD_NOT_ACTIVE`, `CARD_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createChallenge: (input: {
      /** UUID */
      cardId: string;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Active ISO 4217 code */
      currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      merchant: SandboxMerchant;
      /** Time until the challenge expires, in seconds */
      expiresInSeconds?: number | undefined;
      /** True if a decision stays `processing` until POST /sandbox/3ds/challenges/{challengeId}/confirm */
      confirmsLater?: boolean | undefined;
    }, options?: CallOptions) => Call<{
      /** UUID */
      challengeId: string;
    }, 'sandbox.createChallenge'>;
    /**
     * Confirm a decision: `POST /sandbox/3ds/challenges/{challengeId}/confirm`
     *
     * Confirms the decision of a challenge that was raised with `confirmsLater`: `processing` becomes `approved` or `declined`. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CHALLENGE_NOT_FOUND`, `CHALLENGE_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    confirmChallenge: (input: {
      /** UUID */
      challengeId: string;
    }, options?: CallOptions) => Call<ThreeDSChallengeDetailResponse, 'sandbox.confirmChallenge'>;
    /**
     * Cancel a challenge: `POST /sandbox/3ds/challenges/{challengeId}/cancel`
     *
     * Withdraws a pending challenge, as the access control server does when the shopper leaves the checkout. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CHALLENGE_NOT_FOUND`, `CHALLENGE_STATE_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    cancelChallenge: (input: {
      /** UUID */
      challengeId: string;
    }, options?: CallOptions) => Call<ThreeDSChallengeDetailResponse, 'sandbox.cancelChallenge'>;
    /**
     * Pay with a card: `POST /sandbox/payments`
     *
     * Authorizes a payment with one of the caller's cards, as the card processor does. A decline is an answer, too: `approved` is false. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createPayment: (input: {
      /** UUID */
      cardId: string;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Active ISO 4217 code */
      currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      merchant: SandboxCardMerchant;
      entryMode?: "chip" | "contactless" | "magnetic_stripe" | "ecommerce" | "merchant_initiated" | "manual" | undefined;
      /** A withdrawal of cash with the correct PIN, which is booked at once */
      atm?: boolean | undefined;
      /** The approved challenge that the authorization uses up */
      threeDsChallengeId?: string | undefined;
      /** Part of the amount that is paid out in cash at the counter, at most the amount */
      cashBackAmount?: string | undefined;
      /** True if the terminal accepts an approval of a part */
      partial?: boolean | undefined;
      /** True if an approved payment is cleared at once */
      capture?: boolean | undefined;
      /** The network's id of the payment, to send its events out of order */
      transactionId?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<NetworkDecision, 'sandbox.createPayment'>;
    /**
     * Raise a payment: `POST /sandbox/payments/{transactionId}/increment`
     *
     * Asks for more than was authorized. A decline leaves the authorization as it was. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    incrementPayment: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<NetworkDecision, 'sandbox.incrementPayment'>;
    /**
     * Advise of an authorization: `POST /sandbox/payments/{transactionId}/advise`
     *
     * Reports that the network has approved in the place of the issuer: sets the held amount, whatever the balance. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    advisePayment: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.advisePayment'>;
    /**
     * Clear a payment: `POST /sandbox/payments/{transactionId}/clear`
     *
     * Books a clearing: whole, partial (`final: false`), above the authorization, or late. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    clearPayment: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** Of a clearing: whether it is the last one, which releases what is still held. A clearing after it is booked from the available balance, or as debt, and the operator sees an exception. */
      final?: boolean | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.clearPayment'>;
    /**
     * Force a posting: `POST /sandbox/payments/{transactionId}/force`
     *
     * Books a clearing beside what is held. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    forcePayment: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.forcePayment'>;
    /**
     * Reverse a payment: `POST /sandbox/payments/{transactionId}/reverse`
     *
     * Releases a part of what is held; without an amount all of it. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    reversePayment: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount?: string | undefined;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.reversePayment'>;
    /**
     * Expire a payment: `POST /sandbox/payments/{transactionId}/expire`
     *
     * Releases what is held. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    expirePayment: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.expirePayment'>;
    /**
     * Refund a payment: `POST /sandbox/payments/{transactionId}/refund`
     *
     * Credits the account with a refund of the payment. It may exceed what was cleared, as it may in card networks: it is booked, and the operator sees an exception. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    refundPayment: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.refundPayment'>;
    /**
     * Announce a credit: `POST /sandbox/payments/{transactionId}/announce-credit`
     *
     * Reports a refund that is to come: it is shown as pending, and nothing is booked. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    announceCredit: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.announceCredit'>;
    /**
     * Correct a payment with a debit: `POST /sandbox/payments/{transactionId}/correct-debit`
     *
     * Books a correction of the network from the account, beside what is held. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    correctDebit: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.correctDebit'>;
    /**
     * Correct a payment with a credit: `POST /sandbox/payments/{transactionId}/correct-credit`
     *
     * Books a correction of the network to the account. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `PAYMENT_NOT_FOUND`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    correctCredit: (input: {
      /** Id of the card transaction; with `cardId` in the body also the id that the network will use for a payment yet to come */
      transactionId: string;
      /** Card of a payment that is yet to come */
      cardId?: string | undefined;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Default: the currency of the payment */
      currency?: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG" | undefined;
      /** Amount that the network bills, in the billing currency */
      billingAmount?: string | undefined;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.correctCredit'>;
    /**
     * Refund without a payment: `POST /sandbox/refunds`
     *
     * Credits the account with a refund whose payment is not known. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createRefund: (input: {
      /** UUID */
      cardId: string;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Active ISO 4217 code */
      currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      merchant: SandboxCardMerchant;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.createRefund'>;
    /**
     * Push a credit: `POST /sandbox/credits`
     *
     * Credits the account with a push to the card. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `CARD_NOT_FOUND`, `CURRENCY_NOT_SUPPORTED`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    createCredit: (input: {
      /** UUID */
      cardId: string;
      /** Integer in the currency's minor unit */
      amount: string;
      /** Active ISO 4217 code */
      currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
      merchant: SandboxCardMerchant;
      /** How often the event is sent; every answer is the same */
      repeat?: number | undefined;
      /** Delay before it is sent */
      delayMs?: number | undefined;
      /** The first answer is lost, and the event is sent again */
      loseAnswer?: boolean | undefined;
    }, options?: CallOptions) => Call<CardTransactionDetail, 'sandbox.createCredit'>;
    /**
     * Move the clock of the caller's cards and challenges: `POST /sandbox/clock`
     *
     * Holds and challenges whose time is over by then expire before the response; limits count in the new periods, and approvals grow old. A pending challenge becomes older by as much, so its typed data has to be requested again. Times of records that are final stay, and so does the time of sessions. The clock never goes back. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    advanceClock: (input: {
      advanceSeconds: number;
    }, options?: CallOptions) => Call<{
      secondsAhead: number;
    }, 'sandbox.advanceClock'>;
    /**
     * Move the identity check: `POST /sandbox/kyc`
     *
     * Moves the caller's identity check to a status, as an event of the KYC provider does. Requires a user token; a wallet token gets 403 `USER_NOT_REGISTERED`.
     *
     * Codes: `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `INTERNAL_ERROR`, `INVALID_DPOP_PROOF`, `KYC_STATE_CONFLICT`, `MALFORMED_BODY`, `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `SERVICE_UNAVAILABLE`, `UNAUTHORIZED`, `UNSUPPORTED_CONTENT_ENCODING`, `UNSUPPORTED_MEDIA_TYPE`, `UPSTREAM_TIMEOUT`, `USER_NOT_FOUND`, `USER_NOT_REGISTERED`, `VALIDATION_FAILED`, `WRONG_TOKEN_KIND`.
     */
    moveKyc: (input: {
      status: "pending" | "approved" | "resubmission_requested" | "rejected" | "documents_requested" | "in_review";
    }, options?: CallOptions) => Call<{
      /** Status of the identity check */
      status: "not_started" | "pending" | "approved" | "resubmission_requested" | "rejected" | "documents_requested" | "in_review";
    }, 'sandbox.moveKyc'>;
  };
};

/** The codes that each operation can fail with. */
export type ErrorCodes = {
  'auth.createSiweMessage': 'DOMAIN_NOT_ALLOWED' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'auth.signIn': 'DOMAIN_NOT_ALLOWED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'auth.refreshSession': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_REFRESH_TOKEN' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REFRESH_TOKEN_REUSED' | 'SERVICE_UNAVAILABLE' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'auth.logout': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'auth.logoutAll': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'auth.listSessions': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'auth.endSession': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'auth.getPublishedKeys': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'auth.sendEmailCode': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'RESEND_TOO_SOON' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'user.registerUser': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_OTP' | 'MALFORMED_BODY' | 'OTP_ATTEMPTS_EXCEEDED' | 'OTP_EXPIRED' | 'PAYLOAD_TOO_LARGE' | 'PROFILE_CREATION_FAILED' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_ALREADY_EXISTS' | 'USER_REGISTRATION_IN_PROGRESS' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'user.getUser': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'user.eraseUser': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_HAS_BALANCE' | 'USER_HAS_OPEN_CHALLENGES' | 'USER_HAS_OPEN_DISPUTES' | 'USER_HAS_OPEN_HOLDS' | 'USER_HAS_RECENT_PAYMENTS' | 'USER_IS_BLOCKED' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'user.exportUserData': 'EXPORT_TOO_LARGE' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'user.getOnboarding': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'terms.listTerms': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'terms.listUserTerms': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'terms.acceptTerms': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'TERMS_VERSION_INVALID' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sourceOfFunds.getSourceOfFunds': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sourceOfFunds.submitSourceOfFunds': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'kyc.getKyc': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'kyc.createKycSession': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'KYC_SESSION_FAILED' | 'KYC_STATE_CONFLICT' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'user.createWalletChallenge': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'user.addWallet': 'DOMAIN_NOT_ALLOWED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WALLET_IN_USE' | 'WALLET_LIMIT_REACHED' | 'WRONG_TOKEN_KIND';
  'user.makeWalletPrimary': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WRONG_TOKEN_KIND';
  'user.removeWallet': 'APPROVAL_REQUIRED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'LAST_WALLET' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'NOT_FOUND' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WALLET_IS_OWNER' | 'WRONG_TOKEN_KIND';
  'phone.sendPhoneCode': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PHONE_COUNTRY_NOT_ALLOWED' | 'RATE_LIMITED' | 'RESEND_TOO_SOON' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'phone.updatePhone': 'CARDHOLDER_NOT_FOUND' | 'CODE_ATTEMPTS_EXCEEDED' | 'CODE_EXPIRED' | 'CODE_REQUIRED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_CODE' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.getAccount': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.getAccountReserves': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'RESERVES_NOT_FOUND' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.getBalances': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.listCollectionAllowances': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.createSetUpChallenge': 'ACCOUNT_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SAFES_NOT_AVAILABLE' | 'SERVICE_UNAVAILABLE' | 'SET_UP_NOT_AVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.submitSetUp': 'ACCOUNT_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SAFES_NOT_AVAILABLE' | 'SERVICE_UNAVAILABLE' | 'SET_UP_NOT_AVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.createBackupKeyChallenge': 'ACCOUNT_NOT_ACTIVE' | 'ACCOUNT_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'RECOVERY_NOT_AVAILABLE' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.createRecoveryChallenge': 'ACCOUNT_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'RECOVERY_NOT_AVAILABLE' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.createCancellationChallenge': 'ACCOUNT_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'RECOVERY_NOT_AVAILABLE' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userAccount.submitRecoveryTransaction': 'ACCOUNT_NOT_ACTIVE' | 'ACCOUNT_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'NOT_FOUND' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'RECOVERY_NOT_AVAILABLE' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WITHDRAWAL_IN_PROGRESS' | 'WRONG_TOKEN_KIND';
  'userAccount.getRecovery': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.createVirtualCard': 'ACCOUNT_NOT_ACTIVE' | 'CARD_ISSUING_FAILED' | 'CARD_LIMIT_REACHED' | 'CARD_ORDER_LIMIT_REACHED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PHONE_NOT_VERIFIED' | 'PHONE_REQUIRED' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.listCards': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.listCardTransactions': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.getCardTransaction': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.getCardReceipt': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'RECEIPT_NOT_FOUND' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.setCardTransactionNote': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.disputeCardTransaction': 'DISPUTE_NOT_AVAILABLE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.listCardDisputes': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.getCardDispute': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.withdrawCardDispute': 'DISPUTE_NOT_AVAILABLE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.getCard': 'CARD_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.renameCard': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.freezeCard': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.unfreezeCard': 'APPROVAL_REQUIRED' | 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'FROZEN_BY_ISSUER' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WRONG_TOKEN_KIND';
  'cards.reportCardLost': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.reportCardStolen': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.cancelCard': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.replaceCard': 'ACCOUNT_NOT_ACTIVE' | 'CARD_ISSUING_FAILED' | 'CARD_LIMIT_REACHED' | 'CARD_NOT_FOUND' | 'CARD_ORDER_LIMIT_REACHED' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.renewCard': 'CARD_ISSUING_FAILED' | 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.getCardLimits': 'CARD_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.setCardLimits': 'APPROVAL_REQUIRED' | 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'LIMIT_ABOVE_PROGRAM' | 'MALFORMED_BODY' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WRONG_TOKEN_KIND';
  'cards.updateCardLimits': 'APPROVAL_REQUIRED' | 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'LIMIT_ABOVE_PROGRAM' | 'MALFORMED_BODY' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WRONG_TOKEN_KIND';
  'cards.getCardControls': 'CARD_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.setCardControls': 'APPROVAL_REQUIRED' | 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WRONG_TOKEN_KIND';
  'cards.updateCardControls': 'APPROVAL_REQUIRED' | 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_APPROVAL' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'NONCE_EXPIRED' | 'NONCE_USED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'REAUTHENTICATION_REQUIRED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WRONG_TOKEN_KIND';
  'cards.createCardLimitsChallenge': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'LIMIT_ABOVE_PROGRAM' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.createCardControlsChallenge': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'cards.createUnfreezeChallenge': 'CARD_NOT_FOUND' | 'CARD_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'pci.listVaultKeys': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'pci.createCardDataChallenge': 'ACCOUNT_NOT_FOUND' | 'CARD_NOT_FOUND' | 'CARD_NOT_REVEALABLE' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'pci.revealCardData': 'ACCOUNT_NOT_FOUND' | 'CARD_DATA_LIMIT_REACHED' | 'CARD_NOT_FOUND' | 'CARD_NOT_REVEALABLE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PIN_NOT_SET' | 'RATE_LIMITED' | 'RECEIVING_KEY_INVALID' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'pci.setPin': 'ACCOUNT_NOT_FOUND' | 'CARD_DATA_LIMIT_REACHED' | 'CARD_NOT_FOUND' | 'CARD_NOT_REVEALABLE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PIN_TOO_SIMPLE' | 'RATE_LIMITED' | 'SEALED_MESSAGE_INVALID' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'pci.listCardDataAccess': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userMovements.listDeposits': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userMovements.listWithdrawals': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userMovements.submitWithdrawal': 'ACCOUNT_NOT_ACTIVE' | 'ACCOUNT_NOT_FOUND' | 'CHAIN_HALTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INSUFFICIENT_FUNDS' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'RECIPIENT_REJECTED' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'TOKEN_BLOCKED' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WITHDRAWALS_FROZEN' | 'WITHDRAWAL_EXPIRED' | 'WITHDRAWAL_IN_PROGRESS' | 'WITHDRAWAL_LIMIT_EXCEEDED' | 'WITHDRAWAL_NOT_FOUND' | 'WRONG_TOKEN_KIND';
  'userMovements.createWithdrawalChallenge': 'ACCOUNT_NOT_ACTIVE' | 'ACCOUNT_NOT_FOUND' | 'AMOUNT_INVALID' | 'CHAIN_HALTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INSUFFICIENT_FUNDS' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'RECIPIENT_COOLING' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'TOKEN_NOT_SUPPORTED' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WITHDRAWAL_IN_PROGRESS' | 'WITHDRAWAL_LIMIT_EXCEEDED' | 'WRONG_TOKEN_KIND';
  'userMovements.listReturns': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userMovements.createReturnChallenge': 'ACCOUNT_NOT_ACTIVE' | 'ACCOUNT_NOT_FOUND' | 'CHAIN_HALTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'TOKEN_NOT_SUPPORTED' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WITHDRAWAL_IN_PROGRESS' | 'WITHDRAWAL_NOT_FOUND' | 'WRONG_TOKEN_KIND';
  'userMovements.listMoves': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'userMovements.createMoveChallenge': 'ACCOUNT_NOT_ACTIVE' | 'ACCOUNT_NOT_FOUND' | 'CHAIN_HALTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INSUFFICIENT_FUNDS' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SAFES_NOT_AVAILABLE' | 'SAFE_NOT_VERIFIED' | 'SERVICE_UNAVAILABLE' | 'TOKEN_NOT_SUPPORTED' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WITHDRAWAL_IN_PROGRESS' | 'WRONG_TOKEN_KIND';
  'userMovements.listStatement': 'ACCOUNT_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'ledger.listLedgerHeads': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'ledger.listAuditHeads': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'ledger.getReserves': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'RESERVES_NOT_FOUND' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'threeDs.listChallenges': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'threeDs.watchChallenges': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'STREAM_LIMIT_REACHED' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.createPartner': 'BOOTSTRAP_TOKEN_INVALID' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PARTNER_KEY_IN_USE' | 'PARTNER_KEY_LIMIT_REACHED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'partners.listPartnerKeys': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.createPartnerKey': 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PARTNER_KEY_IN_USE' | 'PARTNER_KEY_LIMIT_REACHED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.listPartnerRequests': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.revokePartnerKey': 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'PARTNER_KEY_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.getPartnerUser': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.listPartnerUserCards': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.listPartnerUserTransactions': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.getPartnerUserTransaction': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.getPartnerUserBalances': 'ACCOUNT_NOT_FOUND' | 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.listPartnerUserDeposits': 'ACCOUNT_NOT_FOUND' | 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'partners.listPartnerUserWithdrawals': 'ACCOUNT_NOT_FOUND' | 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'events.listEvents': 'CURSOR_AHEAD' | 'CURSOR_INVALID' | 'EVENTS_ARCHIVED' | 'EVENT_TYPE_UNKNOWN' | 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'events.watchEvents': 'CURSOR_AHEAD' | 'CURSOR_INVALID' | 'EVENTS_ARCHIVED' | 'EVENT_TYPE_UNKNOWN' | 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'STREAM_LIMIT_REACHED' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'events.listUserEvents': 'CURSOR_AHEAD' | 'CURSOR_INVALID' | 'EVENTS_ARCHIVED' | 'EVENT_TYPE_UNKNOWN' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'events.watchUserEvents': 'CURSOR_AHEAD' | 'CURSOR_INVALID' | 'EVENTS_ARCHIVED' | 'EVENT_TYPE_UNKNOWN' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'STREAM_LIMIT_REACHED' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'webhooks.createWebhookEndpoint': 'CURSOR_AHEAD' | 'CURSOR_INVALID' | 'EVENTS_ARCHIVED' | 'EVENT_TYPE_UNKNOWN' | 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_LIMIT_REACHED' | 'WEBHOOK_SECRET_INVALID' | 'WEBHOOK_URL_FORBIDDEN' | 'WRONG_TOKEN_KIND';
  'webhooks.listWebhookEndpoints': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'webhooks.getWebhookEndpoint': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WRONG_TOKEN_KIND';
  'webhooks.setWebhookEndpoint': 'EVENT_TYPE_UNKNOWN' | 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_URL_FORBIDDEN' | 'WRONG_TOKEN_KIND';
  'webhooks.updateWebhookEndpoint': 'EVENT_TYPE_UNKNOWN' | 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_URL_FORBIDDEN' | 'WRONG_TOKEN_KIND';
  'webhooks.deleteWebhookEndpoint': 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'webhooks.rotateWebhookSecret': 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_SECRET_INVALID' | 'WRONG_TOKEN_KIND';
  'webhooks.enableWebhookEndpoint': 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WRONG_TOKEN_KIND';
  'webhooks.disableWebhookEndpoint': 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WRONG_TOKEN_KIND';
  'webhooks.replayWebhookEvents': 'CURSOR_AHEAD' | 'CURSOR_INVALID' | 'EVENTS_ARCHIVED' | 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_ORDER_LIMIT_REACHED' | 'WRONG_TOKEN_KIND';
  'webhooks.redeliverWebhookEvent': 'CURSOR_AHEAD' | 'EVENTS_ARCHIVED' | 'EVENT_NOT_FOUND' | 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_DISABLED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_ORDER_LIMIT_REACHED' | 'WRONG_TOKEN_KIND';
  'webhooks.sendTestWebhookEvent': 'FORBIDDEN' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_DISABLED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WEBHOOK_ORDER_LIMIT_REACHED' | 'WRONG_TOKEN_KIND';
  'webhooks.listWebhookAttempts': 'FORBIDDEN' | 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED' | 'WEBHOOK_ENDPOINT_NOT_FOUND' | 'WRONG_TOKEN_KIND';
  'webhooks.listWebhookKeys': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'threeDs.getChallenge': 'CHALLENGE_NOT_FOUND' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'threeDs.issueDecisionChallenge': 'CHALLENGE_NOT_FOUND' | 'DECISION_ALREADY_MADE' | 'DECISION_NOT_AVAILABLE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'threeDs.submitDecision': 'ACCOUNT_NOT_ACTIVE' | 'CARD_NOT_ACTIVE' | 'CHALLENGE_NOT_FOUND' | 'DECISION_ALREADY_MADE' | 'DECISION_NOT_AVAILABLE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'INVALID_SIGNATURE' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WALLET_COOLING' | 'WRONG_TOKEN_KIND';
  'notifications.putNotificationSubscription': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PUSH_ENDPOINT_FORBIDDEN' | 'PUSH_NOT_AVAILABLE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'notifications.deleteNotificationSubscription': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'notifications.getNotificationPreferences': 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'notifications.setNotificationPreferences': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'health.getCapabilities': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'health.getLiveness': 'INTERNAL_ERROR' | 'VALIDATION_FAILED';
  'health.getReadiness': 'INTERNAL_ERROR' | 'VALIDATION_FAILED';
  'sandbox.listOutbox': 'INTERNAL_ERROR' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'sandbox.createPartner': 'INTERNAL_ERROR' | 'MALFORMED_BODY' | 'PARTNER_KEY_IN_USE' | 'PARTNER_KEY_LIMIT_REACHED' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'VALIDATION_FAILED';
  'sandbox.createDeposit': 'ACCOUNT_CLOSED' | 'ACCOUNT_NOT_FOUND' | 'AMOUNT_INVALID' | 'DEPOSIT_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'TOKEN_NOT_SUPPORTED' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.resolveDeposit': 'ACCOUNT_NOT_FOUND' | 'DEPOSIT_NOT_FOUND' | 'DEPOSIT_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.createWithdrawal': 'ACCOUNT_NOT_ACTIVE' | 'ACCOUNT_NOT_FOUND' | 'AMOUNT_INVALID' | 'CHAIN_HALTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INSUFFICIENT_FUNDS' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'TOKEN_BLOCKED' | 'TOKEN_NOT_SUPPORTED' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WITHDRAWAL_STATE_CONFLICT' | 'WRONG_TOKEN_KIND';
  'sandbox.resolveWithdrawal': 'ACCOUNT_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WITHDRAWAL_NOT_FOUND' | 'WITHDRAWAL_STATE_CONFLICT' | 'WRONG_TOKEN_KIND';
  'sandbox.resolveDispute': 'DISPUTE_NOT_AVAILABLE' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.createChallenge': 'ACCOUNT_NOT_ACTIVE' | 'CARD_NOT_ACTIVE' | 'CARD_NOT_FOUND' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.confirmChallenge': 'CHALLENGE_NOT_FOUND' | 'CHALLENGE_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.cancelChallenge': 'CHALLENGE_NOT_FOUND' | 'CHALLENGE_STATE_CONFLICT' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.createPayment': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.incrementPayment': 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.advisePayment': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.clearPayment': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.forcePayment': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.reversePayment': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.expirePayment': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.refundPayment': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.announceCredit': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.correctDebit': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.correctCredit': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'PAYMENT_NOT_FOUND' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.createRefund': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.createCredit': 'CARD_NOT_FOUND' | 'CURRENCY_NOT_SUPPORTED' | 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.advanceClock': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
  'sandbox.moveKyc': 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED' | 'INTERNAL_ERROR' | 'INVALID_DPOP_PROOF' | 'KYC_STATE_CONFLICT' | 'MALFORMED_BODY' | 'PAYLOAD_TOO_LARGE' | 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE' | 'UNAUTHORIZED' | 'UNSUPPORTED_CONTENT_ENCODING' | 'UNSUPPORTED_MEDIA_TYPE' | 'UPSTREAM_TIMEOUT' | 'USER_NOT_FOUND' | 'USER_NOT_REGISTERED' | 'VALIDATION_FAILED' | 'WRONG_TOKEN_KIND';
};
