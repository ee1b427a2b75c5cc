import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from '@connectrpc/connect';
import { AuthenticationExemption, AuthenticationResult, CheckResult, EntryMode } from '@florin/proto/card/v1/payment';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, CORRECT_PIN, connectCardNetwork, SHOP } from '../support/card-network.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, PAYMENT, raiseChallenge, registerPerson } from '../support/story.ts';

const THRESHOLD = 3000;
/** The approved amount. */
const APPROVED = Number(PAYMENT.amount);

let platform: PlatformInProcess;
let network: CardNetwork;
let acs: Client<typeof ChallengeService>;
let closeAcs: () => Promise<void>;

beforeAll(async () => {
  const exemptions = {
    ...{ recurring: {}, merchant_initiated: {}, transaction_risk: { upTo: String(2 * THRESHOLD) } },
    ...{ challenged: { clients: ['operator'] }, frictionless: { upTo: '100000', clients: ['another'] } },
  };
  const program = { authenticationFrom: String(THRESHOLD), exemptions };
  platform = await startPlatformInProcess({ CARD_PROGRAM: JSON.stringify(program), AUTHORIZATION_DEADLINE_MS: '5000' });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  const channel = openOperatorChannel(platform, {
    ...{ audience: 'threeds', baseUrl: platform.urls['THREEDS_URL'], scopes: [THREEDS_SCOPES.writeChallenges] },
  });
  acs = channel.client(ChallengeService);
  closeAcs = channel.close;
});
afterAll(async () => {
  await closeAcs?.();
  await network?.close();
  await platform?.close();
});

const holder = async (balance = 10_000) => {
  const person = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, person.token);
  const deposit = (amount: number) =>
    platform.api.as(person.token).sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(amount) * 10n ** 16n}` });
  if (balance > 0) await deposit(balance);
  const approve = async () => {
    const challengeId = await raiseChallenge(platform.api, person.token, cardId);
    await decide(platform.api, person, challengeId, 'approve');
    return { challengeId, eci: '05' };
  };
  const another = () => network.payment(cardId);
  return { person, payment: another(), another, approve, deposit };
};

const approvedOf = (decisions: readonly ({ approved: boolean } | undefined)[]) => decisions.filter((decision) => decision?.approved).length;

const required = { approved: false, declineReason: { code: 'authentication_required' } };

describe('an online payment that comes in parts', () => {
  it('needs an authentication from the threshold on', async () => {
    const { payment } = await holder();
    expect(await payment.authorize(THRESHOLD - 1000)).toMatchObject({ approved: true });
    expect(await payment.increment(999)).toMatchObject({ approved: true });
    expect(await payment.increment(1)).toMatchObject(required);
  });

  it('is covered by its authentication up to the approved amount', async () => {
    const { payment, approve } = await holder();
    expect(await payment.authorize(APPROVED - 1000, { authentication: await approve() })).toMatchObject({ approved: true });
    expect(await payment.increment(1001)).toMatchObject(required);
    expect(await payment.increment(1000)).toMatchObject({ approved: true });
    expect(await payment.increment(1)).toMatchObject(required);
  });
});

describe('increments that come at once', () => {
  it('are covered together up to the approved amount', async () => {
    const { payment, approve } = await holder();
    expect(await payment.authorize(APPROVED - 1000, { authentication: await approve() })).toMatchObject({ approved: true });
    const decisions = await Promise.all(Array.from({ length: 6 }, () => payment.increment(400)));
    // On a slow machine some of them time out.
    const approved = approvedOf(decisions);
    expect(approved).toBeLessThanOrEqual(2);
    expect(await payment.increment(1000 - 400 * approved)).toMatchObject({ approved: true });
    expect(await payment.increment(1)).toMatchObject(required);
  });

  it('stay below the threshold together without an authentication', async () => {
    const { payment } = await holder();
    expect(await payment.authorize(THRESHOLD - 1000)).toMatchObject({ approved: true });
    const decisions = await Promise.all(Array.from({ length: 6 }, () => payment.increment(400)));
    expect(approvedOf(decisions)).toBeLessThanOrEqual(2);
  });
});

describe('an approval', () => {
  it('is given back by a payment that is declined, and is used by the one that is approved', async () => {
    const { payment, another, approve, deposit } = await holder(0);
    const authentication = await approve();
    const declined = { approved: false, declineReason: { code: 'insufficient_funds' } };
    expect(await payment.authorize(APPROVED, { authentication })).toMatchObject(declined);
    await deposit(2 * APPROVED);
    const retry = async () => (await another().authorize(APPROVED, { authentication })).approved;
    // The approval that the declined payment has used up is given back after its answer.
    await expect.poll(retry, { timeout: 20_000, interval: 50 }).toBe(true);
    expect(await another().authorize(APPROVED, { authentication })).toMatchObject({
      approved: false,
      declineReason: { code: 'authentication_invalid' },
    });
  });

  it('is used by one of many payments at once', async () => {
    const { another, approve } = await holder();
    const authentication = await approve();
    const decisions = await Promise.all(Array.from({ length: 8 }, () => another().authorize(1000, { authentication })));
    expect(decisions.filter(({ approved }) => approved)).toHaveLength(1);
  });

  it('is given back with an authorization that the bridge undoes', async () => {
    const { payment, another, approve } = await holder();
    const authentication = await approve();
    const event = payment.event();
    expect(await payment.authorize(APPROVED, { event, authentication })).toMatchObject({ approved: true });
    await payment.undo(event);
    const retry = async () => (await another().authorize(APPROVED, { authentication })).approved;
    await expect.poll(retry, { timeout: 20_000, interval: 50 }).toBe(true);
  });

  it('stays used when the payment that has used it is reversed', async () => {
    const { payment, another, approve } = await holder();
    const authentication = await approve();
    expect(await payment.authorize(APPROVED, { authentication })).toMatchObject({ approved: true });
    await payment.reverse();
    expect(await another().authorize(APPROVED, { authentication })).toMatchObject({ approved: false });
  });
});

describe('payments below the threshold', () => {
  const { ECOMMERCE, MANUAL, UNSPECIFIED, CHIP, MERCHANT_INITIATED } = EntryMode;

  it('are five in a row without an authentication, however the card is entered, and any number after the next one', async () => {
    const { another, approve } = await holder();
    for (const entryMode of [ECOMMERCE, MANUAL, UNSPECIFIED, ECOMMERCE, MANUAL]) {
      expect(await another().authorize(100, { entryMode })).toMatchObject({ approved: true });
    }
    for (const entryMode of [ECOMMERCE, MANUAL, UNSPECIFIED]) expect(await another().authorize(100, { entryMode })).toMatchObject(required);
    expect(await another().authorize(100, { entryMode: CHIP })).toMatchObject({ approved: true });
    expect(await another().authorize(100, { entryMode: MERCHANT_INITIATED })).toMatchObject(required);
    expect(await another().authorize(1000, { authentication: await approve() })).toMatchObject({ approved: true });
    expect(await another().authorize(100)).toMatchObject({ approved: true });
  });

  it('amount to at most 100.00 without one, also with their increments and when they come at once', async () => {
    const { another } = await holder(20_000);
    const decisions = await Promise.all(Array.from({ length: 6 }, () => another().authorize(2900)));
    // On a slow machine some of them time out.
    expect(approvedOf(decisions)).toBeLessThanOrEqual(3);
    const { payment, another: next } = await holder(20_000);
    expect(await payment.authorize(2000)).toMatchObject({ approved: true });
    for (let more = 0; more < 2; more += 1) expect(await next().authorize(2900)).toMatchObject({ approved: true });
    expect(await next().authorize(2201)).toMatchObject(required);
    expect(await payment.increment(900)).toMatchObject({ approved: true });
    expect(await next().authorize(1301)).toMatchObject(required);
    expect(await next().authorize(1300)).toMatchObject({ approved: true });
  });

  it('at a terminal need the PIN or the verification by a device above 50.00', async () => {
    const { another } = await holder(20_000);
    const tap = (amount: number, checks = {}) => another().authorize(amount, { entryMode: EntryMode.CONTACTLESS, checks });
    expect(await tap(5001)).toMatchObject({ declineReason: { code: 'contactless_limit_exceeded' } });
    for (const checks of [CORRECT_PIN, { deviceVerification: CheckResult.CORRECT }]) {
      expect(await tap(5001, checks)).toMatchObject({ approved: true });
    }
    expect(await tap(5000)).toMatchObject({ approved: true });
  });

  it.each([MANUAL, UNSPECIFIED])('and from it on need an authentication with entry mode %d', async (entryMode) => {
    const { payment } = await holder();
    expect(await payment.authorize(THRESHOLD, { entryMode })).toMatchObject(required);
  });
});

describe('an approval that is named by what an authorization has of it', () => {
  /** The cardholder approves what another access control server has raised; it makes the value afterwards. */
  const approvedBy = async (more: object) => {
    const holding = await holder(50_000);
    const { person, payment } = holding;
    const [reference, dsTransactionId] = [randomUUID(), randomUUID()];
    const authenticationValue = randomBytes(20).toString('base64');
    const { challenge } = await acs.createChallenge({ cardId: payment.cardId, reference, dsTransactionId, confirmsLater: true, ...more });
    const challengeId = challenge?.id ?? '';
    await decide(platform.api, person, challengeId, 'approve');
    await acs.acknowledgeDecision({ challengeId, authenticationValue });
    return { ...holding, challengeId, names: { acsTransactionId: reference, dsTransactionId, authenticationValue } };
  };

  it.each(['acsTransactionId', 'dsTransactionId', 'authenticationValue'] as const)('by %s is used once', async (name) => {
    const { payment, another, names, challengeId } = await approvedBy({ amount: '5000', currency: 'EUR', decimals: 2 });
    const authentication = { [name]: names[name], eci: '05' };
    const event = payment.event();
    expect(await payment.authorize(5000, { event, authentication })).toMatchObject({ approved: true });
    expect(await payment.authorize(5000, { event, authentication })).toMatchObject({ approved: true });
    expect(await another().authorize(5000, { authentication })).toMatchObject({ declineReason: { code: 'authentication_invalid' } });
    const { payments } = await network.payments.findPaymentsByReference({ reference: payment.transactionId });
    expect(payments[0]).toMatchObject({ challengeId });
    expect(await another().authorize(5000, { authentication: { dsTransactionId: randomUUID() } })).toMatchObject(required);
  });

  it('without a payment verifies the card, from which the merchant’s payments follow', async () => {
    const { payment, another, names } = await approvedBy({});
    const transactionId = randomUUID();
    const authentication = { dsTransactionId: names.dsTransactionId };
    const charge = () => {
      const next = another();
      const event = next.event({ network: { originalTransactionId: transactionId } });
      return next.authorize(THRESHOLD, { event, entryMode: EntryMode.MERCHANT_INITIATED });
    };
    expect(await charge()).toMatchObject(required);
    expect(await another().authorize(THRESHOLD, { authentication })).toMatchObject({ declineReason: { code: 'authentication_invalid' } });
    const verification = { event: payment.event({ network: { transactionId } }), merchant: SHOP, entryMode: EntryMode.ECOMMERCE };
    // The approval that the declined payment has used up is given back after its answer.
    const verify = async () => {
      const repeat = another();
      const event = repeat.event({ network: { transactionId } });
      return (await network.processor.verify({ ...verification, event, authentication })).decision?.approved;
    };
    await expect.poll(verify, { timeout: 20_000, interval: 50 }).toBe(true);
    expect(await charge()).toMatchObject({ approved: true });
  });
});

describe('a claim in place of a challenge', () => {
  const { ECOMMERCE, MERCHANT_INITIATED } = EntryMode;
  const checks = { authenticationValue: CheckResult.CORRECT };
  const byOther = (result: AuthenticationResult) => ({ authentication: { challengeId: '', eci: '05', result }, checks });

  it('is accepted as far as the program names it, and a refused one is told to authenticate', async () => {
    const { payment, another } = await holder(50_000);
    const risk = { exemption: AuthenticationExemption.TRANSACTION_RISK };
    expect(await payment.authorize(THRESHOLD, risk)).toMatchObject({ approved: true });
    expect(await payment.increment(THRESHOLD)).toMatchObject({ approved: true });
    expect(await payment.increment(1)).toMatchObject({ ...required, responseCode: '1A' });
    expect(await another().authorize(2 * THRESHOLD + 1, risk)).toMatchObject({ ...required, responseCode: '1A' });
    expect(await another().authorize(THRESHOLD, { exemption: AuthenticationExemption.DELEGATED })).toMatchObject(required);
    expect(await another().authorize(THRESHOLD, byOther(AuthenticationResult.FRICTIONLESS))).toMatchObject(required);
    const { payments } = await network.payments.findPaymentsByReference({ reference: payment.transactionId });
    const { payment: read } = await network.payments.getPayment({ paymentId: payments[0]?.id ?? '' });
    expect(read?.events[0]).toMatchObject({ authenticationClaims: ['transaction_risk'], acceptedClaim: 'transaction_risk' });
  });

  it('that others have challenged the cardholder needs their value, and ends the row of payments', async () => {
    const { another } = await holder(50_000);
    for (let paid = 0; paid < 5; paid += 1) expect(await another().authorize(100)).toMatchObject({ approved: true });
    expect(await another().authorize(100)).toMatchObject(required);
    const challenged = byOther(AuthenticationResult.CHALLENGED);
    expect(await another().authorize(THRESHOLD, { ...challenged, checks: {} })).toMatchObject(required);
    const wrong = { authenticationValue: CheckResult.INCORRECT };
    expect(await another().authorize(100, { ...challenged, checks: wrong })).toMatchObject({
      ...{ approved: false, declineReason: { code: 'authentication_invalid' } },
    });
    expect(await another().authorize(THRESHOLD, challenged)).toMatchObject({ approved: true });
    expect(await another().authorize(100)).toMatchObject({ approved: true });
  });

  it('that the merchant initiates a payment needs the original, and is carried on by what follows from it', async () => {
    const { another, approve } = await holder(50_000);
    const by = (transactionId: string, originalTransactionId = '') => ({ network: { transactionId, originalTransactionId } });
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    const charge = (amount: number, network: object, more: object = { entryMode: MERCHANT_INITIATED }) => {
      const payment = another();
      return payment.authorize(amount, { event: payment.event(network), ...more });
    };
    const original = await charge(THRESHOLD, by(first), { entryMode: ECOMMERCE, authentication: await approve() });
    expect(original).toMatchObject({ approved: true });
    expect(await charge(THRESHOLD, {})).toMatchObject(required);
    expect(await charge(THRESHOLD, by('', 'unknown'))).toMatchObject(required);
    expect(await charge(THRESHOLD + 1, by(second, first))).toMatchObject({ approved: true });
    expect(await charge(THRESHOLD + 2, by(third, second))).toMatchObject({ approved: true });
    const recurring = { exemption: AuthenticationExemption.RECURRING };
    expect(await charge(THRESHOLD, by('', first), recurring)).toMatchObject({ approved: true });
    expect(await charge(THRESHOLD + 1, by('', first), recurring)).toMatchObject(required);
  });
});

describe('cash and the balance', () => {
  const pinRequired = { approved: false, responseCode: '55', declineReason: { code: 'pin_required' } };

  it('need the verdict that the PIN is correct', async () => {
    const { another } = await holder();
    for (const checks of [{}, { cryptogram: CheckResult.CORRECT }]) {
      expect(await another().authorize(1000, { atm: true, entryMode: EntryMode.CHIP, checks })).toMatchObject(pinRequired);
    }
    expect(await another().authorize(1000, { atm: true })).toMatchObject({ approved: true });
    const inquire = (more: object) => network.processor.inquireBalance({ event: another().event(), merchant: SHOP, ...more });
    expect(await inquire({})).toMatchObject({ decision: pinRequired, available: '' });
    expect(await inquire({ checks: CORRECT_PIN })).toMatchObject({ decision: { approved: true }, available: '9000' });
  });
});

// Last, because it moves the clock of the platform.
describe('an approval of long ago', () => {
  it('authenticates no payment', async () => {
    const { payment, approve } = await holder();
    const authentication = await approve();
    platform.clock.advanceSeconds(91 * 86_400);
    expect(await payment.authorize(APPROVED, { authentication })).toMatchObject({
      approved: false,
      declineReason: { code: 'authentication_invalid' },
    });
  });
});
