import { createHmac, createPublicKey, verify } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { WebhookDisabledReason, WebhookEndpointStatus } from '@florin/proto/events/v1/webhook_endpoint';
import type { Mail } from '@florin/rpc/mail';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Received, type Receiver, startReceiver } from '../testing/receiver.ts';
import { createWorld, type Events, newId, type World } from '../testing/world.ts';

/** Enough on a machine with other work. */
const LONG = { timeout: 120_000 };
const SECONDS_OF_DAY = 24 * 60 * 60;

let world: World;
let events: Events;
const receivers: Receiver[] = [];
const mails: Mail[] = [];

/** The deliverer's stopwatch. */
const PROCESS_TIME = () => performance.now();
let stopwatch = PROCESS_TIME;

beforeAll(async () => {
  world = await createWorld({ FOLLOW_JOURNAL: 'false', WEBHOOKS_ALLOW_LOOPBACK: 'true' });
  events = await world.start();
  await world.startDeliverer({
    sendMail: async (mail) => {
      mails.push(mail);
    },
    stopwatch: () => stopwatch(),
  });
});
beforeEach(() => events.renewTokens());
afterAll(async () => {
  await world.close();
  // Not before: a later receiver could get the port of an earlier one, and with it what is parked there.
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

const newReceiver = async (): Promise<Receiver> => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
};

/** A partner with one endpoint and one user, and a receiver behind the endpoint. */
const newScene = async (settings: { types?: string[] } = {}) => {
  const partnerId = `p-${newId().slice(-12)}`;
  const receiver = await newReceiver();
  const user = world.newUser(partnerId);
  const request = { requestId: newId(), partnerId, url: receiver.url, contactEmail: `${partnerId}@acme.com`, ...settings };
  const { endpoint, secret } = await events.webhooks.createWebhookEndpoint(request, events.backOffice);
  const named = { endpointId: endpoint?.id ?? '', partnerId };
  return {
    partnerId,
    receiver,
    secret,
    named,
    /** Appends changes of cards, in the order of the list; those of one card are numbered. */
    append: async (cards: readonly string[], first = 1) => {
      const counts = new Map<string, number>();
      const batch = cards.map((card) => {
        const count = (counts.get(card) ?? first - 1) + 1;
        counts.set(card, count);
        return world.cardEvent(user, card, count);
      });
      await events.feed.appendEvents({ events: batch }, events.card);
    },
    find: async () => (await events.webhooks.getWebhookEndpoint(named, events.backOffice)).endpoint,
    attempts: async (sequence = 0n) => (await events.webhooks.listWebhookAttempts({ ...named, sequence }, events.backOffice)).attempts,
  };
};

const sequencesOf = (received: readonly Received[]): number[] => received.map(({ body }) => body.sequence);

const refuse =
  (status: number, headers = {}) =>
  (_received: Received, response: ServerResponse) =>
    response.writeHead(status, headers).end('no');

/** The parts of the signature header, by version. */
const signaturesOf = ({ headers }: Received): string[][] =>
  String(headers['webhook-signature'])
    .split(' ')
    .map((part) => part.split(','));

const signedText = ({ headers, text }: Received): string => `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;

const hmacOf = (received: Received, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signedText(received))
    .digest('base64');

describe('deliveries', LONG, () => {
  it('are signed events of the feed, of which each names the one before it', async () => {
    const { receiver, append, partnerId, secret, named } = await newScene();
    const cards = [newId(), newId(), newId()];
    await append(cards);
    await expect.poll(() => receiver.received.length, LONG).toBe(3);
    const received = receiver.received.toSorted((a, b) => a.body.sequence - b.body.sequence);
    const page = await events.feed.listEvents({ partnerId }, events.backOffice);
    expect(received.map(({ body }) => body)).toEqual(
      page.events.map(({ id, type, subject, sequence, previousSequence, subjectSequence, dataJson }) => ({
        id,
        type,
        timestamp: world.clock.now().toISOString(),
        subject,
        sequence: Number(sequence),
        previousSequence: Number(previousSequence),
        subjectSequence: Number(subjectSequence),
        endpointId: named.endpointId,
        data: JSON.parse(dataJson),
      })),
    );
    const { keys } = JSON.parse((await events.webhooks.listWebhookKeys({})).jwksJson);
    for (const one of received) {
      expect(one.headers).toMatchObject({
        'content-type': 'application/json',
        'webhook-id': one.body.id,
        'webhook-timestamp': String(Math.floor(world.clock.now().getTime() / 1000)),
      });
      const [symmetric = [], asymmetric = [], ...others] = signaturesOf(one);
      expect(others).toEqual([]);
      expect(symmetric).toEqual(['v1', hmacOf(one, secret)]);
      expect(asymmetric[0]).toBe('v1a');
      const key = createPublicKey({ key: keys[0], format: 'jwk' });
      expect(verify(null, Buffer.from(signedText(one)), key, Buffer.from(asymmetric[1] ?? '', 'base64'))).toBe(true);
    }
  });

  it('pass the filter, and name the event before that passes it as well', async () => {
    const { receiver, partnerId } = await newScene({ types: ['payment.cleared', 'card.*'] });
    const user = world.newUser(partnerId);
    const types = ['payment.cleared', 'payment.authorized', 'payment.authorized', 'payment.cleared'] as const;
    await events.feed.appendEvents({ events: types.map((type) => world.cardEvent(user, newId(), 1, type)) }, events.card);
    await expect.poll(() => receiver.received.length, LONG).toBe(2);
    const received = receiver.received.toSorted((a, b) => a.body.sequence - b.body.sequence);
    expect(received.map(({ body }) => [body.sequence, body.previousSequence])).toEqual([
      [1, 0],
      [4, 1],
    ]);
  });

  it('are one at a time for each subject, in its order', async () => {
    const { receiver, append } = await newScene();
    const cards = Array.from({ length: 4 }, () => newId());
    const open = new Map<string, number>();
    let most = 0;
    receiver.answerWith(({ body: { subject } }, response) => {
      open.set(subject, (open.get(subject) ?? 0) + 1);
      most = Math.max(most, open.get(subject) ?? 0);
      setImmediate(() => {
        open.set(subject, (open.get(subject) ?? 0) - 1);
        response.end();
      });
    });
    await append(Array.from({ length: 40 }, (_, index) => cards[index % 4] ?? ''));
    await expect.poll(() => receiver.received.length, LONG).toBe(40);
    expect(most).toBe(1);
    for (const card of cards) {
      const own = receiver.received.filter(({ body }) => body.subject.endsWith(card)).map(({ body }) => body.subjectSequence);
      expect(own).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    }
  });

  it('of a subject that fails are parked, and those of others go on; a minute of 500 loses nothing', async () => {
    const { receiver, append, find, attempts } = await newScene();
    const [bad = '', good = ''] = [newId(), newId()];
    receiver.answerWith((received, response) => {
      if (received.body.subject.endsWith(bad)) response.writeHead(500).end('broken');
      else response.end();
    });
    await append([bad, good, bad, good]);
    await expect.poll(() => sequencesOf(receiver.received).sort(), LONG).toEqual([1, 2, 4]);
    // The stored progress may be from between the answers: the subject is parked, and the cursor has not passed the others yet.
    await expect
      .poll(async () => (await find())?.delivery, LONG)
      .toMatchObject({ parkedSubjects: 1, cursor: expect.stringMatching(/:4$/) });
    // The second attempt fails as well.
    world.clock.advanceSeconds(7);
    await expect.poll(() => receiver.received.length, LONG).toBe(4);
    expect(receiver.received.at(-1)?.body.sequence).toBe(1);
    // Its next attempt is planned by then, by the clock that is moved below.
    await expect.poll(async () => (await attempts(1n)).length, LONG).toBe(2);
    receiver.answerWith();
    world.clock.advanceSeconds(60);
    await expect.poll(() => sequencesOf(receiver.received), LONG).toHaveLength(6);
    expect(sequencesOf(receiver.received).slice(-2)).toEqual([1, 3]);
    await expect.poll(async () => (await find())?.delivery?.parkedSubjects, LONG).toBe(0);
    await expect
      .poll(async () => (await attempts(1n)).map(({ number, status, answer }) => [number, status, answer]), LONG)
      .toEqual([
        [3, 200, '{}'],
        [2, 500, 'broken'],
        [1, 500, 'broken'],
      ]);
  });

  it('survive receivers that close, lie, redirect, never end and never answer', async () => {
    const { receiver, append, attempts } = await newScene();
    const answers: Record<string, (response: ServerResponse) => unknown> = {
      closes: (response) => response.socket?.destroy(),
      'lies about its length': (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('short');
        response.socket?.end();
      },
      'never ends': (response) => response.writeHead(200).write('x'.repeat(5000)),
      'is slow with its body': (response) => response.writeHead(202).write('a'),
      redirects: (response) => response.writeHead(302, { location: receiver.url.replace('/hook', '/other') }).end(),
      'sends large headers': (response) => response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end(),
      'sends no HTTP': (response) => response.socket?.end('hello\r\n\r\n'),
      'is binary': (response) => response.end(Buffer.from([0xff, 0xfe, 0x00])),
    };
    const names = Object.keys(answers);
    receiver.answerWith(({ body: { sequence } }, response) => answers[names[sequence - 1] ?? '']?.(response));
    await append(names.map(() => newId()));
    await expect.poll(async () => (await attempts()).length, LONG).toBeGreaterThanOrEqual(names.length);
    const found = Object.fromEntries(
      (await attempts()).map(({ sequence, status, failure, answer }) => [names[Number(sequence) - 1], [status, failure, answer.length]]),
    );
    expect(found).toEqual({
      closes: [0, 'connection_closed', 0],
      'lies about its length': [200, '', 5],
      'never ends': [200, '', 1024],
      'is slow with its body': [202, '', 1],
      redirects: [302, '', 0],
      'sends large headers': [0, 'answer_invalid', 0],
      'sends no HTTP': [0, 'answer_invalid', 0],
      'is binary': [200, '', 3],
    });
    expect(receiver.received.every(({ path }) => path === '/hook')).toBe(true);
  });

  it('end when the receiver does not answer in time', async () => {
    const { receiver, append, attempts } = await newScene();
    receiver.answerWith(() => undefined);
    await append([newId()]);
    await expect.poll(async () => (await attempts())[0], LONG).toMatchObject({ status: 0, failure: 'timeout' });
    receiver.answerWith();
    world.clock.advanceSeconds(7);
    await expect.poll(() => receiver.received.length, LONG).toBe(2);
  });

  it('wait for as long as the receiver asks for', async () => {
    const { receiver, append, find } = await newScene();
    receiver.answerWith(refuse(429, { 'retry-after': '600' }));
    await append([newId(), newId()]);
    await expect.poll(async () => (await find())?.delivery?.parkedSubjects, LONG).toBe(1);
    receiver.answerWith();
    world.clock.advanceSeconds(590);
    // A third subject, by which a look at the endpoint is seen to be over: it waits as well.
    await append([newId()]);
    await expect.poll(async () => (await find())?.delivery?.parkedSubjects, LONG).toBe(1);
    expect(receiver.received).toHaveLength(1);
    world.clock.advanceSeconds(10);
    await expect.poll(() => new Set(sequencesOf(receiver.received)), LONG).toEqual(new Set([1, 2, 3]));
  });

  it('end with 410, and go on without a loss when the endpoint is enabled', async () => {
    const { receiver, append, find, named } = await newScene();
    receiver.answerWith(refuse(410));
    await append([newId(), newId()]);
    await expect.poll(async () => (await find())?.status, LONG).toBe(WebhookEndpointStatus.DISABLED);
    expect((await find())?.disabledReason).toBe(WebhookDisabledReason.GONE);
    await append([newId()]);
    receiver.answerWith();
    await events.webhooks.enableWebhookEndpoint(named, events.backOffice);
    await expect.poll(() => new Set(sequencesOf(receiver.received)), LONG).toEqual(new Set([1, 2, 3]));
  });

  it('end after five days without a success, and go on with the first event that failed', async () => {
    const { receiver, append, find, named } = await newScene();
    receiver.answerWith(refuse(503));
    stopwatch = () => world.clock.now().getTime();
    await append(Array.from({ length: 20 }, () => newId()));
    const isDisabled = async () => {
      // Large enough for each wait of the schedule.
      world.clock.advanceSeconds(SECONDS_OF_DAY / 2);
      return (await find())?.status === WebhookEndpointStatus.DISABLED;
    };
    await expect.poll(isDisabled, { ...LONG, interval: 500 }).toBe(true);
    stopwatch = PROCESS_TIME;
    expect((await find())?.disabledReason).toBe(WebhookDisabledReason.FAILING);
    const mail = () => mails.filter(({ to }) => to === `${named.partnerId}@acme.com`);
    await expect.poll(mail, LONG).toHaveLength(1);
    expect(mail()[0]?.text).toMatch(/^Your webhook endpoint .* was disabled\. No delivery to it succeeded for five days\./);
    receiver.answerWith();
    receiver.received.splice(0);
    await events.webhooks.enableWebhookEndpoint(named, events.backOffice);
    await expect.poll(() => new Set(sequencesOf(receiver.received)).size, LONG).toBe(20);
    await expect.poll(async () => (await find())?.delivery, LONG).toMatchObject({ cursor: `${named.partnerId}:20`, parkedSubjects: 0 });
  });

  it('do not end because a clock jumps ahead by more than five days', async () => {
    const { receiver, append, find, attempts } = await newScene();
    receiver.answerWith(refuse(503));
    await append([newId(), newId()]);
    // The next attempts are planned once these are logged, and by the clock that is moved then.
    await expect.poll(async () => (await attempts()).length, LONG).toBe(2);
    await expect.poll(async () => (await find())?.delivery?.failingSince, LONG).toBeDefined();
    world.clock.advanceSeconds(6 * SECONDS_OF_DAY);
    await expect.poll(async () => (await attempts()).length, LONG).toBe(4);
    receiver.answerWith();
    world.clock.advanceSeconds(60);
    await expect.poll(async () => (await find())?.delivery, LONG).toMatchObject({ parkedSubjects: 0 });
    expect((await find())?.status).toBe(WebhookEndpointStatus.ENABLED);
  });

  it('to a former URL count nothing against another one, and neither does its 410', async () => {
    const { receiver: former, append, find, named, partnerId } = await newScene();
    const receiver = await newReceiver();
    const answers: ServerResponse[] = [];
    former.answerWith((_received, response) => answers.push(response));
    await append([newId(), newId()]);
    await expect.poll(() => answers.length, LONG).toBe(1);
    const settings = { url: receiver.url, contactEmail: `${partnerId}@acme.com` };
    await events.webhooks.updateWebhookEndpoint({ ...named, ...settings }, events.backOffice);
    for (const response of answers) response.writeHead(410).end();
    // At once, though the attempt at the former URL failed.
    await expect.poll(() => new Set(sequencesOf(receiver.received)), LONG).toEqual(new Set([1, 2]));
    await expect.poll(async () => (await find())?.delivery, LONG).toMatchObject({ cursor: `${partnerId}:2`, parkedSubjects: 0 });
    const found = await find();
    expect([found?.status, found?.delivery?.failingSince]).toEqual([WebhookEndpointStatus.ENABLED, undefined]);
    expect(mails.filter(({ to }) => to === settings.contactEmail)).toEqual([]);
  });

  it('that cannot be signed do not count against the endpoint, and are made once they can be', async () => {
    const { receiver, append, find, named } = await newScene();
    const secrets = world.connection.collection<{ _id: string; endpointId: string }>('webhook_secrets');
    const sealed = await secrets.find({ endpointId: named.endpointId }).toArray();
    await secrets.deleteMany({ endpointId: named.endpointId });
    await append([newId()]);
    await expect.poll(async () => (await find())?.delivery?.parkedSubjects, LONG).toBe(1);
    expect((await find())?.delivery?.failingSince).toBeUndefined();
    await secrets.insertMany(sealed);
    await expect
      .poll(() => {
        world.clock.advanceSeconds(1);
        return receiver.received.length;
      }, LONG)
      .toBe(1);
  });

  it('are made again by a replay, a redelivery and a test', async () => {
    const { receiver, append, named, attempts, find } = await newScene();
    const order = () => ({ ...named, requestId: newId() });
    await append([newId(), newId(), newId()]);
    await expect.poll(() => receiver.received.length, LONG).toBe(3);
    const { eventId } = await events.webhooks.redeliverWebhookEvent({ ...order(), sequence: 2n }, events.backOffice);
    await expect.poll(() => receiver.received.length, LONG).toBe(4);
    expect(receiver.received.at(-1)?.body).toMatchObject({ id: eventId, sequence: 2 });
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(receiver.received.find(({ body }) => body.sequence === 2)?.body.id);
    const test = order();
    await events.webhooks.sendTestWebhookEvent(test, events.backOffice);
    await expect.poll(() => receiver.received.length, LONG).toBe(5);
    expect(receiver.received.at(-1)?.body).toMatchObject({
      id: test.requestId,
      type: 'webhook.test',
      sequence: 0,
      endpointId: named.endpointId,
    });
    receiver.received.splice(0);
    await events.webhooks.replayWebhookEvents({ ...order(), after: `${named.partnerId}:1` }, events.backOffice);
    await expect.poll(() => sequencesOf(receiver.received).sort(), LONG).toEqual([2, 3]);
    await expect.poll(async () => (await attempts()).length, LONG).toBe(7);
    await expect.poll(async () => (await find())?.delivery?.cursor, LONG).toBe(`${named.partnerId}:3`);
  });

  it('are signed with both secrets for a day after a rotation', async () => {
    const { receiver, append, named, secret } = await newScene();
    const rotation = { ...named, requestId: newId() };
    const rotated = await events.webhooks.rotateWebhookSecret(rotation, events.backOffice);
    const delivered = async (isSettled: (received: Received) => boolean): Promise<Received> => {
      // The deliverer reads the change within a second or two.
      const found = async () => {
        await append([newId()]);
        return receiver.received.find(isSettled);
      };
      await expect.poll(found, { ...LONG, interval: 200 }).toBeDefined();
      return receiver.received.find(isSettled) as Received;
    };
    const both = await delivered((received) => signaturesOf(received).length === 3);
    expect(signaturesOf(both).slice(0, 2)).toEqual([
      ['v1', hmacOf(both, rotated.secret)],
      ['v1', hmacOf(both, secret)],
    ]);
    world.clock.advanceSeconds(SECONDS_OF_DAY);
    receiver.received.splice(0);
    const one = await delivered((received) => signaturesOf(received).length === 2);
    expect(signaturesOf(one)[0]).toEqual(['v1', hmacOf(one, rotated.secret)]);
  });

  it('stop for an endpoint that is disabled or deleted', async () => {
    const { receiver, append, named, find } = await newScene();
    await events.webhooks.disableWebhookEndpoint(named, events.backOffice);
    await append([newId()]);
    await events.webhooks.enableWebhookEndpoint(named, events.backOffice);
    await expect.poll(() => sequencesOf(receiver.received), LONG).toEqual([1]);
    await expect.poll(async () => (await find())?.delivery?.cursor, LONG).toMatch(/:1$/);
    await events.webhooks.deleteWebhookEndpoint(named, events.backOffice);
    const left = () => world.connection.collection<{ _id: string }>('webhook_progress').countDocuments({ _id: named.endpointId });
    await expect.poll(left, LONG).toBe(0);
    await append([newId()]);
    expect(receiver.received).toHaveLength(1);
  });

  it('tell from time to time where the feed ends, until that has arrived', async () => {
    const { receiver, append, named } = await newScene({ types: ['payment.authorized'] });
    const checkpoints = () => receiver.received.filter(({ body }) => body.type === 'checkpoint');
    receiver.answerWith(({ body }, response) => {
      response.writeHead(body.type === 'checkpoint' && checkpoints().length === 1 ? 500 : 200).end();
    });
    await append([newId(), newId()]);
    await expect.poll(() => receiver.received.length, LONG).toBe(2);
    const afterAWhile = async () => {
      world.clock.advanceSeconds(300);
      return checkpoints().length;
    };
    await expect.poll(afterAWhile, { ...LONG, interval: 300 }).toBe(2);
    for (const { body } of checkpoints()) {
      expect(body).toMatchObject({ type: 'checkpoint', sequence: 2, previousSequence: 2, endpointId: named.endpointId });
    }
  });

  it('pass from one deliverer to another without a loss', async () => {
    const scenes = await Promise.all(Array.from({ length: 6 }, () => newScene()));
    const second = await world.startDeliverer();
    const cards = Array.from({ length: 5 }, () => newId());
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        scenes.map(({ append }) =>
          append(
            cards.map((card) => `${card}-${newId()}`),
            1,
          ),
        ),
      );
      if (round === 1) await second.close();
    }
    for (const { receiver } of scenes) {
      await expect.poll(() => new Set(sequencesOf(receiver.received)).size, LONG).toBe(20);
    }
  });
});
