import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CardStatus } from '@florin/proto/card/v1/card';
import { EntryMode, PaymentKind, PaymentStatus } from '@florin/proto/card/v1/payment';
import { SafeStatus } from '@florin/proto/chain/v1/safe';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { ChallengeStatus, Decision, SignerType } from '@florin/proto/threeds/v1/challenge';

export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
export const USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
export const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8001';
export const CARD_ID = '01890a5d-ac96-774b-bcce-b302099a8002';
export const CHALLENGE_ID = '01890a5d-ac96-774b-bcce-b302099a8003';
export const OTHER_ID = '01890a5d-ac96-774b-bcce-b302099a8004';
const TX_HASH = `0x${'ab'.repeat(32)}`;

export const time = timestampFromDate(new Date('2026-01-31T12:00:00.123Z'));
export const tokens = () => ({
  accessToken: 'a.b.c',
  refreshToken: 'refresh',
  accessExpiresAt: timestampFromDate(new Date(Date.now() + 900_000)),
  userId: '',
});
export const card = {
  id: CARD_ID,
  userId: USER_ID,
  accountId: ACCOUNT_ID,
  name: 'Groceries',
  last4: '4242',
  expMonth: 1,
  expYear: 2030,
  network: 'visa',
  virtual: true,
  status: CardStatus.ACTIVE,
  createdAt: time,
};
export const cardPayment = {
  id: OTHER_ID,
  cardId: CARD_ID,
  accountId: ACCOUNT_ID,
  status: PaymentStatus.PENDING,
  kind: PaymentKind.PAYMENT,
  amount: '4999',
  currency: 'EUR',
  decimals: 2,
  originalAmount: '4999',
  originalCurrency: 'EUR',
  originalDecimals: 2,
  heldAmount: '4999',
  clearedAmount: '0',
  refundedAmount: '0',
  pendingCreditAmount: '0',
  merchant: { id: 'M-1', name: 'Bookshop', city: '', country: 'DE', categoryCode: '5942' },
  entryMode: EntryMode.ECOMMERCE,
  authorizationCode: '402113',
  challengeId: CHALLENGE_ID,
  eci: '05',
  expiresAt: time,
  createdAt: time,
  updatedAt: time,
  events: [{ id: 'evt-1', type: 'authorization', at: time, amount: '4999', approved: true, responseCode: '00' }],
  ledgerEntries: [OTHER_ID],
  transactionId: 'network-1',
  dispute: {
    id: OTHER_ID,
    status: 'submitted',
    reason: 'fraud: It was not me',
    provisionalCredit: '0',
    amount: '4999',
    creditedAmount: '0',
  },
};
export const networkDecision = {
  paymentId: OTHER_ID,
  approved: true,
  approvedAmount: '4999',
  billingAmount: '4999',
  responseCode: '00',
  authorizationCode: '402113',
};
const cardLimit = { amount: '50000', used: '4999', remaining: '45001', resetsAt: time };
export const cardLimits = {
  perTransaction: cardLimit,
  daily: cardLimit,
  weekly: cardLimit,
  monthly: cardLimit,
  atm: cardLimit,
  currency: 'EUR',
};
export const cardControls = {
  categories: { allow: [], deny: ['7995'] },
  onlineOff: false,
  contactlessOff: true,
  atmOff: false,
  singleUse: false,
};
export const account = {
  id: ACCOUNT_ID,
  userId: USER_ID,
  kycProfileId: OTHER_ID,
  safeOwnerAddress: WALLET,
  safeAddress: WALLET,
  chainName: 'Gnosis',
  chainId: 100,
  reference: 'FLR-1234',
  nativeCurrency: 'EUR',
  additionalCurrencies: ['GBP'],
  status: AccountStatus.ACTIVE,
  createdAt: time,
  updatedAt: time,
  provisionedAt: time,
};
const movement = {
  id: OTHER_ID,
  accountId: ACCOUNT_ID,
  txHash: TX_HASH,
  token: 'EURe',
  amount: '5',
  decimals: 18,
  currency: 'EUR',
  createdAt: time,
};
export const deposit = {
  ...movement,
  status: DepositStatus.APPROVED,
  fromAddress: WALLET,
  logIndex: 0,
  kytBreakdown: { result: 'approve', riskScore: 5, riskTier: 'low' },
};
export const withdrawal = { ...movement, status: WithdrawalStatus.COMPLETED, toAddress: WALLET };
export const statementLine = {
  id: ACCOUNT_ID,
  kind: StatementLineKind.DEPOSIT,
  reference: OTHER_ID,
  txHash: TX_HASH,
  token: 'EURe',
  decimals: 18,
  currency: 'EUR',
  amount: '2000000000000000001',
  createdAt: time,
};
export const challenge = {
  id: CHALLENGE_ID,
  cardId: CARD_ID,
  accountId: ACCOUNT_ID,
  amount: '1999',
  currency: 'EUR',
  decimals: 2,
  cardLast4: '4242',
  merchant: { displayName: 'Shop' },
  status: ChallengeStatus.PENDING,
  decision: Decision.UNSPECIFIED,
  createdAt: time,
  expiresAt: timestampFromDate(new Date('2126-01-31T12:05:00.000Z')),
  decisionAvailable: true,
};
export const term = { type: 'general', name: 'General Terms', url: 'https://florin.example/terms/general', currentVersion: '2' };
export const zero = { spendable: '0', nonSpendable: '0', processingDeposits: '0' };

/** A P-256 key and its thumbprint (RFC 7638). */
export const APP_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};
export const THUMBPRINT = 'cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s';
export const JWE = 'eyJhbGciOiJFQ0RILUVTIn0..AAAAAAAAAAAAAAAA.c2VjcmV0.AAAAAAAAAAAAAAAAAAAAAA';

/** Typed data that a wallet signs. */
export const typedData = (domainName: string, authorization: string) => ({
  domainName,
  domainVersion: '1',
  domainChainId: 100,
  messageTypes: [
    { name: 'authorization', type: 'string' },
    { name: 'nonce', type: 'uint256' },
  ],
  authorization,
  nonce: '340282366920938463463374607431768211456',
});

export const receipt = {
  challengeId: CHALLENGE_ID,
  decision: Decision.APPROVE,
  typedData: typedData('Florin 3DS', 'Approve 19.99 EUR at Shop'),
  signature: `0x${'ab'.repeat(65)}`,
  signer: WALLET,
  signerType: SignerType.WALLET,
  issuedAt: time,
  decidedAt: time,
  expiresAt: time,
  amount: '1999',
  currency: 'EUR',
  decimals: 2,
  cardLast4: '4242',
  merchant: { displayName: 'Shop' },
  typedDataHash: TX_HASH,
  fingerprint: TX_HASH,
};

export const safe = {
  accountId: OTHER_ID,
  chainId: 100,
  address: WALLET,
  owner: WALLET,
  platform: WALLET,
  delayModule: WALLET,
  cooldownSeconds: 90_000,
  expirationSeconds: 111_600,
  status: SafeStatus.VERIFIED,
  setUpSignature: `0x${'11'.repeat(64)}1b`,
  verifiedAt: time,
};

export const safeTransaction = {
  chainId: 100,
  safe: WALLET,
  to: WALLET,
  data: '0xa9059cbb',
  operation: 0,
  safeTxGas: '200000',
  nonce: '3',
  hash: `0x${'ab'.repeat(32)}`,
};
