import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, PAYMENT, raiseChallenge, registerPerson } from '../support/story.ts';

const THRESHOLD = 3000;
/** What the cardholder approves. */
const APPROVED = Number(PAYMENT.amount);

let platform: PlatformInProcess;
let network: CardNetwork;

beforeAll(async () => {
  const program = { authenticationFrom: String(THRESHOLD) };
  platform = await startPlatformInProcess({ CARD_PROGRAM: JSON.stringify(program), AUTHORIZATION_DEADLINE_MS: '3000' });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

const holder = async () => {
  const person = await registerPerson(platform.api);
  const cardId = await createCard(platform.api, person.token);
  await platform.api.call('POST', '/sandbox/deposits', { token: person.token, body: { token: 'EURe', amount: `${100n * 10n ** 18n}` } });
  const approve = async () => {
    const challengeId = await raiseChallenge(platform.api, person.token, cardId);
    await decide(platform.api, person, challengeId, 'approve');
    return { challengeId, eci: '05' };
  };
  return { payment: network.payment(cardId), approve };
};

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
