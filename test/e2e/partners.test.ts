import { randomUUID } from 'node:crypto';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { signServiceToken } from '@florin/rpc/auth';
import { openEventStream, waitFor } from '@florin/rpc/testing';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { expectCode } from '../support/expect-answer.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import {
  acceptAllTerms,
  createCard,
  explainFunds,
  issueTypedData,
  newEmail,
  newPhone,
  newWallet,
  PAYMENT,
  type Person,
  raiseChallenge,
  registerPerson,
  requestEmailCode,
  signIn,
  signTypedData,
  siweMessage,
  walletToAdd,
} from '../support/story.ts';

const ONE = 'app.one.example';
const TWO = 'app.two.example';
const ALSO_TWO = 'shop.two.example:8443';
const PARTNERS = [
  { id: 'one', name: 'One', domains: [ONE] },
  { id: 'two', name: 'Two', domains: [TWO, ALSO_TWO] },
];

/** A public key of an app (RFC 7517, appendix A.1). */
const APP_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};

const NO_LIMITS = { perTransaction: null, daily: null, weekly: null, monthly: null, atm: null };
const SILENT = { push: false, email: false };
const KINDS = ['payment_approved', 'payment_declined', 'challenge', 'refund', 'deposit', 'withdrawal', 'card', 'security'];
const PREFERENCES = { kinds: Object.fromEntries(KINDS.map((kind) => [kind, SILENT])), language: 'fr' };
const NO_LIST = { allow: [], deny: [] };
const ALL_OPEN = { categories: NO_LIST, countries: NO_LIST, merchants: NO_LIST, online: true, contactless: true, atm: true };

type Known = Person & {
  domain: string;
  sessionId: string;
  phone: string;
  cardId: string;
  transactionId: string;
  challengeId: string;
  depositId: string;
  withdrawalId: string;
  disputeId: string;
  deviceId: string;
  signature: string;
  cursor: string;
};

let platform: PlatformInProcess;
let ann: Known;
let bob: Known;

const get = <T>(path: string, { token }: Pick<Person, 'token'>) => platform.api.call<T>('GET', path, { token });

/** A browser that nothing can be pushed to. */
const newDevice = () => ({
  endpoint: `https://localhost:9/${randomUUID()}`,
  expirationTime: null,
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  language: 'en' as const,
});

/** A person with one of every resource of the platform. */
const settle = async (domain: string): Promise<Known> => {
  const person = await registerPerson(platform.api, newWallet(), { domain });
  const phone = newPhone();
  const cardId = await createCard(platform.api, person.token, { cardName: 'Everyday', phone });
  const challengeId = await raiseChallenge(platform.api, person.token, cardId);
  const signature = await signTypedData(person.wallet, await issueTypedData(platform.api, person.token, challengeId, 'approve'));
  await acceptAllTerms(platform.api, person.token);
  await explainFunds(platform.api, person.token);
  const client = platform.api.as(person.token);
  await client.sandbox.moveKyc({ status: 'resubmission_requested' });
  await client.kyc.createKycSession();
  await client.sandbox.createDeposit({ token: 'EURe', amount: '100000000000000000000' });
  const { id: depositId } = await client.sandbox.createDeposit({ token: 'EURe', amount: '200000000000000000000' });
  const { id: withdrawalId } = await client.sandbox.createWithdrawal({ token: 'EURe', amount: '1000000000000000000' });
  const pay = { cardId, amount: '1999', currency: 'EUR' as const, merchant: { name: 'Kiosk' } };
  const { transactionId } = await client.sandbox.createPayment(pay);
  const settled = await client.sandbox.createPayment({ ...pay, capture: true });
  const { id: disputeId } = await client.cards.disputeCardTransaction({ transactionId: settled.transactionId, reason: 'other' });
  const { id: deviceId } = await client.notifications.putNotificationSubscription(newDevice());
  const { pagination } = await client.userMovements.listDeposits({ limit: 1 });
  const sessionId = String(decodeJwt(person.token)['sid']);
  const own = { sessionId, phone, cardId, transactionId, challengeId, depositId, withdrawalId, disputeId, deviceId, signature };
  return { ...person, ...own, domain, cursor: pagination.nextCursor ?? '' };
};

const READS = [
  '/user',
  '/user/account',
  '/user/balances/v2',
  '/user/deposits',
  '/user/withdrawals',
  '/cards',
  '/cards/transactions',
  '/cards/disputes',
  '/notifications/preferences',
  '/3ds/challenges',
  '/user/onboarding',
  '/user/terms',
  '/source-of-funds',
  '/kyc',
];

/** Everything that a person can read. */
const everythingOf = async (person: Person): Promise<Record<string, object>> =>
  Object.fromEntries(await Promise.all(READS.map(async (path) => [path, await get<object>(path, person)] as const)));

/** Ids, addresses and other values that belong to one person, from everything that the person can read. */
const marksOf = async (person: Known, everything: object): Promise<string[]> => {
  const text = JSON.stringify(everything) + JSON.stringify(await platform.api.as(person.token).kyc.createKycSession());
  // The contracts of tokens are everybody's.
  const own = text.replaceAll(/"contract":"0x[0-9a-fA-F]{40}"/g, '');
  const found = own.match(/[0-9a-f]{8}-[0-9a-f-]{27}|0x[0-9a-fA-F]{40,}|https:\/\/kyc[^"]+/g) ?? [];
  return [...new Set([...found, person.email, person.phone, person.userId, person.sessionId, person.wallet.address])];
};

beforeAll(async () => {
  platform = await startPlatformInProcess({ PARTNERS: JSON.stringify(PARTNERS) }, { events: {}, notifications: {} });
  [ann, bob] = [await settle(ONE), await settle(TWO)];
}, 240_000);
afterAll(() => platform?.close());

type Row = {
  target: (victim: Known) => string;
  body?: (victim: Known) => object | Promise<object>;
  /** Code returned for another person's resource, the same as for a missing one; undefined where only the caller's resources can be named. */
  code?: string;
};

/** Returns the message that a wallet signs to be added to a user, with the approval of the user who owns it. */
const signedMessage = async ({ wallet, domain, token }: Known): Promise<object> => walletToAdd(platform.api, token, wallet, wallet, domain);

const challenge = ({ challengeId }: Known) => `/3ds/challenges/${challengeId}`;

const CARD_ACTIONS = [
  ['freezeCard', 'freeze'],
  ['unfreezeCard', 'unfreeze'],
  ['reportCardLost', 'lost'],
  ['reportCardStolen', 'stolen'],
  ['cancelCard', 'cancel'],
  ['replaceCard', 'replace'],
  ['renewCard', 'renew'],
] as const;

const NETWORK_ACTIONS = [
  ['sandboxIncrementPayment', 'increment'],
  ['sandboxAdvisePayment', 'advise'],
  ['sandboxClearPayment', 'clear'],
  ['sandboxForcePayment', 'force'],
  ['sandboxReversePayment', 'reverse'],
  ['sandboxExpirePayment', 'expire'],
  ['sandboxRefundPayment', 'refund'],
  ['sandboxAnnounceCredit', 'announce-credit'],
  ['sandboxCorrectDebit', 'correct-debit'],
  ['sandboxCorrectCredit', 'correct-credit'],
] as const;

/**
 * Every operation on behalf of a user, called with another user's ids where it accepts ids. Operations without an id concern the
 * caller, whom the token identifies.
 */
const ROWS: Readonly<Record<string, Row>> = {
  // Refused before it changes anything. The challenges are pending during the first rows.
  eraseUser: { target: () => 'DELETE /user', code: 'USER_HAS_OPEN_CHALLENGES' },
  exportUserData: { target: () => 'GET /user/export' },
  listSessions: { target: () => 'GET /auth/sessions' },
  endSession: { target: ({ sessionId }) => `DELETE /auth/sessions/${sessionId}`, code: 'NOT_FOUND' },
  logout: { target: () => 'POST /auth/logout' },
  sendEmailCode: { target: () => 'POST /email-verification', body: ({ email }) => ({ email }) },
  registerUser: { target: () => 'POST /user', body: ({ email }) => ({ email, otp: '123456' }), code: 'USER_ALREADY_EXISTS' },
  getUser: { target: () => 'GET /user' },
  addWallet: { target: () => 'POST /user/wallets', body: signedMessage, code: 'DOMAIN_NOT_ALLOWED' },
  createWalletChallenge: { target: () => 'POST /user/wallets/challenge', body: () => ({ wallet: newWallet().address }) },
  makeWalletPrimary: {
    target: () => 'POST /user/wallets/primary',
    body: ({ wallet, signature }) => ({ wallet: wallet.address, approval: signature }),
    code: 'NOT_FOUND',
  },
  removeWallet: { target: ({ wallet }) => `DELETE /user/wallets/${wallet.address}`, code: 'NOT_FOUND' },
  getOnboarding: { target: () => 'GET /user/onboarding' },
  listUserTerms: { target: () => 'GET /user/terms' },
  acceptTerms: { target: () => 'POST /user/terms', body: () => ({ terms: [{ type: 'general', version: '1' }] }) },
  getSourceOfFunds: { target: () => 'GET /source-of-funds' },
  submitSourceOfFunds: { target: () => 'POST /source-of-funds', body: () => ({ answers: [] }), code: 'ValidationError' },
  getKyc: { target: () => 'GET /kyc' },
  createKycSession: { target: () => 'POST /kyc/session' },
  sendPhoneCode: { target: () => 'POST /phone/verification', body: ({ phone }) => ({ phone }) },
  updatePhone: { target: () => 'PATCH /phone', body: () => ({ phone: newPhone() }) },
  getAccount: { target: () => 'GET /user/account' },
  // Without a node, nothing is deployed.
  createSetUpChallenge: { target: () => 'POST /user/account/set-up/challenge', code: 'SAFES_NOT_AVAILABLE' },
  submitSetUp: { target: () => 'POST /user/account/set-up', body: ({ signature }) => ({ signature }), code: 'SAFES_NOT_AVAILABLE' },
  createBackupKeyChallenge: {
    target: () => 'POST /user/account/backup-key/challenge',
    body: ({ wallet }) => ({ backupKey: wallet.address }),
    code: 'SAFES_NOT_AVAILABLE',
  },
  createRecoveryChallenge: { target: () => 'POST /user/account/recovery/challenge', code: 'SAFES_NOT_AVAILABLE' },
  createCancellationChallenge: { target: () => 'POST /user/account/recovery/cancellation/challenge', code: 'SAFES_NOT_AVAILABLE' },
  submitRecoveryTransaction: {
    target: () => 'POST /user/account/recovery',
    body: ({ signature, cardId }) => ({ transactionId: cardId, signature }),
    code: 'SAFES_NOT_AVAILABLE',
  },
  getRecovery: { target: () => 'GET /user/account/recovery' },
  // Without a chain, there is no proof.
  getAccountReserves: { target: () => 'GET /user/account/reserves', code: 'RESERVES_NOT_FOUND' },
  listCollectionAllowances: { target: () => 'GET /user/account/allowance' },
  getBalances: { target: () => 'GET /user/balances/v2' },
  createVirtualCard: { target: () => 'POST /cards/virtual', body: () => ({ cardName: 'Another' }) },
  listCards: { target: () => 'GET /cards' },
  getCard: { target: ({ cardId }) => `GET /cards/${cardId}`, code: 'CARD_NOT_FOUND' },
  renameCard: { target: ({ cardId }) => `PATCH /cards/${cardId}`, body: () => ({ name: 'Stolen' }), code: 'CARD_NOT_FOUND' },
  ...Object.fromEntries(
    CARD_ACTIONS.map(([operationId, action]) => [
      operationId,
      { target: ({ cardId }: Known) => `POST /cards/${cardId}/${action}`, code: 'CARD_NOT_FOUND' },
    ]),
  ),
  listCardTransactions: { target: ({ cardId }) => `GET /cards/transactions?cardId=${cardId}` },
  getCardTransaction: { target: ({ transactionId }) => `GET /cards/transactions/${transactionId}`, code: 'PAYMENT_NOT_FOUND' },
  getCardReceipt: { target: ({ transactionId }) => `GET /cards/transactions/${transactionId}/receipt`, code: 'PAYMENT_NOT_FOUND' },
  setCardTransactionNote: {
    target: ({ transactionId }) => `PUT /cards/transactions/${transactionId}/note`,
    body: () => ({ note: 'stolen' }),
    code: 'PAYMENT_NOT_FOUND',
  },
  disputeCardTransaction: {
    target: ({ transactionId }) => `POST /cards/transactions/${transactionId}/dispute`,
    body: () => ({ reason: 'fraud' }),
    code: 'PAYMENT_NOT_FOUND',
  },
  listCardDisputes: { target: () => 'GET /cards/disputes' },
  getCardDispute: { target: ({ disputeId }) => `GET /cards/disputes/${disputeId}`, code: 'PAYMENT_NOT_FOUND' },
  withdrawCardDispute: { target: ({ disputeId }) => `POST /cards/disputes/${disputeId}/withdraw`, code: 'PAYMENT_NOT_FOUND' },
  getCardLimits: { target: ({ cardId }) => `GET /cards/${cardId}/limits`, code: 'CARD_NOT_FOUND' },
  setCardLimits: { target: ({ cardId }) => `PUT /cards/${cardId}/limits`, body: () => NO_LIMITS, code: 'CARD_NOT_FOUND' },
  updateCardLimits: { target: ({ cardId }) => `PATCH /cards/${cardId}/limits`, body: () => ({ daily: null }), code: 'CARD_NOT_FOUND' },
  createCardLimitsChallenge: {
    target: ({ cardId }) => `POST /cards/${cardId}/limits/challenge`,
    body: () => ({ daily: null }),
    code: 'CARD_NOT_FOUND',
  },
  createCardControlsChallenge: {
    target: ({ cardId }) => `POST /cards/${cardId}/controls/challenge`,
    body: () => ({ atm: true }),
    code: 'CARD_NOT_FOUND',
  },
  createUnfreezeChallenge: { target: ({ cardId }) => `POST /cards/${cardId}/unfreeze/challenge`, code: 'CARD_NOT_FOUND' },
  getCardControls: { target: ({ cardId }) => `GET /cards/${cardId}/controls`, code: 'CARD_NOT_FOUND' },
  setCardControls: { target: ({ cardId }) => `PUT /cards/${cardId}/controls`, body: () => ALL_OPEN, code: 'CARD_NOT_FOUND' },
  updateCardControls: { target: ({ cardId }) => `PATCH /cards/${cardId}/controls`, body: () => ({ atm: true }), code: 'CARD_NOT_FOUND' },
  ...Object.fromEntries(
    NETWORK_ACTIONS.map(([operationId, action]) => [
      operationId,
      {
        target: ({ transactionId }: Known) => `POST /sandbox/payments/${transactionId}/${action}`,
        body: () => (action === 'expire' ? {} : { amount: '1' }),
        code: 'PAYMENT_NOT_FOUND',
      },
    ]),
  ),
  ...Object.fromEntries(
    ['Payment', 'Refund', 'Credit'].map((what) => [
      `sandboxCreate${what}`,
      {
        target: () => `POST /sandbox/${what.toLowerCase()}s`,
        body: ({ cardId }: Known) => ({ cardId, amount: '1', currency: 'EUR', merchant: {} }),
        code: 'CARD_NOT_FOUND',
      },
    ]),
  ),
  sandboxAdvanceClock: { target: () => 'POST /sandbox/clock', body: () => ({ advanceSeconds: 60 }) },
  createCardDataChallenge: {
    target: ({ cardId }) => `GET /pci/cards/${cardId}/challenge?action=view-details&thumbprint=${'A'.repeat(43)}`,
    code: 'CARD_NOT_FOUND',
  },
  revealCardData: {
    target: ({ cardId }) => `POST /pci/cards/${cardId}/reveal`,
    body: ({ signature }) => ({ action: 'view-details', signature, key: APP_KEY }),
    code: 'CARD_NOT_FOUND',
  },
  setPin: {
    target: ({ cardId }) => `PUT /pci/cards/${cardId}/pin`,
    body: ({ signature }) => ({ signature, jwe: 'e30..AAAA.AAAA.AAAA' }),
    code: 'CARD_NOT_FOUND',
  },
  listCardDataAccess: { target: () => 'GET /pci/access-log' },
  listDeposits: { target: ({ cursor }) => `GET /user/deposits?cursor=${cursor}` },
  listWithdrawals: { target: () => 'GET /user/withdrawals' },
  createWithdrawalChallenge: {
    target: () => 'POST /user/withdrawals/challenge',
    body: ({ wallet }) => ({ token: 'EURe', amount: '5', to: wallet.address }),
    code: 'SAFES_NOT_AVAILABLE',
  },
  submitWithdrawal: {
    target: () => 'POST /user/withdrawals',
    body: ({ cardId, signature }) => ({ withdrawalId: cardId, signature }),
    code: 'SAFES_NOT_AVAILABLE',
  },
  listReturns: { target: () => 'GET /user/returns' },
  listMoves: { target: () => 'GET /user/moves' },
  createMoveChallenge: {
    target: () => 'POST /user/moves/challenge',
    body: ({ cardId }) => ({ accountId: cardId, token: 'EURe' }),
    code: 'SAFES_NOT_AVAILABLE',
  },
  createReturnChallenge: { target: ({ cardId }) => `POST /user/returns/${cardId}/challenge`, code: 'SAFES_NOT_AVAILABLE' },
  listStatement: { target: () => 'GET /user/statement' },
  listChallenges: { target: () => 'GET /3ds/challenges' },
  watchChallenges: { target: () => 'GET /3ds/challenges/events' },
  getChallenge: { target: (victim) => `GET ${challenge(victim)}`, code: 'CHALLENGE_NOT_FOUND' },
  issueDecisionChallenge: {
    target: (victim) => `POST ${challenge(victim)}/decision-challenge`,
    body: () => ({ decision: 'approve' }),
    code: 'CHALLENGE_NOT_FOUND',
  },
  submitDecision: {
    target: (victim) => `POST ${challenge(victim)}/decision`,
    body: ({ signature }) => ({ decision: 'approve', signature }),
    code: 'CHALLENGE_NOT_FOUND',
  },
  // For servers of partners, whose tokens are no people's.
  listEvents: { target: () => 'GET /events', code: 'WRONG_TOKEN_KIND' },
  watchEvents: { target: () => 'GET /events/stream', code: 'WRONG_TOKEN_KIND' },
  ...Object.fromEntries(
    [
      ['createWebhookEndpoint', 'POST /webhook-endpoints'],
      ['listWebhookEndpoints', 'GET /webhook-endpoints'],
      ...[
        ['getWebhookEndpoint', 'GET', ''],
        ['setWebhookEndpoint', 'PUT', ''],
        ['updateWebhookEndpoint', 'PATCH', ''],
        ['deleteWebhookEndpoint', 'DELETE', ''],
        ['rotateWebhookSecret', 'POST', '/rotate-secret'],
        ['enableWebhookEndpoint', 'POST', '/enable'],
        ['disableWebhookEndpoint', 'POST', '/disable'],
        ['replayWebhookEvents', 'POST', '/replay'],
        ['redeliverWebhookEvent', 'POST', '/redeliver'],
        ['sendTestWebhookEvent', 'POST', '/test'],
        ['listWebhookAttempts', 'GET', '/attempts'],
      ].map(([id, method, path]) => [id, `${method} /webhook-endpoints/00000000-0000-4000-8000-000000000001${path}`]),
    ].map(([id, target]) => [id, { target: () => String(target), code: 'WRONG_TOKEN_KIND' }]),
  ),
  listPartnerKeys: { target: () => 'GET /partner/keys', code: 'WRONG_TOKEN_KIND' },
  listPartnerRequests: { target: () => 'GET /partner/requests', code: 'WRONG_TOKEN_KIND' },
  createPartnerKey: { target: () => 'POST /partner/keys', code: 'WRONG_TOKEN_KIND' },
  revokePartnerKey: { target: () => `DELETE /partner/keys/${'A'.repeat(43)}`, code: 'WRONG_TOKEN_KIND' },
  ...Object.fromEntries(
    [
      ['getPartnerUser', ''],
      ['listPartnerUserCards', '/cards'],
      ['listPartnerUserTransactions', '/transactions'],
      ['getPartnerUserTransaction', `/transactions/00000000-0000-4000-8000-000000000001`],
      ['getPartnerUserBalances', '/balances'],
      ['listPartnerUserDeposits', '/deposits'],
      ['listPartnerUserWithdrawals', '/withdrawals'],
    ].map(([id, path]) => [id, { target: ({ userId }: Known) => `GET /partner/users/${userId}${path}`, code: 'WRONG_TOKEN_KIND' }]),
  ),
  listUserEvents: { target: () => 'GET /user/events' },
  watchUserEvents: { target: () => 'GET /user/events/stream' },
  sandboxCreateDeposit: { target: () => 'POST /sandbox/deposits', body: () => ({ token: 'EURe', amount: '5' }) },
  sandboxCreateWithdrawal: { target: () => 'POST /sandbox/withdrawals', body: () => ({ token: 'EURe', amount: '5' }) },
  sandboxResolveDeposit: {
    target: ({ depositId }) => `POST /sandbox/deposits/${depositId}/resolve`,
    body: () => ({ outcome: 'reject' }),
    code: 'DEPOSIT_NOT_FOUND',
  },
  sandboxResolveWithdrawal: {
    target: ({ withdrawalId }) => `POST /sandbox/withdrawals/${withdrawalId}/resolve`,
    body: () => ({ outcome: 'fail' }),
    code: 'WITHDRAWAL_NOT_FOUND',
  },
  sandboxResolveDispute: {
    target: ({ disputeId }) => `POST /sandbox/disputes/${disputeId}/resolve`,
    body: () => ({ outcome: 'lost' }),
    code: 'PAYMENT_NOT_FOUND',
  },
  putNotificationSubscription: { target: () => 'PUT /notifications/subscriptions', body: newDevice },
  deleteNotificationSubscription: { target: ({ deviceId }) => `DELETE /notifications/subscriptions/${deviceId}` },
  getNotificationPreferences: { target: () => 'GET /notifications/preferences' },
  setNotificationPreferences: { target: () => 'PUT /notifications/preferences', body: () => PREFERENCES },
  sandboxConfirmChallenge: { target: (known) => `POST /sandbox${challenge(known)}/confirm`, code: 'CHALLENGE_NOT_FOUND' },
  sandboxCancelChallenge: { target: (known) => `POST /sandbox${challenge(known)}/cancel`, code: 'CHALLENGE_NOT_FOUND' },
  sandboxCreateChallenge: {
    target: () => 'POST /sandbox/3ds/challenges',
    body: ({ cardId }) => ({ ...PAYMENT, cardId }),
    code: 'CARD_NOT_FOUND',
  },
  sandboxMoveKyc: { target: () => 'POST /sandbox/kyc', body: () => ({ status: 'resubmission_requested' }) },
  // Last, because it ends the sessions that other rows use.
  logoutAll: { target: () => 'POST /auth/logout-all' },
};

const callAs = async (caller: Known, victim: Known, { target, body }: Row): Promise<Answer> => {
  const [method = '', path = ''] = target(victim).split(' ');
  return platform.api.request(method, path, { token: caller.token, ...(body === undefined ? {} : { body: await body(victim) }) });
};

const codeOf = ({ body }: Answer): unknown => {
  const { error } = body as { error?: string | { name: string } };
  return typeof error === 'object' ? error.name : error;
};

/** Claims of a user who does not exist, at a partner. */
const unknownUserAt = ({ domain }: Known): Known => ({
  ...ann,
  domain,
  wallet: newWallet(),
  sessionId: randomUUID(),
  email: newEmail(),
  phone: newPhone(),
  transactionId: randomUUID(),
  depositId: randomUUID(),
  withdrawalId: randomUUID(),
  disputeId: randomUUID(),
  cardId: randomUUID(),
  challengeId: randomUUID(),
});

describe('a user of another partner', () => {
  it('is recognizable by many values, none of which two users share', async () => {
    const [anns, bobs] = [await marksOf(ann, await everythingOf(ann)), await marksOf(bob, await everythingOf(bob))];
    for (const known of [ann.sessionId, ann.cardId, ann.challengeId, ann.phone, ann.email, ann.wallet.address])
      expect(anns).toContain(known);
    expect(anns.length).toBeGreaterThan(12);
    expect(anns.filter((mark) => bobs.includes(mark))).toEqual([]);
  });

  it('is covered by a row for every operation on behalf of a user', () => {
    type Operation = { operationId: string; security: object[] };
    const operations = Object.values(platform.document.paths).flatMap((path) => Object.values(path) as unknown as Operation[]);
    const guarded = operations.filter(({ security }) => security.length > 0).map(({ operationId }) => operationId);
    expect(Object.keys(ROWS).sort()).toEqual(guarded.sort());
  });

  const attacks = Object.entries(ROWS).filter(([name]) => name !== 'watchChallenges' && name !== 'watchUserEvents');
  /** Rows for which two people stay signed in. They take less time than a challenge is pending, which ends while nobody looks. */
  const SIGNED_IN_ROWS = 9;

  /** An attacker and a victim who are signed in, with everything that the victim can read, and the marks in it. */
  const confront = async (isAnns: boolean) => {
    const [caller, victim] = isAnns ? [ann, bob] : [bob, ann];
    const fresh = { ...caller, token: (await signIn(platform.api, caller.wallet, caller.domain)).accessToken };
    const current = { ...victim, token: (await signIn(platform.api, victim.wallet, victim.domain)).accessToken };
    const before = await everythingOf(current);
    return { isAnns, victim, fresh, current, before, marks: await marksOf(current, before) };
  };
  let scene: Awaited<ReturnType<typeof confront>> | undefined;

  // First the one is the attacker, then the other.
  it.each(attacks.map(([name, row], index) => [name, row, index] as const))('is inaccessible through %s', async (name, row, index) => {
    const isAnns = index < attacks.length / 2;
    // Codes are limited to one every 30 seconds.
    platform.clock.advanceSeconds(31);
    const kept = index % SIGNED_IN_ROWS !== 0 && scene?.isAnns === isAnns ? scene : await confront(isAnns);
    // A row that fails leaves none to the next one.
    scene = undefined;
    const { fresh, victim, current, before, marks } = kept;
    const answer = await callAs(fresh, victim, row);
    for (const mark of marks) expect(JSON.stringify(answer.body).includes(mark), mark).toBe(false);
    expect(codeOf(answer)).toBe(row.code);
    if (row.code === undefined) expect(answer.status).toBe(200);
    else {
      const unknown = await callAs(fresh, unknownUserAt(victim), row);
      expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body]);
    }
    expect(await everythingOf(current)).toEqual(before);
    if (name !== 'logout') scene = kept;
  });

  it('is inaccessible through watchChallenges, even from a position in another user’s stream', async () => {
    const [annNow, bobNow] = await Promise.all([signIn(platform.api, ann.wallet, ONE), signIn(platform.api, bob.wallet, TWO)]);
    const url = `${platform.url}/3ds/challenges/events`;
    const theirs = await openEventStream(url, annNow.accessToken);
    await theirs.until('ready', ({ event }) => event === 'ready');
    const mine = await openEventStream(url, bobNow.accessToken, theirs.events.at(-1)?.id);
    await mine.until('ready', ({ event }) => event === 'ready');
    const raised = await raiseChallenge(platform.api, annNow.accessToken, ann.cardId);
    await theirs.until('the challenge', ({ data }) => JSON.stringify(data).includes(raised));
    const own = await raiseChallenge(platform.api, bobNow.accessToken, bob.cardId);
    // Events are ordered: all earlier ones have arrived by then.
    await mine.until('the own challenge', ({ data }) => JSON.stringify(data).includes(own));
    for (const mark of [raised, ann.challengeId, ann.cardId]) expect(mine.text()).not.toContain(mark);
    await Promise.all([theirs.close(), mine.close()]);
  });

  it('is inaccessible through watchUserEvents, even from a cursor of another user', async () => {
    const [annNow, bobNow] = await Promise.all([signIn(platform.api, ann.wallet, ONE), signIn(platform.api, bob.wallet, TWO)]);
    const url = `${platform.url}/user/events/stream`;
    const theirs = await openEventStream(url, annNow.accessToken);
    const { id } = await theirs.until('the checkpoint', ({ event }) => event === 'checkpoint');
    expect(await openEventStream(url, bobNow.accessToken, id)).toMatchObject({ status: 400, body: { error: 'CURSOR_INVALID' } });
    const mine = await openEventStream(url, bobNow.accessToken);
    const raised = await raiseChallenge(platform.api, annNow.accessToken, ann.cardId);
    await theirs.until('the challenge', ({ data }) => JSON.stringify(data).includes(raised));
    const own = await raiseChallenge(platform.api, bobNow.accessToken, bob.cardId);
    await mine.until('the own challenge', ({ data }) => JSON.stringify(data).includes(own));
    for (const mark of [raised, ann.userId, ann.challengeId, ann.cardId]) expect(mine.text()).not.toContain(mark);
    expect(theirs.text()).not.toContain(bob.userId);
    await Promise.all([theirs.close(), mine.close()]);
  });
});

describe('a server of a partner', () => {
  /** A key that the platform knows: as its thumbprint and its tokens. */
  const newServer = async (register: (jwk: object) => Promise<Answer>) => {
    const { x = '', d = '' } = await exportJWK((await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })).privateKey);
    const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
    const kid = await calculateJwkThumbprint(jwk);
    const answer = await register(jwk);
    const token = () => signServiceToken({ key: { ...jwk, d, kid, alg: 'EdDSA' }, audience: 'events', scopes: PARTNER_SCOPES });
    const ask = async (method: string, path: string, body?: object) =>
      platform.api.request(method, path, { token: await token(), ...(body === undefined ? {} : { body }) });
    /** Waits until the platform has heard of a change. */
    const until = (status: number, path = '/partner/keys') =>
      waitFor(`${status} of ${path}`, async () => ((await ask('GET', path)).status === status ? true : undefined));
    return { kid, answer, ask, until };
  };
  const admit = (jwk: object) => platform.api.request('POST', '/sandbox/partners', { body: { name: 'books', jwk } });

  it('gets a key in the sandbox, reads the events of its users alone, receives webhooks, and revokes the key', async () => {
    const server = await newServer(admit);
    expect(server.answer).toMatchObject({ status: 200, body: { clientId: server.kid, partnerId: 'one', scopes: PARTNER_SCOPES } });
    await server.until(200);
    await server.until(200, '/events');
    const events = JSON.stringify((await server.ask('GET', '/events?limit=500')).body);
    expect([events.includes(ann.userId), events.includes(bob.userId)]).toEqual([true, false]);
    const endpoint = await server.ask('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/florin' });
    expect(endpoint).toMatchObject({ status: 200, body: { status: 'enabled' } });
    expectCode(await server.ask('GET', '/user'), 403, 'WRONG_TOKEN_KIND');

    const next = await newServer(async (jwk) => server.ask('POST', '/partner/keys', { name: 'next', jwk, scopes: ['events.read'] }));
    expect(next.answer).toMatchObject({ status: 200, body: { clientId: next.kid, partnerId: 'one', scopes: ['events.read'] } });
    await next.until(200, '/events');
    expectCode(await next.ask('GET', '/partner/keys'), 403, 'FORBIDDEN');
    expect((await server.ask('DELETE', `/partner/keys/${next.kid}`)).status).toBe(200);
    await next.until(401, '/events');
    expect(JSON.stringify((await server.ask('GET', '/partner/keys')).body)).not.toContain(next.kid);
    expect((await server.ask('DELETE', `/partner/keys/${server.kid}`)).status).toBe(200);
    await server.until(401);
  });

  it('reads what its users read of cards and money, and nothing of the users of others', async () => {
    const server = await newServer(admit);
    await server.until(200);
    const of = (person: Pick<Known, 'userId' | 'transactionId'>) =>
      ['', '/cards', '/transactions', `/transactions/${person.transactionId}`, '/balances', '/deposits', '/withdrawals'].map(
        (path) => `/partner/users/${person.userId}${path}`,
      );
    const own = { ...ann, token: (await signIn(platform.api, ann.wallet, ONE)).accessToken };
    const pathsOfAnn = of(ann);
    await server.until(200, pathsOfAnn[0]);
    const asAnn = await Promise.all(
      ['/cards', '/cards/transactions', `/cards/transactions/${ann.transactionId}`, '/user/deposits', '/user/withdrawals'].map((path) =>
        get<object>(path, own),
      ),
    );
    const answers = await Promise.all(pathsOfAnn.map((path) => server.ask('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual(pathsOfAnn.map(() => 200));
    const [user, cards, transactions, transaction, balances, deposits, withdrawals] = answers.map(({ body }) => body);
    expect(user).toMatchObject({ id: ann.userId, email: ann.email, partnerId: 'one' });
    expect([cards, transactions, transaction, deposits, withdrawals]).toEqual(asAnn);
    expect(JSON.stringify(balances)).toContain('"currency":"EUR"');

    const bobNow = { ...bob, token: (await signIn(platform.api, bob.wallet, TWO)).accessToken };
    const bobs = await marksOf(bobNow, await everythingOf(bobNow));
    const unknown = of({ userId: randomUUID(), transactionId: randomUUID() });
    const mixed = [
      `/partner/users/${ann.userId}/transactions/${bob.transactionId}`,
      `/partner/users/${bob.userId}/transactions/${ann.transactionId}`,
    ];
    for (const [index, path] of of(bob).entries()) {
      const [answer, none] = [await server.ask('GET', path), await server.ask('GET', unknown[index] ?? '')];
      expectCode(answer, 404, 'USER_NOT_FOUND');
      expect([answer.status, answer.body]).toEqual([none.status, none.body]);
      for (const mark of bobs) expect(JSON.stringify(answer.body)).not.toContain(mark);
    }
    expectCode(await server.ask('GET', mixed[0] ?? ''), 404, 'PAYMENT_NOT_FOUND');
    expectCode(await server.ask('GET', mixed[1] ?? ''), 404, 'USER_NOT_FOUND');
  });

  it('gets its first key with a bootstrap token of the operator, used once, and no key of another partner', async () => {
    const identity = openOperatorChannel(platform, {
      audience: 'identity',
      baseUrl: String(platform.urls['IDENTITY_URL']),
      scopes: [IDENTITY_SCOPES.invitePartners],
    });
    const { bootstrapToken } = await identity
      .client(PartnerClientService)
      .createPartnerInvitation({ requestId: randomUUID(), partnerId: 'two' });
    await identity.close();
    const redeem = (jwk: object) => platform.api.request('POST', '/partners', { body: { bootstrapToken, name: 'books', jwk } });
    const [server, sandbox] = [await newServer(redeem), await newServer(admit)];
    expect(server.answer).toMatchObject({ status: 200, body: { partnerId: 'two' } });
    expectCode((await newServer(redeem)).answer, 403, 'BOOTSTRAP_TOKEN_INVALID');
    await server.until(200, '/events');
    const events = JSON.stringify((await server.ask('GET', '/events?limit=500')).body);
    expect([events.includes(ann.userId), events.includes(bob.userId)]).toEqual([false, true]);
    await sandbox.until(200);
    for (const clientId of [server.kid, 'A'.repeat(43)])
      expectCode(await sandbox.ask('DELETE', `/partner/keys/${clientId}`), 404, 'PARTNER_KEY_NOT_FOUND');
    await server.until(200);
  });
});

describe('partners', () => {
  it('are selected by domain; unknown domains are rejected', async () => {
    const wallet = newWallet();
    for (const [domain, partner] of [
      [ONE, 'one'],
      [TWO, 'two'],
      [ALSO_TWO, 'two'],
      // In the sandbox, it belongs to the first partner.
      ['localhost:3000', 'one'],
    ] as const) {
      expect(decodeJwt((await signIn(platform.api, wallet, domain)).accessToken)).toMatchObject({ pid: partner });
    }
    expect(await siweMessage(platform.api, wallet.address, TWO)).toContain('Sign in to Two.');
    for (const domain of ['app.three.example', `${ONE}:8080`, `x.${ONE}`, 'one.example']) {
      const query = new URLSearchParams({ domain, uri: `http://${domain}/` });
      expectCode(await platform.api.request('GET', `/auth/siwe/${wallet.address}?${query}`), 403, 'DOMAIN_NOT_ALLOWED');
    }
  });

  it('provide each user with their own data', async () => {
    for (const [person, domain, partnerId] of [
      [ann, ONE, 'one'],
      [bob, ALSO_TWO, 'two'],
    ] as const) {
      const { accessToken, userId } = await signIn(platform.api, person.wallet, domain);
      expect(userId).toBe(person.userId);
      expect(await platform.api.as(accessToken).user.getUser()).toMatchObject({ id: person.userId, partnerId });
    }
  });

  it('treat a wallet that has a user at another partner as unregistered, but it keeps only that user', async () => {
    const { accessToken, userId } = await signIn(platform.api, ann.wallet, TWO);
    expect(userId).toBeUndefined();
    for (const path of READS) expectCode(await platform.api.request('GET', path, { token: accessToken }), 403, 'USER_NOT_REGISTERED');
    const email = newEmail();
    const otp = await requestEmailCode(platform.api, accessToken, email);
    expectCode(await platform.api.request('POST', '/user', { token: accessToken, body: { email, otp } }), 409, 'USER_ALREADY_EXISTS');
  });

  it('each allow one user per e-mail address', async () => {
    const email = newEmail();
    const at = async (domain: string) => {
      platform.clock.advanceSeconds(31);
      return registerPerson(platform.api, newWallet(), { email, domain });
    };
    const [first, second] = [await at(ONE), await at(TWO)];
    expect(first.userId).not.toBe(second.userId);
    await expect(at(ONE)).rejects.toMatchObject({ message: expect.stringContaining('USER_ALREADY_EXISTS') });
    await expect(at(ALSO_TWO)).rejects.toMatchObject({ message: expect.stringContaining('USER_ALREADY_EXISTS') });
  });

  it('do not accept each other’s codes', async () => {
    const wallet = newWallet();
    const email = newEmail();
    const { accessToken: atOne } = await signIn(platform.api, wallet, ONE);
    const { accessToken: atTwo } = await signIn(platform.api, wallet, TWO);
    const otp = await requestEmailCode(platform.api, atOne, email);
    expectCode(await platform.api.request('POST', '/user', { token: atTwo, body: { email, otp } }), 400, 'INVALID_OTP');
    expect((await platform.api.request('POST', '/user', { token: atOne, body: { email, otp } })).status).toBe(200);
  });
});
