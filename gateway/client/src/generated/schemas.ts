// Generated from the OpenAPI document by `npm run generate`; do not edit.

/** Colour in which apps show a card */
export type CardColour = "green" | "blue" | "violet" | "red" | "brown" | "grey";

export type SandboxMerchant = {
  id?: string;
  /** Name that the cardholder sees; begins with a visible character */
  displayName?: string;
  /** ISO 3166-1 alpha-2 code */
  country?: string;
  /** Merchant category code (ISO 18245) */
  categoryCode?: string;
};

export type SandboxCardMerchant = {
  id?: string;
  name?: string;
  city?: string;
  country?: string;
  /** Merchant category code (ISO 18245) */
  categoryCode?: string;
};

export type TokenPair = {
  /** JWT access token: a user token if the wallet is registered, otherwise a wallet token */
  accessToken: string;
  /** Refresh token; valid once, within seven days */
  refreshToken: string;
  /** Seconds until the access token expires */
  expiresIn: number;
  /** Id of the user; absent while the wallet is not registered */
  userId?: string;
};

export type Session = {
  /** UUID */
  id: string;
  /** EVM address with an EIP-55 checksum */
  wallet: string;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** When its tokens were last refreshed, or the sign-in */
  lastUsedAt: string;
  userAgent?: string;
  ip?: string;
  /** True if the token of this request belongs to the session */
  current: boolean;
};

export type Pagination = {
  /** Pass as `cursor` to get the next page; null on the last page */
  nextCursor: string | null;
  hasNext: boolean;
};

export type Registration = {
  /** UUID */
  userId: string;
  /** JWT access token: a user token */
  accessToken: string;
  /** Seconds until the access token expires; the refresh token of the sign-in yields the next one */
  expiresIn: number;
};

export type User = {
  /** UUID */
  id: string;
  email: string;
  /** Phone number of the cardholder; absent while there is none */
  phone?: string;
  /** True if a code has verified the phone number; absent without one */
  phoneVerified?: boolean;
  wallets: readonly ({
    /** EVM address with an EIP-55 checksum */
    address: string;
    /** True if the wallet registered the user, or replaced the wallet that did */
    primary: boolean;
    /** From when the wallet may approve payments and wallets (end of its cooling time). It may sign in and decline payments before. */
    approvesFrom: string;
  })[];
  partnerId: string;
  /** Status of the identity check */
  kycStatus: "not_started" | "pending" | "approved" | "resubmission_requested" | "rejected" | "documents_requested" | "in_review";
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
};

export type Onboarding = {
  status: "action_accept_tos" | "action_complete_kyc" | "kyc_in_review" | "action_kyc_resubmission" | "action_complete_sof" | "rejected" | "account_provisioning" | "completed";
  /** Page of the KYC provider; present if the status requires one and the provider has one */
  url?: string;
  /** Status of the identity check */
  kycStatus: "not_started" | "pending" | "approved" | "resubmission_requested" | "rejected" | "documents_requested" | "in_review";
};

export type Term = {
  /** Stable identifier of the document */
  type: string;
  name: string;
  /** URL of the current version */
  url: string;
  currentVersion: string;
};

export type UserTerm = {
  /** Stable identifier of the document */
  type: string;
  name: string;
  /** URL of the current version */
  url: string;
  currentVersion: string;
  /** True if the caller has accepted the current version */
  accepted: boolean;
  /** The version that the caller accepted last */
  acceptedVersion?: string;
  /** ISO 8601, UTC, with milliseconds */
  acceptedAt?: string;
};

export type SourceOfFundsQuestion = {
  question: string;
  /** The allowed answers */
  answers: readonly string[];
  /** The answer that the caller gave last */
  answer?: string;
};

export type TypedMessage = {
  domain: {
    name: string;
    version: string;
    chainId: number;
  };
  primaryType: "Message";
  types: {
    /** Type of `domain`; present with `domainType=true` */
    EIP712Domain?: readonly ({
      name: string;
      type: string;
    })[];
    Message: readonly ({
      name: string;
      type: string;
    })[];
  };
  message: {
    /** The text that the wallet shows, with every fact of the consent; for a card payment decision, amount, merchant, card, challenge and expiry */
    authorization: string;
    /** Single-use 256-bit number in decimal */
    nonce: string;
  };
};

export type Account = {
  /** UUID */
  id: string;
  /** UUID */
  kycProfileId: string;
  /** EVM address with an EIP-55 checksum */
  safeOwnerAddress: string;
  /** EVM address with an EIP-55 checksum */
  safeAddress: string;
  chain: {
    name: string;
    /** EIP-155 chain id in decimal */
    id: string;
  };
  /** The `name` of `chain` */
  chainName: string;
  /** Payment reference, unique to the account */
  reference: string;
  /** ISO 4217 code */
  nativeCurrency: string;
  additionalCurrencies: readonly string[];
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
  /** ISO 8601, UTC, with milliseconds */
  closedAt?: string;
  status: "provisioning" | "active" | "blocked" | "closed";
  /** ISO 8601, UTC, with milliseconds */
  provisionedAt?: string;
  /** Tokens that the account cannot spend at the moment, whatever it has of them */
  tokenBlocks: readonly TokenBlock[];
  deployment?: Deployment;
};

export type TokenBlock = {
  /** Token symbol */
  token: string;
  /** `frozen`: its issuer has frozen the Safe of the account. `paused`: its issuer has paused it. `upgraded`: its issuer has exchanged its code, and the operator has not decided yet that it can be spent */
  reason: "frozen" | "paused" | "upgraded";
  /** ISO 8601, UTC, with milliseconds */
  since: string;
};

export type Deployment = {
  /** `predicted` until the set-up is signed, `relaying` until it is final, `verified` when the Safe is what an account needs, `deviating` when it is not */
  status: "predicted" | "relaying" | "verified" | "deviating";
  /** In what the Safe differs from what an account needs; empty unless `deviating` */
  findings: readonly string[];
  /** When it was verified first */
  verifiedAt?: string;
  /** The owner today, a wallet of the user */
  owner: string;
  /** The owner that the address of the Safe commits to; absent unless a recovery has exchanged it */
  firstOwner?: string;
  /** The wallet that has replaced a lost owner, and becomes the owner with the backup key; absent without one, and once an exchange has made it the owner. The owner itself if it was put back */
  replacement?: string;
  /** The second owner, a key or a Safe of the platform: both owners must sign */
  platformOwner: string;
  /** Zodiac Delay module, through which the owner can move the money without the platform */
  delayModule: string;
  /** Seconds between a request to the Delay module and its execution */
  cooldownSeconds: number;
  /** Seconds after the cooldown in which it can be executed */
  expirationSeconds: number;
  /** The key that exchanges a lost owner together with the platform; absent before one is named */
  backup?: BackupKey;
  /** The signature of `platformOwner` over the set-up. With it the owner can deploy the Safe, set it up and leave without the platform: keep it before money is sent to the address. Absent where the owner alone signs the set-up, and once a backup key is named: the Safe is set up then */
  setUpSignature?: string;
  /** Limits within which the platform may collect card spending: part of the set-up. Absent for a Safe from which nothing is collected */
  collection?: {
    /** Receives what is collected */
    treasury: string;
    limits: readonly ({
      /** The contract of the token */
      token: string;
      /** Most that is collected of it in a day UTC, in its smallest unit */
      perDay: string;
    })[];
  };
};

export type BackupKey = {
  /** The backup key */
  key: string;
  /** Zodiac Delay module in which the exchange of a lost owner waits */
  module: string;
  /** Seconds between the request for an exchange and its execution */
  cooldownSeconds: number;
  /** Seconds after the cooldown in which it can be executed */
  expirationSeconds: number;
};

export type AccountReserves = {
  accountId: string;
  chainId: number;
  /** Block of the chain as of which the Safe is shown */
  block: number;
  blockHash: string;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  safeAddress: string;
  /** Owners in the Safe's initializer, the wallet first; empty when it held nothing */
  owners: readonly string[];
  /** Amounts that the Safe held, by token, without zeros */
  held: readonly ({
    token: string;
    /** In the token's smallest unit */
    amount: string;
  })[];
  /** Amounts that the Safe must hold, by token, without zeros */
  owed: readonly ({
    token: string;
    /** In the token's smallest unit */
    amount: string;
  })[];
  /** Siblings within the bucket of the account, from the bottom: side and hash */
  accountPath: readonly string[];
  /** Siblings of the bucket, from the bottom */
  bucketPath: readonly string[];
  head: LedgerHead;
  publicKey: {
    kty: "OKP";
    crv: "Ed25519";
    x: string;
  };
};

export type LedgerHead = {
  shard: string;
  /** Number of the block */
  block: number;
  /** SHA-256 of the block, which covers all blocks before it */
  hash: string;
  /** Time of the block */
  time: string;
  /** Root of the tree of all balances after the block */
  root?: string;
  /** Root of the tree of what is owed to each account after the block */
  owed?: string;
  /** All shards of the ledger */
  shards?: readonly string[];
  /** Thumbprint (RFC 7638) of the key that signed */
  key: string;
  /** Ed25519, base64url, over the JSON array ["florin-head-2", shard, block, hash, time, root or "", owed or "", shards, key] without white space; of a head without shards over ["florin-head-1", shard, block, hash, time, root or "", key] */
  signature: string;
};

export type Balances = {
  data: readonly CurrencyBalance[];
};

export type CurrencyBalance = {
  /** ISO 4217 code */
  currency: string;
  decimals: number;
  /** Whole minor units of the spendable tokens; fractions are not spendable */
  spendable: string;
  /** Amount held by card authorizations or blocked */
  nonSpendable: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  processingDeposits: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  processingWithdrawals: string;
  tokens: readonly TokenBalance[];
};

export type TokenBalance = {
  /** Token symbol */
  token: string;
  decimals: number;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  spendable: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  nonSpendable: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  processingDeposits: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  maxInstantWithdraw: string;
  /** Contract of the token on the chain of the account, in lower case; absent if none is configured */
  contract?: string;
  /** Least amount of a deposit that is credited; a smaller one is rejected. Absent if any amount is credited */
  depositMinimum?: string;
};

export type CollectionAllowances = {
  data: readonly CollectionAllowance[];
};

export type CollectionAllowance = {
  /** Token symbol */
  token: string;
  decimals: number;
  /** Most that is collected in a day (UTC), as the Safe allows it */
  perDay: string;
  /** Rest of it for today */
  left: string;
  /** When all of it may be collected again */
  resetsAt: string;
  /** Amount that cards have spent and that is still in the Safe */
  uncollected: string;
  /** Amount set aside for card payments that are not cleared */
  held: string;
  /** Most that cards may spend before something is collected, whatever the balance */
  spendable: string;
};

export type SafeTypedData = {
  domain: {
    chainId: number;
    /** The Safe */
    verifyingContract: string;
  };
  primaryType: "SafeTx";
  types: {
    /** Type of `domain`; present with `domainType=true` */
    EIP712Domain?: readonly ({
      name: string;
      type: string;
    })[];
    SafeTx: readonly ({
      name: string;
      type: string;
    })[];
  };
  message: {
    /** The called contract; of a withdrawal, the token */
    to: string;
    /** Integer in decimal */
    value: string;
    /** Call data; of a withdrawal, `transfer(recipient, amount)` of the token */
    data: string;
    /** 0 calls, 1 delegates */
    operation: number;
    /** Integer in decimal */
    safeTxGas: string;
    /** Integer in decimal */
    baseGas: string;
    /** Integer in decimal */
    gasPrice: string;
    /** EVM address with an EIP-55 checksum */
    gasToken: string;
    /** EVM address with an EIP-55 checksum */
    refundReceiver: string;
    /** Integer in decimal */
    nonce: string;
  };
};

export type RecoveryChallenge = {
  /** UUID */
  transactionId: string;
  typedData: SafeTypedData;
  /** The key that signs it: the owner of the Safe, or the backup key */
  signer: string;
  /** The key that signs the same typed data, which proves that it can sign: the backup key that is named, or the wallet that becomes the owner; absent in a stop */
  provenKey?: string;
  /** Until when the signature is accepted */
  expiresAt: string;
  /** The backup key as the naming leads to it; absent in the other steps */
  backup?: BackupKey;
};

export type Recovery = {
  /** UUID */
  recoveryId: string;
  /** `requested` until the request is on the chain, `waiting` until it is executed, `completed` once the owner is exchanged, `cancelled` if it was stopped or has expired */
  status: "requested" | "waiting" | "completed" | "cancelled";
  /** The wallet that becomes the owner */
  newOwner: string;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** When the owner can be exchanged; absent before it waits on the chain */
  executableAt?: string;
};

export type Card = {
  /** UUID */
  id: string;
  /** Name that the cardholder gave the card */
  cardName: string;
  /**
   * The same as `cardName`
   * @deprecated
   */
  name: string;
  /** Colour that the cardholder chose; apps show a card without it in green */
  colour?: CardColour;
  last4: string;
  expMonth: number;
  expYear: number;
  network: string;
  virtual: boolean;
  status: "active" | "frozen" | "lost" | "stolen" | "cancelled" | "expired";
  /** Reason given for the current status */
  statusReason?: string;
  /** Present while the card is frozen; the cardholder cannot lift a freeze by the issuer */
  frozenBy?: "cardholder" | "issuer";
  /** The lost or stolen card that this card replaces */
  replacementFor?: string;
  /** The card that replaces this lost or stolen card */
  replacedBy?: string;
  /** The payment that has used up a card for single use */
  usedBy?: string;
  /** Present where cards are read */
  limits?: CardLimits;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
};

export type CardLimits = {
  perTransaction?: {
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    amount: string;
    /** ISO 4217 code */
    currency: string;
    /** Amount that counts in the current period */
    used: string;
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    remaining: string;
    /** End of the current period; absent for `perTransaction` */
    resetsAt?: string;
  };
  daily?: {
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    amount: string;
    /** ISO 4217 code */
    currency: string;
    /** Amount that counts in the current period */
    used: string;
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    remaining: string;
    /** End of the current period; absent for `perTransaction` */
    resetsAt?: string;
  };
  weekly?: {
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    amount: string;
    /** ISO 4217 code */
    currency: string;
    /** Amount that counts in the current period */
    used: string;
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    remaining: string;
    /** End of the current period; absent for `perTransaction` */
    resetsAt?: string;
  };
  monthly?: {
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    amount: string;
    /** ISO 4217 code */
    currency: string;
    /** Amount that counts in the current period */
    used: string;
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    remaining: string;
    /** End of the current period; absent for `perTransaction` */
    resetsAt?: string;
  };
  atm?: {
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    amount: string;
    /** ISO 4217 code */
    currency: string;
    /** Amount that counts in the current period */
    used: string;
    /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
    remaining: string;
    /** End of the current period; absent for `perTransaction` */
    resetsAt?: string;
  };
};

export type CardTransaction = {
  /** UUID */
  id: string;
  /** UUID */
  accountId: string;
  /** UUID */
  cardId: string;
  status: "pending" | "settled" | "reversed" | "expired" | "declined";
  kind: "payment" | "refund" | "atm" | "credit" | "verification";
  /** True if the account is credited */
  isCredit: boolean;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount: string;
  /** ISO 4217 code */
  currency: string;
  decimals: number;
  /** Amount in the currency of the transaction */
  originalAmount: string;
  /** ISO 4217 code */
  originalCurrency: string;
  originalDecimals: number;
  fx?: CurrencyConversion;
  conversionCost?: ConversionCost;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  heldAmount: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  clearedAmount: string;
  refundedAmount: string;
  /** Amount credited for this payment by refunds that are transactions of their own */
  relatedRefundAmount?: string;
  /** Credit that was announced and is not booked yet */
  pendingCreditAmount: string;
  merchant: CardMerchant;
  entryMode?: "chip" | "contactless" | "magnetic_stripe" | "ecommerce" | "merchant_initiated" | "manual";
  authorizationCode?: string;
  /** Card network, in lower case */
  network?: string;
  /** The network's id of the transaction */
  networkTransactionId?: string;
  declineReason?: DeclineReason;
  threeDs?: {
    /** UUID */
    challengeId: string;
    eci?: string;
  };
  /** The latest dispute */
  dispute?: CardTransactionDispute;
  /** Disputes before the latest one, oldest first */
  earlierDisputes?: readonly CardTransactionDispute[];
  /** Of a refund: the payment that it is likely to refund */
  relatedTransactionId?: string;
  /** The cardholder's own note, which nobody else is told of */
  note?: string;
  /** When the hold expires; present while pending */
  expiresAt?: string;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  clearedAt?: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
};

/** Rate to the billing currency, without the mark-up, which is a part of the billed amount */
export type CurrencyConversion = {
  rate: string;
  markupBasisPoints: number;
  rateDate?: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  markupAmount?: string;
};

/** Cost of the conversion against the reference rate of the European Central Bank */
export type ConversionCost = {
  referenceRate: string;
  referenceDate: string;
  overReferenceBasisPoints: number;
};

export type CardMerchant = {
  id?: string;
  name?: string;
  city?: string;
  country?: string;
  categoryCode?: string;
};

export type DeclineReason = {
  code: string;
  /** The reason in words */
  message: string;
};

export type CardTransactionDispute = {
  /** UUID */
  id: string;
  /** `submitted`, `won`, `lost` or `withdrawn` */
  status: string;
  /** When it was opened */
  createdAt?: string;
  /** How far it has gone at the card network, or its outcome */
  stage?: "opened" | "chargeback" | "representment" | "pre_arbitration" | "arbitration" | "won" | "lost" | "withdrawn";
  /** `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other` */
  reason: string;
  /** In the words of the cardholder */
  text?: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  provisionalCredit: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  creditedAmount: string;
  /** True if it has blocked the card for good */
  cardBlocked?: boolean;
};

export type CardTransactionDetail = {
  /** UUID */
  id: string;
  /** UUID */
  accountId: string;
  /** UUID */
  cardId: string;
  status: "pending" | "settled" | "reversed" | "expired" | "declined";
  kind: "payment" | "refund" | "atm" | "credit" | "verification";
  /** True if the account is credited */
  isCredit: boolean;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount: string;
  /** ISO 4217 code */
  currency: string;
  decimals: number;
  /** Amount in the currency of the transaction */
  originalAmount: string;
  /** ISO 4217 code */
  originalCurrency: string;
  originalDecimals: number;
  fx?: CurrencyConversion;
  conversionCost?: ConversionCost;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  heldAmount: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  clearedAmount: string;
  refundedAmount: string;
  /** Amount credited for this payment by refunds that are transactions of their own */
  relatedRefundAmount?: string;
  /** Credit that was announced and is not booked yet */
  pendingCreditAmount: string;
  merchant: CardMerchant;
  entryMode?: "chip" | "contactless" | "magnetic_stripe" | "ecommerce" | "merchant_initiated" | "manual";
  authorizationCode?: string;
  /** Card network, in lower case */
  network?: string;
  /** The network's id of the transaction */
  networkTransactionId?: string;
  declineReason?: DeclineReason;
  threeDs?: {
    /** UUID */
    challengeId: string;
    eci?: string;
  };
  /** The latest dispute */
  dispute?: CardTransactionDispute;
  /** Disputes before the latest one, oldest first */
  earlierDisputes?: readonly CardTransactionDispute[];
  /** Of a refund: the payment that it is likely to refund */
  relatedTransactionId?: string;
  /** The cardholder's own note, which nobody else is told of */
  note?: string;
  /** When the hold expires; present while pending */
  expiresAt?: string;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  clearedAt?: string;
  /** ISO 8601, UTC, with milliseconds */
  updatedAt: string;
  /** Reports of the card network, in the order of arrival */
  events: readonly CardTransactionEvent[];
  /** Ids of the ledger's holds and entries; lines of the statement have them as `reference` */
  ledgerEntries: readonly string[];
};

export type CardTransactionEvent = {
  id: string;
  type: string;
  /** ISO 8601, UTC, with milliseconds */
  at: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount?: string;
  approved: boolean;
  /** Response code of ISO 8583, field 39 */
  responseCode?: string;
  /** Why this request was declined */
  declineReason?: DeclineReason;
  /** Acquirer reference number (ARN) of a clearing or refund, by which a merchant finds it */
  acquirerReference?: string;
  /** Wallet of the device that has paid */
  wallet?: string;
  /** Reference of the token that has paid in place of the card number */
  tokenReference?: string;
};

/** Evidence of the decision, which `npm run verify-receipt` checks offline */
export type DecisionReceipt = {
  /** UUID */
  challengeId: string;
  decision: "approve" | "decline";
  typedData: TypedMessage;
  /** EIP-712 digest of `typedData`, which was signed */
  typedDataHash: string;
  /** 0x and hexadecimal digits in lower case: 65 bytes of a wallet, 65 to 2048 bytes for a Safe */
  signature: string;
  /** The wallet that has signed, or the Safe that has accepted the signature */
  signer: string;
  /** `wallet`: the address is recovered from the signature. `safe`: its contract accepts the signature (EIP-1271) at `blockNumber`. */
  signerType: "wallet" | "safe";
  /** Block of the chain `typedData.domain.chainId`; present for a Safe */
  blockNumber?: number;
  /** When the typed data was created */
  issuedAt: string;
  /** ISO 8601, UTC, with milliseconds */
  decidedAt: string;
  /** When the challenge expires */
  expiresAt: string;
  /** Absent without a payment, like `currency` and `decimals` */
  amount?: string;
  /** ISO 4217 code */
  currency?: string;
  decimals?: number;
  cardLast4: string;
  merchant?: ThreeDSMerchant;
  /** SHA-256 over the other fields, which detects damage of those that are not signed */
  fingerprint: string;
};

export type ThreeDSMerchant = {
  id?: string;
  displayName?: string;
  country?: string;
  categoryCode?: string;
};

export type ForeignAmount = {
  /** Amount in the currency of the transaction */
  originalAmount: string;
  /** ISO 4217 code */
  originalCurrency: string;
  originalDecimals: number;
  /** Decimals of the billing currency, in whose minor unit the mark-up's amount is */
  decimals: number;
  /** Absent when the processor has converted */
  fx?: CurrencyConversion;
  /** Absent when the reference rate was not known */
  conversionCost?: ConversionCost;
};

export type CardDispute = {
  /** UUID */
  id: string;
  /** `submitted`, `won`, `lost` or `withdrawn` */
  status: string;
  /** When it was opened */
  createdAt?: string;
  /** How far it has gone at the card network, or its outcome */
  stage?: "opened" | "chargeback" | "representment" | "pre_arbitration" | "arbitration" | "won" | "lost" | "withdrawn";
  /** `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other` */
  reason: string;
  /** In the words of the cardholder */
  text?: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  provisionalCredit: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  creditedAmount: string;
  /** True if it has blocked the card for good */
  cardBlocked?: boolean;
  /** UUID */
  cardTransactionId: string;
  /** UUID */
  cardId: string;
  /** ISO 4217 code */
  currency: string;
  decimals: number;
  merchant?: CardMerchant;
  /** Until when the next step has to be taken */
  deadline?: string;
};

export type CardDisputeDetail = {
  /** UUID */
  id: string;
  /** `submitted`, `won`, `lost` or `withdrawn` */
  status: string;
  /** When it was opened */
  createdAt?: string;
  /** How far it has gone at the card network, or its outcome */
  stage?: "opened" | "chargeback" | "representment" | "pre_arbitration" | "arbitration" | "won" | "lost" | "withdrawn";
  /** `fraud`, `not_received`, `not_as_described`, `duplicate`, `cancelled` or `other` */
  reason: string;
  /** In the words of the cardholder */
  text?: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  provisionalCredit: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  creditedAmount: string;
  /** True if it has blocked the card for good */
  cardBlocked?: boolean;
  /** UUID */
  cardTransactionId: string;
  /** UUID */
  cardId: string;
  /** ISO 4217 code */
  currency: string;
  decimals: number;
  merchant?: CardMerchant;
  /** Until when the next step has to be taken */
  deadline?: string;
  timeline: readonly CardDisputeStep[];
};

export type CardDisputeStep = {
  stage: "opened" | "chargeback" | "representment" | "pre_arbitration" | "arbitration" | "won" | "lost" | "withdrawn";
  /** ISO 8601, UTC, with milliseconds */
  at: string;
  /** Amount of the step; absent if it is the disputed amount */
  amount?: string;
  /** Until when the next step has to be taken */
  deadline?: string;
};

export type CardControls = {
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
  singleUse: boolean;
};

export type CardDataAccess = {
  /** UUID */
  id: string;
  /** UUID */
  cardId: string;
  last4: string;
  /** `seal`: the data was encrypted for the card processor */
  action: "seal" | "view-details" | "view-pin" | "set-pin";
  /** The wallet that signed; absent for `seal` */
  wallet?: string;
  /** Thumbprint (RFC 7638, SHA-256, base64url) of the app's P-256 key */
  thumbprint: string;
  /** ISO 8601, UTC, with milliseconds */
  at: string;
};

export type Deposit = {
  /** UUID */
  id: string;
  /** Transaction hash */
  txHash: string;
  /** Integer in the token's smallest unit */
  amount: string;
  /** ISO 4217 code */
  currency: string;
  /** Token symbol */
  token: string;
  decimals: number;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** Address that sent it; absent where it is not known */
  from?: string;
  status: "pending" | "approved" | "rejected";
  /** When it was approved or rejected */
  resolvedAt?: string;
  /** When it was taken back, because its transfer has vanished from the chain */
  reversedAt?: string;
  /** Why it is `rejected`: by the transaction screening, by a person of the program, or because it was taken back */
  reason?: "SCREENING_REJECTED" | "OPERATOR_REJECTED" | "DEPOSIT_REVERSED";
  /** Result of the transaction screening; present once the deposit was screened */
  kytBreakdown?: {
    result: string;
    riskScore: number;
    riskTier: string;
  };
};

export type Withdrawal = {
  /** UUID */
  id: string;
  /** Absent until the transaction is known */
  txHash?: string;
  /** Integer in the token's smallest unit */
  amount: string;
  /** ISO 4217 code */
  currency: string;
  /** Token symbol */
  token: string;
  decimals: number;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** Address that receives it; absent where it was not given */
  to?: string;
  status: "pending" | "processing" | "completed" | "failed";
  /** When it was sent to the chain; absent if that was skipped */
  processingAt?: string;
  /** When it was completed or has failed */
  endedAt?: string;
  /** Why it has failed: a code. New ones may be added. */
  reason?: string;
};

export type DepositReturn = {
  /** UUID */
  id: string;
  /** Token symbol */
  token: string;
  decimals: number;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount: string;
  /** The sender of the deposit, to whom it goes back */
  to: string;
  /** The transaction that brought it */
  txHash: string;
  /** The Safe that sends it back */
  safeAddress: string;
};

export type Move = {
  /** The former account */
  accountId: string;
  /** The former account's Safe */
  safeAddress: string;
  /** Token symbol */
  token: string;
  decimals: number;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount: string;
  /** True if `POST /user/moves/challenge` moves it; otherwise the Safe's owners move it without the platform, with their wallets alone */
  cosigned: boolean;
  /** The wallet that the Safe was made for */
  firstOwner: string;
};

export type StatementLine = {
  /** UUID */
  id: string;
  /** `card_payment`: taken for a card transaction; `card_refund`, `card_credit`: refunded, or pushed to the card, and negative where that was taken back; `dispute_credit`, `dispute_reversal`: credited for a dispute, and taken back; `fee`: to the program; `adjustment`: booked by the program; `transfer`: from or to another account; `reversal`: an earlier line taken back */
  kind: "deposit" | "withdrawal" | "card_payment" | "card_refund" | "card_credit" | "dispute_credit" | "dispute_reversal" | "fee" | "adjustment" | "transfer" | "reversal";
  /** UUID of the deposit, withdrawal, hold or entry that the line was booked for; of a reversal, of what it reverses */
  reference: string;
  /** The card transaction that the line belongs to */
  cardTransactionId?: string;
  /** Merchant of the card transaction */
  merchant?: CardMerchant;
  /** How the line's amount in another currency was billed, with its mark-up by itself; credits of disputes have none */
  foreign?: ForeignAmount;
  /** The dispute that the line belongs to; absent where the card transaction has had several */
  disputeId?: string;
  /** Kind of the line in English, with the merchant */
  description: string;
  /** Transaction hash; present on deposits and withdrawals */
  txHash?: string;
  /** Token symbol */
  token: string;
  decimals: number;
  /** ISO 4217 code */
  currency: string;
  /** Signed integer in the token's smallest unit; negative when the account was debited */
  amount: string;
  /** Booked balance of the token after this line (ISO 20022), in the token's smallest unit; negative when the account owes */
  balanceAfter: string;
  /** Part of the amount that repaid debt; absent when none did */
  debtRepaid?: string;
  /** Part of the amount that was not covered and became debt; absent when none did */
  debtIncurred?: string;
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
};

export type AuditHead = {
  /** Name of the process */
  service: string;
  /** Number of the record */
  sequence: number;
  /** SHA-256 of the record, which covers all records before it */
  hash: string;
  /** When the record was added */
  at: string;
  /** Ed25519 by the key of the process, over the JSON array ["florin-audit-head-1", service, sequence, hash, at] without white space */
  seal: string;
};

export type ThreeDSChallenge = {
  /** UUID */
  id: string;
  /** UUID */
  cardId: string;
  /** UUID */
  accountId: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  amount?: string;
  /** ISO 4217 code */
  currency?: string;
  decimals?: number;
  /** Last four digits of the card, as in the text that the wallet shows */
  cardLast4: string;
  merchant: ThreeDSMerchant;
  status: "pending" | "processing" | "approved" | "declined" | "cancelled" | "expired" | "failed";
  /** Present once a decision was submitted */
  decision?: "approve" | "decline";
  /** ISO 8601, UTC, with milliseconds */
  createdAt?: string;
  /** When the decision was submitted; present with it */
  decidedAt?: string;
  /** The card transaction that has used the approval */
  cardTransactionId?: string;
  /** ISO 8601, UTC, with milliseconds */
  expiresAt: string;
  /** True while a decision can be submitted: the status is `pending` and `expiresAt` has not passed */
  decisionAvailable: boolean;
};

export type ThreeDSChallengeDetailResponse = {
  /** ISO 8601, UTC, with milliseconds */
  serverTime: string;
  challenge: ThreeDSChallenge;
};

export type ThreeDSChallengesReady = {
  /** ISO 8601, UTC, with milliseconds */
  serverTime: string;
  /** True if the preceding events are all pending challenges: any other challenge that the client shows as pending is no longer pending */
  snapshot: boolean;
};

export type ThreeDSChallengesReset = {
  /** ISO 8601, UTC, with milliseconds */
  serverTime: string;
  /** The Last-Event-ID is malformed, too old or of another platform: the pending challenges follow instead of the changes after it */
  code: "LAST_EVENT_ID_UNKNOWN";
};

export type ThreeDSChallengesEnd = {
  /** ISO 8601, UTC, with milliseconds */
  serverTime: string;
  /** `TOKEN_ENDED`: the token expired or its session ended; get a new token before reconnecting. `STOPPING`: the server stops; reconnect. `TOO_SLOW`: the client did not read fast enough; reconnect. */
  code: "TOKEN_ENDED" | "STOPPING" | "TOO_SLOW";
};

export type PartnerClient = {
  /** Thumbprint of the key (RFC 7638): `kid`, `iss` and `sub` of the tokens that it signs */
  clientId: string;
  /** The partner whose events and users its tokens reach */
  partnerId: string;
  name: string;
  /** Scopes that its tokens may carry */
  scopes: readonly string[];
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** The key of the partner with whose token it was registered; absent if the platform let it in */
  registeredBy?: string;
  /** When the key ends by itself: those of a sandbox do */
  expiresAt?: string;
};

export type PartnerRequest = {
  /** `X-Request-Id` of the request, by which the operator finds it in logs */
  requestId: string;
  /** ISO 8601, UTC, with milliseconds */
  at: string;
  method: string;
  /** Path of the operation, without ids */
  path: string;
  /** Name of the client that signed the token */
  clientId: string;
  status: number;
  /** Code of the error, see `/errors` */
  error?: string;
  /** Milliseconds until the response was sent */
  durationMs: number;
  /** Names and types of the members of the body that was sent, without their values */
  members: readonly ({
    /** Path of the member; `[]` is the first item of an array, `?` a name that is no word */
    name: string;
    type: "string" | "number" | "boolean" | "null" | "object" | "array";
  })[];
};

export type Event = {
  /** UUID; a repeat of the event has the same one */
  id: string;
  /** Type of the catalogue. New types may be added. */
  type: string;
  /** ISO 8601, UTC, with milliseconds */
  timestamp: string;
  /** Kind and id of the changed object */
  subject: string;
  /** Place in the feed, from 1 without a gap */
  sequence: number;
  /** Place of the last event before it that the filter of this request lets through; 0 without one. Another value than the `sequence` of the event that was received before shows that something is missing. */
  previousSequence: number;
  /** Number of this change of the subject, from 1 without a gap */
  subjectSequence: number;
  /** A JSON object with ids, states, amounts, merchants and the last digits of cards; it names no person. Fields may be added. */
  data: unknown;
};

export type EventCheckpoint = {
  /** ISO 8601, UTC, with milliseconds */
  timestamp: string;
  /** Place of the last event of the feed; 0 without one */
  sequence: number;
  /** Place of the last event that the filter lets through; 0 without one */
  previousSequence: number;
};

export type EventsEnd = {
  code: "TOKEN_ENDED" | "STOPPING" | "TOO_SLOW";
};

export type WebhookEndpointWithSecret = {
  /** UUID */
  id: string;
  /** https URL of a public host, without user information and fragment */
  url: string;
  types: readonly string[];
  description: string;
  dataVersion: number;
  contactEmail?: string;
  status: "enabled" | "disabled";
  /** `requested` by you, `gone` after an answer 410, `failing` after five days without a success */
  disabledReason?: "requested" | "gone" | "failing";
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** When the secret before the current one stops signing */
  previousSecretExpiresAt?: string;
  /** How far the deliveries are, as of a second ago */
  delivery?: {
    /** Place up to which every event was delivered, was given up, or waits in a parked subject */
    cursor: string;
    /** Subjects of which an event failed and waits for its next attempt */
    parkedSubjects: number;
    /** ISO 8601, UTC, with milliseconds */
    failingSince?: string;
    /** ISO 8601, UTC, with milliseconds */
    lastSuccessAt?: string;
  };
  /** `whsec_` and base64 of 24 to 64 bytes */
  secret: string;
};

export type WebhookEndpoint = {
  /** UUID */
  id: string;
  /** https URL of a public host, without user information and fragment */
  url: string;
  types: readonly string[];
  description: string;
  dataVersion: number;
  contactEmail?: string;
  status: "enabled" | "disabled";
  /** `requested` by you, `gone` after an answer 410, `failing` after five days without a success */
  disabledReason?: "requested" | "gone" | "failing";
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** When the secret before the current one stops signing */
  previousSecretExpiresAt?: string;
  /** How far the deliveries are, as of a second ago */
  delivery?: {
    /** Place up to which every event was delivered, was given up, or waits in a parked subject */
    cursor: string;
    /** Subjects of which an event failed and waits for its next attempt */
    parkedSubjects: number;
    /** ISO 8601, UTC, with milliseconds */
    failingSince?: string;
    /** ISO 8601, UTC, with milliseconds */
    lastSuccessAt?: string;
  };
};

export type WebhookOrder = {
  success: true;
  /** Id of the event, which its attempt carries */
  eventId: string;
};

export type WebhookAttempt = {
  /** UUID */
  id: string;
  /** UUID */
  eventId: string;
  eventType: string;
  /** Place of the event; 0 for a test event */
  sequence: number;
  /** Number of the attempt, from 1; 0 for a redelivery, a test or a checkpoint */
  number: number;
  /** ISO 8601, UTC, with milliseconds */
  at: string;
  durationMs: number;
  /** Status of the answer; absent without one */
  status?: number;
  /** Why there was no answer */
  failure?: string;
  /** The first KiB of the answer */
  answer: string;
};

export type NotificationDevice = {
  /** Id of the subscription, the same for the same endpoint */
  id: string;
  language: "en" | "de" | "fr";
  /** ISO 8601, UTC, with milliseconds */
  createdAt: string;
  /** ISO 8601, UTC, with milliseconds */
  renewedAt: string;
};

export type NotificationPreferences = {
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
  };
  /** Language of mails */
  language: "en" | "de" | "fr";
};

export type Capabilities = {
  /** True if outside systems are simulated and no real money moves */
  sandbox: boolean;
  /** Steps of a new user: `terms`, `kyc` and `source_of_funds` before the account is active, `phone` (a number that a code has verified) before the first card, `safe` (a Safe that is deployed and verified) before the account is active. Empty: nothing */
  onboarding: readonly ("terms" | "kyc" | "source_of_funds" | "phone" | "safe")[];
  /** Wallets that can sign in: plain ones, and contracts (EIP-1271) */
  wallets: readonly ("eoa" | "safe")[];
  /** True if accounts have Safes on the chain, from which users withdraw with a signature */
  withdrawals: boolean;
  tokens: readonly ({
    /** Token symbol */
    token: string;
    decimals: number;
    /** ISO 4217 code */
    currency: string;
    /** Address of the token on the chain, in lower case */
    contract?: string;
  })[];
  /** Tokens that no account can spend at the moment */
  tokenBlocks: readonly TokenBlock[];
  /** Currencies of accounts, the native one first */
  currencies: readonly string[];
  chain: {
    /** EIP-155 id in decimal digits */
    id: string;
    name: string;
  };
  limits: {
    /** Most cards that a user has at a time; replacements do not count */
    cards: number;
    requestsPerMinute: {
      /** Requests of a user or wallet */
      caller: number;
      /** Sign-ins, codes and registrations of an IP address */
      signIn: number;
    };
    /** Most that a cardholder can allow a card, in the minor unit of the currency; one that is absent does not exist */
    payments: {
      /** ISO 4217 code */
      currency: string;
      /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
      perTransaction?: string;
      /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
      daily?: string;
      /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
      weekly?: string;
      /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
      monthly?: string;
      /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
      atm?: string;
    };
  };
  /** Absent: nobody is notified. Without a key there are mails only */
  notifications?: {
    /** Key of Web Push (VAPID, RFC 8292), for `pushManager.subscribe` */
    publicKey?: string;
  };
  /** Where people get help */
  support: {
    url?: string;
    email?: string;
  };
};

export type OutboxMessage = {
  channel: "email" | "sms";
  to: string;
  text: string;
  code?: string;
  /** ISO 8601, UTC, with milliseconds */
  sentAt: string;
};

export type NetworkDecision = {
  /** Id of the card transaction */
  transactionId: string;
  approved: boolean;
  /** In the currency of the request */
  approvedAmount: string;
  /** Integer in the smallest unit; divide by 10 to the power of the `decimals` beside it */
  billingAmount: string;
  /** Response code of ISO 8583, field 39 */
  responseCode: string;
  reason?: DeclineReason;
  authorizationCode?: string;
};
