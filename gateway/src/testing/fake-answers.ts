import { CardActor, CardStatus } from '@florin/proto/card/v1/card';
import { OnboardingStatus } from '@florin/proto/identity/v1/onboarding_service';
import { OutboxChannel } from '@florin/proto/identity/v1/sandbox_service';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';

import {
  ACCOUNT_ID,
  APP_KEY,
  account,
  CARD_ID,
  CHALLENGE_ID,
  card,
  cardControls,
  cardLimits,
  cardPayment,
  challenge,
  deposit,
  JWE,
  networkDecision,
  OTHER_ID,
  statementLine,
  THUMBPRINT,
  term,
  time,
  tokens,
  typedData,
  USER_ID,
  WALLET,
  withdrawal,
  zero,
} from './fake-records.ts';

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
  registerUser: () => ({ userId: USER_ID, accessToken: 'a.b.c', accessExpiresAt: tokens().accessExpiresAt }),
  getCurrentUser: () => ({
    user: {
      id: USER_ID,
      partnerId: 'florin',
      email: 'ann@example.org',
      wallets: [{ address: WALLET, primary: true, approvesFrom: time }],
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
  createWalletChallenge: () => ({
    typedData: {
      domainName: 'Florin Wallets',
      domainVersion: '1',
      domainChainId: 100,
      messageTypes: [
        { name: 'authorization', type: 'string' },
        { name: 'nonce', type: 'uint256' },
      ],
      authorization: 'ADD a wallet',
      nonce: '7',
    },
    expiresAt: time,
  }),
  addWallet: () => ({ wallet: { address: WALLET, primary: false, approvesFrom: time } }),
  makeWalletPrimary: () => ({ wallet: { address: WALLET, primary: true, approvesFrom: time } }),
  removeWallet: () => ({}),
  listOutboxMessages: () => ({
    messages: [
      { channel: OutboxChannel.EMAIL, to: 'ann@example.org', text: 'Your code is 123456', code: '123456', sentAt: time },
      { channel: OutboxChannel.SMS, to: '+4915112345678', text: 'Hello', sentAt: time },
    ],
  }),
  createVirtualCard: () => ({ card }),
  getCard: () => ({ card }),
  listPayments: () => ({ payments: [cardPayment], page: { nextCursor: 'next' } }),
  getPayment: () => ({ payment: cardPayment }),
  findPayments: () => ({ paymentIds: { [statementLine.reference]: OTHER_ID } }),
  disputePayment: () => ({ payment: cardPayment }),
  getCardLimits: () => ({ limits: cardLimits }),
  setCardLimits: () => ({ limits: cardLimits }),
  getCardControls: () => ({ controls: cardControls }),
  setCardControls: () => ({ controls: cardControls }),
  authorize: () => ({ decision: networkDecision }),
  increment: () => ({ decision: networkDecision }),
  advise: () => ({ payment: cardPayment }),
  clear: () => ({ payment: cardPayment }),
  reverse: () => ({ payment: cardPayment }),
  expire: () => ({ payment: cardPayment }),
  refund: () => ({ payment: cardPayment }),
  credit: () => ({ payment: cardPayment }),
  advanceClock: () => ({ secondsAhead: 60n }),
  getReceipt: () => ({ receipt: { challengeId: CHALLENGE_ID, signature: '0x00' } }),
  freezeCard: () => ({ card: { ...card, status: CardStatus.FROZEN, frozenBy: CardActor.CARDHOLDER } }),
  unfreezeCard: () => ({ card }),
  reportCardLost: () => ({ card: { ...card, status: CardStatus.LOST } }),
  reportCardStolen: () => ({ card: { ...card, status: CardStatus.STOLEN } }),
  cancelCard: () => ({ card: { ...card, status: CardStatus.CANCELLED } }),
  replaceCard: () => ({ card: { ...card, id: OTHER_ID, replacementFor: CARD_ID } }),
  renewCard: () => ({ card: { ...card, expYear: 2034 } }),
  renameCard: () => ({ card: { ...card, name: 'Holidays' } }),
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
  listHeads: () => ({
    keys: [{ id: 'k'.repeat(43), x: 'x'.repeat(43) }],
    heads: [
      {
        shard: '0',
        block: 7n,
        hash: 'ab'.repeat(32),
        time: '2026-01-02T03:04:05.678Z',
        root: 'cd'.repeat(32),
        keyId: 'k'.repeat(43),
        signature: 's'.repeat(86),
      },
      {
        shard: '0',
        block: 5n,
        hash: 'ef'.repeat(32),
        time: '2026-01-02T03:04:05.000Z',
        root: '',
        keyId: 'k'.repeat(43),
        signature: 's'.repeat(86),
      },
    ],
  }),
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
  issueDecisionChallenge: () => ({ typedData: typedData('Florin 3DS', 'Approve 19.99 EUR at Shop') }),
  listVaultKeys: () => ({ jwksJson: JSON.stringify({ keys: [{ ...APP_KEY, kid: THUMBPRINT, use: 'enc', alg: 'ECDH-ES' }] }) }),
  createCardDataChallenge: () => ({ typedData: typedData('Florin Card Data', 'SHOW the PIN of this card'), expiresAt: time }),
  revealCardData: () => ({ jwe: JWE }),
  setPin: () => ({}),
  listCardDataAccess: () => ({
    accesses: [
      { id: OTHER_ID, cardId: CARD_ID, last4: '4242', action: CardDataAction.VIEW_PIN, wallet: WALLET, thumbprint: THUMBPRINT, at: time },
      { id: ACCOUNT_ID, cardId: CARD_ID, last4: '4242', action: CardDataAction.UNSPECIFIED, thumbprint: THUMBPRINT, at: time },
    ],
    page: { nextCursor: 'next' },
  }),
  submitDecision: () => ({
    challenge: { ...challenge, status: ChallengeStatus.PROCESSING, decision: Decision.APPROVE, decisionAvailable: false },
    serverTime: time,
  }),
};
