import { FeedService } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { createServiceTokenSource, serviceKeySchema } from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { waitFor } from '@florin/rpc/testing';
import { isEvent } from '@florin/webhooks';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
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
  await api.as(token).cards.freezeCard({ cardId });
}, LONG_MS);
afterAll(async () => {
  await network?.close();
  await channel?.close();
  await platform?.close();
});

/** The events of the person's story in the partner's feed. */
const STORY = [
  ...['account.opened', 'user.registered', 'cardholder.created', 'card.issued', 'card.frozen'],
  ...['deposit.seen', 'deposit.approved', 'withdrawal.created', 'withdrawal.completed'],
  ...['challenge.created', 'challenge.decided', 'challenge.approved'],
  ...['payment.authorized', 'payment.cleared', 'hold.created', 'hold.posted'],
];

type Webhooks = { webhooks: Record<string, unknown> };

const pathOf = (type: string): string =>
  ['webhooks', type, 'post', 'requestBody', 'content', 'application~1json', 'schema'].map(encodeURIComponent).join('/');

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

  it('is what the person reads and, with the endpoint, what the document says of webhooks', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addSchema({ $id: 'openapi', ...platform.document });
    const { webhooks } = platform.document as unknown as Webhooks;
    const { events } = await partnerFeed();
    const own = await platform.api.as(person.token).events.listUserEvents({ limit: 500 });
    // Nobody else is at this partner, and the feed may have grown.
    expect(own.data.slice(0, events.length).map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    for (const event of own.data) {
      expect(isEvent(event)).toBe(true);
      expect(Object.keys(webhooks)).toContain(event.type);
      const validate = ajv.compile({ $ref: `openapi#/${pathOf(event.type)}` });
      expect(validate({ ...event, endpointId: event.id }), `${event.type}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });
});
