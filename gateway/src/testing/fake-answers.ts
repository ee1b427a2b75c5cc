import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CardStatus } from '@florin/proto/card/v1/card';
import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { OutboxChannel } from '@florin/proto/identity/v1/sandbox_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { DepositStatus, WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';

export const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
export const USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
export const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8001';
export const CARD_ID = '01890a5d-ac96-774b-bcce-b302099a8002';
export const CHALLENGE_ID = '01890a5d-ac96-774b-bcce-b302099a8003';
const OTHER_ID = '01890a5d-ac96-774b-bcce-b302099a8004';
const TX_HASH = `0x${'ab'.repeat(32)}`;

const time = timestampFromDate(new Date('2026-01-31T12:00:00.123Z'));
const tokens = () => ({
  accessToken: 'a.b.c',
  refreshToken: 'refresh',
  accessExpiresAt: timestampFromDate(new Date(Date.now() + 900_000)),
  userId: '',
});
const card = {
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
const account = {
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
const deposit = {
  ...movement,
  status: DepositStatus.APPROVED,
  logIndex: 0,
  kytBreakdown: { result: 'approve', riskScore: 5, riskTier: 'low' },
};
const withdrawal = { ...movement, status: WithdrawalStatus.COMPLETED };
const statementLine = {
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
  merchant: { displayName: 'Shop' },
  status: ChallengeStatus.PENDING,
  decision: Decision.UNSPECIFIED,
  expiresAt: time,
  decisionAvailable: true,
};
const term = { type: 'general', name: 'General Terms', url: 'https://florin.example/terms/general', currentVersion: '2' };
const zero = { spendable: '0', nonSpendable: '0', processingDeposits: '0' };

/** Default responses of the fake services, by RPC. */
export const fakeAnswers: Readonly<Record<string, () => object>> = {
  createSiweMessage: () => ({ message: 'sign this', expiresAt: time }),
  signIn: () => ({ tokens: tokens() }),
  refreshSession: () => ({ tokens: { ...tokens(), userId: USER_ID } }),
  endCurrentSession: () => ({}),
  listSessions: () => ({
    sessions: [
      { id: OTHER_ID, wallet: WALLET, createdAt: time, lastUsedAt: time, userAgent: 'curl/8', ip: '192.0.2.1', current: true },
      { id: CARD_ID, wallet: WALLET, createdAt: time, lastUsedAt: time },
    ],
    page: { nextCursor: 'next' },
  }),
  endSession: () => ({}),
  sendEmailCode: () => ({}),
  sendPhoneCode: () => ({}),
  registerUser: () => ({ userId: USER_ID, accessToken: 'a.b.c' }),
  getCurrentUser: () => ({
    user: {
      id: USER_ID,
      partnerId: 'florin',
      email: 'ann@example.org',
      wallets: [{ address: WALLET, primary: true }],
      kycStatus: KycStatus.NOT_STARTED,
      kycProfileId: OTHER_ID,
      accountId: ACCOUNT_ID,
      createdAt: time,
    },
  }),
  getOnboarding: () => ({
    status: OnboardingStatus.ACTION_COMPLETE_KYC,
    url: 'https://kyc.florin.example/s/1',
    kycStatus: KycStatus.DOCUMENTS_REQUESTED,
  }),
  listTerms: () => ({ terms: [term] }),
  listUserTerms: () => ({
    terms: [
      { term, accepted: false },
      { term: { ...term, type: 'card' }, accepted: true, acceptedVersion: '2', acceptedAt: time },
    ],
  }),
  acceptTerms: () => ({}),
  getSourceOfFunds: () => ({
    questions: [
      { question: 'From where?', answers: ['Work', 'Luck'] },
      { question: 'How much?', answers: ['Little'] },
    ],
    answers: [{ question: 'From where?', answer: 'Work' }],
    answeredAt: time,
    complete: false,
  }),
  submitSourceOfFunds: () => ({}),
  getKyc: () => ({ status: KycStatus.IN_REVIEW, profileId: OTHER_ID, changedAt: time }),
  createKycSession: () => ({ url: 'https://kyc.florin.example/s/1', expiresAt: time }),
  receiveEvent: () => ({ applied: true }),
  moveKyc: () => ({ status: KycStatus.APPROVED }),
  addWallet: () => ({ wallet: { address: WALLET, primary: false } }),
  removeWallet: () => ({}),
  listOutboxMessages: () => ({
    messages: [
      { channel: OutboxChannel.EMAIL, to: 'ann@example.org', text: 'Your code is 123456', code: '123456', sentAt: time },
      { channel: OutboxChannel.SMS, to: '+4915112345678', text: 'Hello', sentAt: time },
    ],
  }),
  createVirtualCard: () => ({ card }),
  listCards: () => ({ cards: [card, { ...card, id: OTHER_ID, status: CardStatus.FROZEN }] }),
  updatePhone: () => ({}),
  getCurrentCardholder: () => ({ cardholderId: OTHER_ID, phone: '+4915112345678', phoneVerified: true }),
  getCurrentAccount: () => ({ account }),
  getBalances: () => ({
    currencies: [
      {
        currency: 'EUR',
        decimals: 2,
        ...zero,
        processingWithdrawals: '0',
        tokens: [{ token: 'EURe', decimals: 18, ...zero, maxInstantWithdraw: '0' }],
      },
    ],
  }),
  recordDeposit: () => ({ deposit }),
  resolveDeposit: () => ({ deposit }),
  createWithdrawal: () => ({ withdrawal }),
  updateWithdrawal: () => ({ withdrawal }),
  listDeposits: () => ({
    deposits: [deposit, { ...deposit, status: DepositStatus.PENDING, kytBreakdown: undefined }],
    page: { nextCursor: 'next' },
  }),
  listWithdrawals: () => ({ withdrawals: [withdrawal] }),
  listStatement: () => ({
    lines: [
      {
        ...statementLine,
        kind: StatementLineKind.CARD_PAYMENT,
        txHash: '',
        amount: '-1500000000000000001',
        balanceAfter: '500000000000000000',
      },
      { ...statementLine, id: OTHER_ID, balanceAfter: '2000000000000000001' },
    ],
  }),
  createChallenge: () => ({ challenge }),
  getChallenge: () => ({ challenge, serverTime: time }),
  listChallenges: () => ({ challenges: [challenge, { ...challenge, id: OTHER_ID }], page: { nextCursor: 'next' }, serverTime: time }),
  watchChallenges: async function* () {
    yield { eventId: '0-0', challenge, serverTime: time };
    yield { eventId: '7-1', serverTime: time, snapshot: true };
    yield { eventId: '7-2', challenge: { ...challenge, status: ChallengeStatus.CANCELLED, decisionAvailable: false }, serverTime: time };
  },
  issueDecisionChallenge: () => ({
    typedData: {
      domainName: 'Florin 3DS',
      domainVersion: '1',
      domainChainId: 100,
      messageTypes: [
        { name: 'authorization', type: 'string' },
        { name: 'nonce', type: 'uint256' },
      ],
      authorization: 'Approve 19.99 EUR at Shop',
      nonce: '340282366920938463463374607431768211456',
    },
  }),
  submitDecision: () => ({
    challenge: { ...challenge, status: ChallengeStatus.PROCESSING, decision: Decision.APPROVE, decisionAvailable: false },
    serverTime: time,
  }),
};
