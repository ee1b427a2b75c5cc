import {
  ACCOUNT_ID,
  CARD_ID,
  CHALLENGE_ID,
  DECISION_DATA,
  type Example,
  LAST_PAGE,
  MOVEMENT_ID,
  SIGNATURE,
  TIME,
  TX_HASH,
  typedData,
  USER_ID,
  WALLET,
} from './example.ts';

/** The text that a wallet signs to approve a change of a card. */
const approvalText = (title: string, facts: readonly string[]): string =>
  [title, 'Card: **** 4242', `Card ID: ${CARD_ID}`, ...facts, `User: ${USER_ID}`, 'Expires: 2026-01-31T12:10:00.000Z'].join('\n');

const MERCHANT = { id: 'M-1', name: 'Bookshop', city: 'Berlin', country: 'DE', categoryCode: '5942' };

const TRANSACTION = {
  id: MOVEMENT_ID,
  accountId: ACCOUNT_ID,
  cardId: CARD_ID,
  status: 'pending',
  kind: 'payment',
  isCredit: false,
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
  merchant: MERCHANT,
  entryMode: 'ecommerce',
  authorizationCode: '402113',
  threeDs: { challengeId: CHALLENGE_ID, eci: '05' },
  expiresAt: '2026-02-10T12:00:00.000Z',
  createdAt: TIME,
  updatedAt: TIME,
};
const AUTHORIZATION = { id: 'evt-1', type: 'authorization', at: TIME, amount: '4999', approved: true, responseCode: '00' };
const DETAIL = { ...TRANSACTION, events: [AUTHORIZATION], ledgerEntries: [MOVEMENT_ID] };
const { expiresAt: _expiresAt, ...ENDED } = DETAIL;
const CLEARING = { id: 'evt-2', type: 'clearing', at: TIME, amount: '4999', approved: true };
const CLEARED = {
  ...ENDED,
  status: 'settled',
  heldAmount: '0',
  clearedAmount: '4999',
  clearedAt: TIME,
  events: [AUTHORIZATION, CLEARING],
};
const DECISION = {
  transactionId: MOVEMENT_ID,
  approved: true,
  approvedAmount: '4999',
  billingAmount: '4999',
  responseCode: '00',
  authorizationCode: '402113',
};
const REVERSED = {
  ...ENDED,
  status: 'reversed',
  heldAmount: '0',
  events: [AUTHORIZATION, { id: 'evt-2', type: 'reversal', at: TIME, approved: true }],
};
const CREDITED = { ...ENDED, kind: 'refund', status: 'settled', isCredit: true, heldAmount: '0', refundedAmount: '4999' };
const LIMIT = { amount: '50000', currency: 'EUR', used: '4999', remaining: '45001', resetsAt: '2026-02-01T00:00:00.000Z' };
const NO_LIMITS = { perTransaction: null, daily: null, weekly: null, monthly: null, atm: null };
const CONTROLS = {
  categories: { allow: [], deny: ['7995'] },
  countries: { allow: [], deny: [] },
  merchants: { allow: [], deny: [] },
  online: true,
  contactless: true,
  atm: false,
  singleUse: false,
};
const LIMITS = { daily: LIMIT };
const PAYMENT = { cardId: CARD_ID, amount: '4999', currency: 'EUR', merchant: MERCHANT };

const DISPUTE = {
  id: MOVEMENT_ID,
  status: 'submitted',
  stage: 'opened',
  reason: 'not_received',
  provisionalCredit: '0',
  amount: '4999',
  creditedAmount: '0',
  cardBlocked: false,
  cardTransactionId: MOVEMENT_ID,
  cardId: CARD_ID,
  currency: 'EUR',
  decimals: 2,
  merchant: MERCHANT,
};
const OPENED = { stage: 'opened', at: TIME };

const RECEIPT = {
  challengeId: CHALLENGE_ID,
  decision: 'approve',
  typedData: DECISION_DATA,
  typedDataHash: TX_HASH,
  signature: SIGNATURE,
  signer: WALLET,
  signerType: 'wallet',
  issuedAt: TIME,
  decidedAt: TIME,
  expiresAt: '2026-01-31T12:05:00.000Z',
  amount: '4999',
  currency: 'EUR',
  decimals: 2,
  cardLast4: '4242',
  merchant: { displayName: 'Bookshop', country: 'DE' },
  fingerprint: TX_HASH,
};

/** Examples of card transactions, limits, controls and the sandbox's card network, by operation id. */
export const CARD_TRANSACTION_EXAMPLES: Readonly<Record<string, Example>> = {
  listCardTransactions: { response: { data: [TRANSACTION], pagination: LAST_PAGE } },
  getCardTransaction: { response: DETAIL },
  getCardReceipt: { response: { receipt: RECEIPT } },
  setCardTransactionNote: { request: { note: 'Present for Ada' }, response: { ...DETAIL, note: 'Present for Ada' } },
  disputeCardTransaction: {
    request: { reason: 'not_received' },
    response: { id: MOVEMENT_ID, status: 'submitted', amount: '4999', cardBlocked: false },
  },
  listCardDisputes: { response: { data: [DISPUTE], pagination: LAST_PAGE } },
  getCardDispute: { response: { ...DISPUTE, timeline: [OPENED] } },
  withdrawCardDispute: {
    response: { ...DISPUTE, status: 'withdrawn', stage: 'withdrawn', timeline: [OPENED, { stage: 'withdrawn', at: TIME }] },
  },
  sandboxResolveDispute: {
    request: { outcome: 'won' },
    response: { ...DISPUTE, status: 'won', stage: 'won', creditedAmount: '4999', timeline: [OPENED, { stage: 'won', at: TIME }] },
  },
  getCardLimits: { response: LIMITS },
  setCardLimits: { request: { ...NO_LIMITS, daily: { amount: '50000', currency: 'EUR' } }, response: LIMITS },
  updateCardLimits: { request: { daily: { amount: '50000', currency: 'EUR' } }, response: LIMITS },
  createCardLimitsChallenge: {
    request: { daily: { amount: '90000', currency: 'EUR' } },
    response: typedData('Florin Cards', approvalText('CHANGE limits of a card of my Florin account.', ['Per day: 900.00 EUR'])),
  },
  createCardControlsChallenge: {
    request: { atm: true },
    response: typedData(
      'Florin Cards',
      approvalText('CHANGE which payments a card of my Florin account permits.', ['Cash withdrawals: on']),
    ),
  },
  createUnfreezeChallenge: {
    response: typedData('Florin Cards', approvalText('UNFREEZE a card of my Florin account. It can then pay again.', [])),
  },
  getCardControls: { response: CONTROLS },
  setCardControls: { request: CONTROLS, response: CONTROLS },
  updateCardControls: { request: { atm: false }, response: { ...CONTROLS, atm: false } },
  sandboxCreatePayment: { request: { ...PAYMENT, threeDsChallengeId: CHALLENGE_ID }, response: DECISION },
  sandboxIncrementPayment: { request: { amount: '500' }, response: { ...DECISION, approvedAmount: '500', billingAmount: '500' } },
  sandboxAdvisePayment: { request: { amount: '4999' }, response: DETAIL },
  sandboxClearPayment: { request: { amount: '4999', final: true }, response: CLEARED },
  sandboxForcePayment: { request: { amount: '4999' }, response: CLEARED },
  sandboxReversePayment: { request: {}, response: REVERSED },
  sandboxExpirePayment: { request: {}, response: { ...REVERSED, status: 'expired' } },
  sandboxAnnounceCredit: { request: { amount: '999' }, response: { ...CLEARED, pendingCreditAmount: '999' } },
  sandboxCorrectDebit: { request: { amount: '1' }, response: { ...CLEARED, clearedAmount: '5000', amount: '5000' } },
  sandboxCorrectCredit: { request: { amount: '1' }, response: { ...CLEARED, refundedAmount: '1' } },
  sandboxRefundPayment: { request: { amount: '999' }, response: { ...CLEARED, refundedAmount: '999' } },
  sandboxCreateRefund: { request: PAYMENT, response: CREDITED },
  sandboxCreateCredit: { request: PAYMENT, response: { ...CREDITED, kind: 'credit' } },
  sandboxAdvanceClock: { request: { advanceSeconds: 86_400 }, response: { secondsAhead: 86_400 } },
};
