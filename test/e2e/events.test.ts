import { FeedService } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, decide, newPhone, type Person, raiseChallenge, registerPerson } from '../support/story.ts';

/** Enough on a machine with other work. */
const LONG_MS = 120_000;

let platform: PlatformInProcess;
let channel: RpcChannel;
let network: CardNetwork;
let person: Person;
let cardId: string;

beforeAll(async () => {
  platform = await startPlatformInProcess({}, { events: {} });
  const key = serviceKeySchema.parse(platform.operatorKey);
  const serviceToken = createServiceTokenSource({ key, audience: 'events', scopes: [EVENTS_SCOPES.read] });
  channel = createRpcChannel({ baseUrl: platform.urls['EVENTS_URL'] ?? '', serviceToken });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  const { api } = platform;
  person = await registerPerson(api);
  const { token } = person;
  cardId = await createCard(api, token, { cardName: 'Everyday', phone: newPhone() });
  for (const [kind, amount] of [
    ['deposits', `100${'0'.repeat(18)}`],
    ['withdrawals', `1${'0'.repeat(18)}`],
  ])
    await api.call('POST', `/sandbox/${kind}`, { token, body: { token: 'EURe', amount } });
  await decide(api, person, await raiseChallenge(api, token, cardId), 'approve');
  const payment = network.payment(cardId);
  expect(await payment.authorize(100)).toMatchObject({ approved: true });
  await payment.clear(100);
  await api.call('POST', `/cards/${cardId}/freeze`, { token, body: {} });
}, LONG_MS);
afterAll(async () => {
  await network?.close();
  await channel?.close();
  await platform?.close();
});

/** What the person's story leaves in the partner's feed. */
const STORY = [
  ...['account.opened', 'user.registered', 'cardholder.created', 'card.issued', 'card.frozen'],
  ...['deposit.seen', 'deposit.approved', 'withdrawal.created', 'withdrawal.completed'],
  ...['challenge.created', 'challenge.decided', 'challenge.approved'],
  ...['payment.authorized', 'payment.cleared', 'hold.created', 'hold.posted'],
];

const partnerFeed = () => channel.client(FeedService).listEvents({ partnerId: 'florin', limit: 500 });

describe('the feed of a partner', { timeout: LONG_MS }, () => {
  it('tells the whole story of a person, complete and without personal data', async () => {
    const { events, checkpoint } = await waitFor(
      'the story',
      async () => {
        const page = await partnerFeed();
        const types = new Set(page.events.map(({ type }) => type));
        return STORY.every((type) => types.has(type)) ? page : undefined;
      },
      LONG_MS,
    );
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => BigInt(index + 1)));
    expect(events.map(({ previousSequence }) => previousSequence)).toEqual(events.map((_event, index) => BigInt(index)));
    expect(checkpoint?.sequence).toBe(BigInt(events.length));
    const subjects = Map.groupBy(events, ({ subject }) => subject);
    for (const ofSubject of subjects.values()) {
      expect(ofSubject.map(({ subjectSequence }) => subjectSequence)).toEqual(ofSubject.map((_event, index) => BigInt(index + 1)));
    }
    const text = JSON.stringify(events.map(({ dataJson }) => dataJson)).toLowerCase();
    for (const secret of [person.email, person.wallet.address]) expect(text).not.toContain(secret.toLowerCase());
  });
});
