import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { WebhookDisabledReason, WebhookEndpointStatus } from '@florin/proto/events/v1/webhook_endpoint';
import type { FailingWebhookEndpoint, ListFailingWebhookEndpointsResponse } from '@florin/proto/events/v1/webhook_endpoint_service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartnerEndpoints } from '../domain/webhooks/endpoint.ts';
import type { StoredProgress } from '../store/webhook-progress.ts';
import { createWorld, type Events, newId, type World } from '../testing/world.ts';

let world: World;
let events: Events;

beforeAll(async () => {
  world = await createWorld({ FOLLOW_JOURNAL: 'false' });
  events = await world.start();
});
afterAll(() => world.close());

const URL_OF_ACME = 'https://hooks.acme.com/florin';
const DAY_SECONDS = 24 * 60 * 60;

const newPartner = (): string => `p-${newId().slice(-12)}`;

const newRequest = (more: Record<string, unknown> = {}) => ({ requestId: newId(), partnerId: newPartner(), url: URL_OF_ACME, ...more });

const create = (more: Record<string, unknown> = {}, at = events) => at.webhooks.createWebhookEndpoint(newRequest(more), events.backOffice);

/** Appends events of a new subject each to a partner's feed. */
const append = (partner: string, count: number) => {
  const user = world.newUser(partner);
  const batch = Array.from({ length: count }, () => world.cardEvent(user, newId(), 1));
  return events.feed.appendEvents({ events: batch }, events.card);
};

/** Progress of an endpoint without anything to deliver. */
const BEGUN = { cursor: 0, parked: [], failures: 0, enabled: 0 };

describe('webhook endpoints', () => {
  it('are created with a secret, and returned without it', async () => {
    const partnerId = newPartner();
    await append(partnerId, 3);
    const settings = { types: ['payment.*', 'card.issued'], description: 'Books', contactEmail: 'ops@acme.com' };
    const { endpoint, secret } = await create({ partnerId, ...settings });
    expect(endpoint).toMatchObject({ ...settings, partnerId, url: URL_OF_ACME, status: WebhookEndpointStatus.ENABLED });
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    const named = { partnerId, endpointId: endpoint?.id ?? '' };
    expect((await events.webhooks.getWebhookEndpoint(named, events.backOffice)).endpoint).toEqual(endpoint);
    expect((await events.webhooks.listWebhookEndpoints({ partnerId }, events.backOffice)).endpoints).toEqual([endpoint]);
  });

  it('are one for calls of the same request, also at the same time, and refuse another content under its id', async () => {
    const request = newRequest({ contactEmail: 'ops@acme.com' });
    const second = await world.start();
    const made = await Promise.all([events, second, events, second].map((at) => at.webhooks.createWebhookEndpoint(request, at.backOffice)));
    expect(new Set(made.map(({ endpoint }) => endpoint?.id)).size).toBe(1);
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
    expect(await world.connection.collection('webhook_secrets').countDocuments({ endpointId: made[0]?.endpoint?.id })).toBe(2);
    for (const other of [{ url: 'https://other.acme.com/' }, { types: ['card.*'] }, { contactEmail: '' }, { description: 'x' }]) {
      await expect(events.webhooks.createWebhookEndpoint({ ...request, ...other }, events.backOffice)).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    }
    const { endpoints } = await events.webhooks.listWebhookEndpoints({ partnerId: request.partnerId }, events.backOffice);
    expect(endpoints).toHaveLength(1);
    await second.close();
  });

  it('are at most twenty per partner, also when they are created at the same time', async () => {
    const partnerId = newPartner();
    const calls = await Promise.allSettled(Array.from({ length: 24 }, () => create({ partnerId })));
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason.code] : []));
    expect(refused).toEqual(Array.from({ length: 4 }, () => 'WEBHOOK_ENDPOINT_LIMIT_REACHED'));
    const { endpoints } = await events.webhooks.listWebhookEndpoints({ partnerId }, events.backOffice);
    expect(endpoints).toHaveLength(20);
    expect(
      await world.connection.collection('webhook_secrets').countDocuments({ endpointId: { $in: endpoints.map(({ id }) => id) } }),
    ).toBe(20);
    await create();
  });

  it('keep nothing readable of secrets and contacts in the database', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const { endpoint } = await create({ contactEmail: 'private@acme.com', secret });
    const collections = await world.connection.listCollections();
    const texts = await Promise.all(
      collections.map(async ({ name }) => JSON.stringify(await world.connection.collection(name).find({}).toArray())),
    );
    for (const text of texts) {
      expect(text).not.toContain('private@acme.com');
      expect(text).not.toContain(secret.slice(6));
    }
    await events.webhooks.deleteWebhookEndpoint(
      { endpointId: endpoint?.id ?? '', partnerId: endpoint?.partnerId ?? '' },
      events.backOffice,
    );
    expect(await world.connection.collection('webhook_secrets').countDocuments({ endpointId: endpoint?.id })).toBe(0);
  });

  it('are updated as a whole, and deleted', async () => {
    const { endpoint } = await create({ contactEmail: 'ops@acme.com', types: ['card.*'], description: 'Books' });
    const named = { endpointId: endpoint?.id ?? '', partnerId: endpoint?.partnerId ?? '' };
    const changed = { url: 'https://other.acme.com/', types: [], description: '', contactEmail: 'new@acme.com' };
    for (const _repeat of [1, 2]) {
      expect((await events.webhooks.updateWebhookEndpoint({ ...named, ...changed }, events.backOffice)).endpoint).toMatchObject(changed);
    }
    expect(await world.connection.collection('webhook_secrets').countDocuments({ endpointId: named.endpointId })).toBe(2);
    await expect(events.webhooks.updateWebhookEndpoint({ ...named, ...changed, url: '' }, events.backOffice)).rejects.toMatchObject({
      code: 'WEBHOOK_URL_FORBIDDEN',
    });
    for (const _repeat of [1, 2]) await events.webhooks.deleteWebhookEndpoint(named, events.backOffice);
    await expect(events.webhooks.getWebhookEndpoint(named, events.backOffice)).rejects.toMatchObject({
      code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
    });
  });

  it('are changed in the named fields only, also by two owners at the same time', async () => {
    const { endpoint } = await create({ contactEmail: 'ops@acme.com', types: ['card.*'], description: 'Books' });
    const named = { endpointId: endpoint?.id ?? '', partnerId: endpoint?.partnerId ?? '' };
    const update = (change: object) => events.webhooks.updateWebhookEndpoint({ ...named, ...change }, events.backOffice);
    await Promise.all([
      update({ changed: ['url'], url: 'https://other.acme.com/', description: 'ignored' }),
      update({ changed: ['description'], description: '' }),
    ]);
    const kept = { types: ['card.*'], contactEmail: 'ops@acme.com', dataVersion: endpoint?.dataVersion };
    expect((await events.webhooks.getWebhookEndpoint(named, events.backOffice)).endpoint).toMatchObject({
      ...kept,
      url: 'https://other.acme.com/',
      description: '',
    });
    expect((await update({ changed: ['types', 'contact_email'] })).endpoint).toMatchObject({ types: [], contactEmail: '' });
    expect(await world.connection.collection('webhook_secrets').countDocuments({ endpointId: named.endpointId })).toBe(1);
    await expect(update({ changed: ['types'], types: ['card.x'] })).rejects.toMatchObject({ code: 'EVENT_TYPE_UNKNOWN' });
    await expect(update({ changed: ['status'] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('get a new secret while the one before signs for another day', async () => {
    const { endpoint, secret } = await create();
    const named = { endpointId: endpoint?.id ?? '', partnerId: endpoint?.partnerId ?? '' };
    const rotation = { ...named, requestId: newId() };
    const rotated = await events.webhooks.rotateWebhookSecret(rotation, events.backOffice);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.endpoint?.previousSecretExpiresAt).toBeDefined();
    expect((await events.webhooks.rotateWebhookSecret(rotation, events.backOffice)).secret).toBe(rotated.secret);
    await expect(
      events.webhooks.rotateWebhookSecret({ ...rotation, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }, events.backOffice),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    const other = await world.start({ runtime: { now: () => new Date(world.clock.now().getTime() + DAY_SECONDS * 1000) } });
    expect((await other.webhooks.getWebhookEndpoint(named, other.backOffice)).endpoint?.previousSecretExpiresAt).toBeUndefined();
    await other.close();
  });

  it('are disabled and enabled by their owner', async () => {
    const { endpoint } = await create();
    const named = { endpointId: endpoint?.id ?? '', partnerId: endpoint?.partnerId ?? '' };
    for (const _repeat of [1, 2]) {
      expect((await events.webhooks.disableWebhookEndpoint(named, events.backOffice)).endpoint).toMatchObject({
        status: WebhookEndpointStatus.DISABLED,
        disabledReason: WebhookDisabledReason.REQUESTED,
      });
    }
    const order = { ...named, requestId: newId() };
    await expect(events.webhooks.sendTestWebhookEvent(order, events.backOffice)).rejects.toMatchObject({
      code: 'WEBHOOK_ENDPOINT_DISABLED',
    });
    for (const _repeat of [1, 2]) {
      expect((await events.webhooks.enableWebhookEndpoint(named, events.backOffice)).endpoint).toMatchObject({
        status: WebhookEndpointStatus.ENABLED,
        disabledReason: WebhookDisabledReason.UNSPECIFIED,
      });
    }
  });

  it('that fail are listed for all partners, oldest failure first, in pages, and for a partner its own', async () => {
    const made = await Promise.all([create(), create(), create(), create({ partnerId: 'acme' }), create({ partnerId: 'p-zzz' })]);
    const [late, early, healthy, ofAcme, alone] = made.map(({ endpoint }) => ({
      id: endpoint?.id ?? '',
      partnerId: endpoint?.partnerId ?? '',
    }));
    const progress = world.connection.collection<StoredProgress & { _id: string; term: number }>('webhook_progress');
    const failed = (id = '', at = '') => progress.insertOne({ _id: id, term: 1, ...BEGUN, failingSince: new Date(at) });
    await failed(late?.id, '2026-02-02T00:00:00Z');
    await failed(ofAcme?.id, '2026-02-03T00:00:00Z');
    const endpoints = world.connection.collection<PartnerEndpoints & { _id: string }>('webhook_endpoints');
    const disabled = { reason: 'gone', at: new Date('2026-02-01T00:00:00Z') } as const;
    await endpoints.updateOne({ _id: early?.partnerId ?? '' }, { $set: { 'endpoints.0.disabled': disabled } });
    await events.webhooks.disableWebhookEndpoint({ endpointId: healthy?.id ?? '', partnerId: healthy?.partnerId ?? '' }, events.backOffice);
    await endpoints.updateOne({ _id: alone?.partnerId ?? '' }, { $set: { 'endpoints.0.disabled': disabled } });
    const twins = await Promise.all([1, 2].map(() => create({ partnerId: early?.partnerId })));
    await endpoints.updateOne(
      { _id: early?.partnerId ?? '' },
      { $set: { 'endpoints.1.disabled': disabled, 'endpoints.2.disabled': disabled } },
    );
    const listed = async (caller = events.backOffice, limit = 0) => {
      const found: FailingWebhookEndpoint[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page: ListFailingWebhookEndpointsResponse = await events.webhooks.listFailingWebhookEndpoints({ limit, cursor }, caller);
        expect(page.endpoints.length).toBeLessThanOrEqual(limit || 100);
        found.push(...page.endpoints);
        cursor = page.nextCursor || undefined;
      }
      return found;
    };
    const gone = [...[early, ...twins.map(({ endpoint }) => endpoint)].map((one) => one?.id ?? '').sort(), alone?.id];
    for (const limit of [0, 1, 2]) {
      expect((await listed(events.backOffice, limit)).map(({ id, disabledReason }) => ({ id, disabledReason }))).toEqual([
        { id: late?.id, disabledReason: WebhookDisabledReason.UNSPECIFIED },
        { id: ofAcme?.id, disabledReason: WebhookDisabledReason.UNSPECIFIED },
        ...gone.map((id) => ({ id, disabledReason: WebhookDisabledReason.GONE })),
      ]);
    }
    await expect(events.webhooks.listFailingWebhookEndpoints({ cursor: 'x' }, events.backOffice)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect(await listed(events.acme)).toMatchObject([
      { id: ofAcme?.id, partnerId: 'acme', since: timestampFromDate(new Date('2026-02-03T00:00:00Z')) },
    ]);
    expect(await listed(events.other)).toEqual([]);
    await events.webhooks.deleteWebhookEndpoint({ endpointId: ofAcme?.id ?? '' }, events.acme);
    expect(await listed(events.acme)).toEqual([]);
  });

  it('remember twenty orders, of which a repeat is none', async () => {
    const partnerId = newPartner();
    await append(partnerId, 2);
    const { endpoint } = await create({ partnerId });
    const named = { endpointId: endpoint?.id ?? '', partnerId };
    const first = { ...named, requestId: newId() };
    for (const _repeat of [1, 2]) await events.webhooks.sendTestWebhookEvent(first, events.backOffice);
    for (let count = 1; count < 20; count += 1) {
      await events.webhooks.redeliverWebhookEvent({ ...named, requestId: newId(), sequence: 2n }, events.backOffice);
    }
    await events.webhooks.sendTestWebhookEvent(first, events.backOffice);
    await expect(events.webhooks.sendTestWebhookEvent({ ...named, requestId: newId() }, events.backOffice)).rejects.toMatchObject({
      code: 'WEBHOOK_ORDER_LIMIT_REACHED',
    });
  });

  it('have five replays that wait to be begun', async () => {
    const { endpoint } = await create();
    const named = { endpointId: endpoint?.id ?? '', partnerId: endpoint?.partnerId ?? '' };
    const replays = Array.from({ length: 6 }, () => ({ ...named, requestId: newId(), after: '' }));
    const answers = await Promise.allSettled(replays.map((replay) => events.webhooks.replayWebhookEvents(replay, events.backOffice)));
    const rejected = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(rejected).toMatchObject([{ code: 'WEBHOOK_ORDER_LIMIT_REACHED' }]);
    const stored = await world.connection
      .collection<PartnerEndpoints & { _id: string }>('webhook_endpoints')
      .findOne({ _id: named.partnerId });
    // As if a deliverer had begun the last one.
    await world.connection
      .collection<StoredProgress & { _id: string; term: number }>('webhook_progress')
      .insertOne({ _id: named.endpointId, term: 1, ...BEGUN, replayId: stored?.endpoints[0]?.replay?.id ?? '' });
    await events.webhooks.replayWebhookEvents({ ...named, requestId: newId(), after: '' }, events.backOffice);
  });

  it('recognize repeats of orders and replays, and reject other ones with the same id', async () => {
    const partnerId = newPartner();
    await append(partnerId, 2);
    const { endpoint } = await create({ partnerId });
    const named = () => ({ endpointId: endpoint?.id ?? '', partnerId, requestId: newId() });
    const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };
    const order = named();
    for (const _repeat of [1, 2]) await events.webhooks.redeliverWebhookEvent({ ...order, sequence: 2n }, events.backOffice);
    await expect(events.webhooks.redeliverWebhookEvent({ ...order, sequence: 1n }, events.backOffice)).rejects.toMatchObject(reused);
    await expect(events.webhooks.sendTestWebhookEvent(order, events.backOffice)).rejects.toMatchObject(reused);
    const stored = async () => {
      const found = await world.connection.collection<PartnerEndpoints & { _id: string }>('webhook_endpoints').findOne({ _id: partnerId });
      return found?.endpoints[0]?.replay;
    };
    const [earlier, later] = [
      { ...named(), after: `${partnerId}:0` },
      { ...named(), after: `${partnerId}:1` },
    ];
    for (const replay of [earlier, later, earlier, later]) await events.webhooks.replayWebhookEvents(replay, events.backOffice);
    expect(await stored()).toMatchObject({ id: later.requestId, after: 1 });
    for (const replay of [earlier, later]) {
      const other = { ...replay, after: `${partnerId}:2` };
      await expect(events.webhooks.replayWebhookEvents(other, events.backOffice)).rejects.toMatchObject(reused);
    }
    expect(await stored()).toMatchObject({ id: later.requestId, after: 1 });
  });

  it('deliver an event again that is named by its id', async () => {
    const partnerId = newPartner();
    await append(partnerId, 3);
    const { endpoint } = await create({ partnerId });
    const named = () => ({ endpointId: endpoint?.id ?? '', partnerId, requestId: newId() });
    const order = named();
    const bySequence = await events.webhooks.redeliverWebhookEvent({ ...order, sequence: 2n }, events.backOffice);
    expect(await events.webhooks.redeliverWebhookEvent({ ...order, eventId: bySequence.eventId }, events.backOffice)).toEqual(bySequence);
    for (const [wrong, code] of [
      [{ eventId: newId() }, 'EVENT_NOT_FOUND'],
      [{ eventId: 'evt_1' }, 'VALIDATION_FAILED'],
      [{ eventId: bySequence.eventId, sequence: 2n }, 'VALIDATION_FAILED'],
      [{}, 'VALIDATION_FAILED'],
    ] as const)
      await expect(events.webhooks.redeliverWebhookEvent({ ...named(), ...wrong }, events.backOffice)).rejects.toMatchObject({ code });
    const other = newPartner();
    const theirs = (await create({ partnerId: other })).endpoint?.id ?? '';
    const elsewhere = { endpointId: theirs, partnerId: other, requestId: newId(), eventId: bySequence.eventId };
    await expect(events.webhooks.redeliverWebhookEvent(elsewhere, events.backOffice)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('look to others as if they did not exist', async () => {
    const { endpoint } = await create({ partnerId: 'acme' });
    const endpointId = endpoint?.id ?? '';
    expect((await events.webhooks.getWebhookEndpoint({ endpointId }, events.acme)).endpoint).toEqual(endpoint);
    const order = { endpointId, requestId: newId() };
    const settings = { url: URL_OF_ACME };
    for (const call of [
      () => events.webhooks.getWebhookEndpoint({ endpointId }, events.other),
      () => events.webhooks.updateWebhookEndpoint({ endpointId, ...settings }, events.other),
      () => events.webhooks.rotateWebhookSecret(order, events.other),
      () => events.webhooks.enableWebhookEndpoint({ endpointId }, events.other),
      () => events.webhooks.disableWebhookEndpoint({ endpointId }, events.other),
      () => events.webhooks.replayWebhookEvents(order, events.other),
      () => events.webhooks.redeliverWebhookEvent({ ...order, sequence: 1n }, events.other),
      () => events.webhooks.sendTestWebhookEvent(order, events.other),
      () => events.webhooks.listWebhookAttempts({ endpointId }, events.other),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    }
    await events.webhooks.deleteWebhookEndpoint({ endpointId }, events.other);
    expect((await events.webhooks.listWebhookEndpoints({}, events.other)).endpoints).toEqual([]);
    expect((await events.webhooks.listWebhookEndpoints({}, events.acme)).endpoints).toEqual([endpoint]);
    await expect(events.webhooks.listWebhookEndpoints({ partnerId: 'acme' }, events.other)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(events.webhooks.createWebhookEndpoint(newRequest({ partnerId: '' }), events.reader)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it.each([
    [{ url: 'http://hooks.acme.com/' }, 'WEBHOOK_URL_FORBIDDEN'],
    [{ url: 'https://127.0.0.1/' }, 'WEBHOOK_URL_FORBIDDEN'],
    [{ url: 'https://user@hooks.acme.com/' }, 'WEBHOOK_URL_FORBIDDEN'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'WEBHOOK_URL_FORBIDDEN'],
    [{ url: '' }, 'VALIDATION_FAILED'],
    [{ types: ['card.melted'] }, 'EVENT_TYPE_UNKNOWN'],
    [{ types: ['*'] }, 'EVENT_TYPE_UNKNOWN'],
    [{ types: Array.from({ length: 101 }, () => 'card.*') }, 'VALIDATION_FAILED'],
    [{ secret: 'whsec_c2hvcnQ=' }, 'WEBHOOK_SECRET_INVALID'],
    [{ secret: Buffer.alloc(32).toString('base64') }, 'WEBHOOK_SECRET_INVALID'],
    [{ secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 'WEBHOOK_SECRET_INVALID'],
    [{ secret: `whsec_${'*'.repeat(44)}` }, 'WEBHOOK_SECRET_INVALID'],
    [{ after: 'acme:0' }, 'CURSOR_INVALID'],
    [{ after: 'x' }, 'CURSOR_INVALID'],
    [{ requestId: '1' }, 'VALIDATION_FAILED'],
    [{ partnerId: '' }, 'VALIDATION_FAILED'],
    [{ contactEmail: 'nobody' }, 'VALIDATION_FAILED'],
    [{ contactEmail: 'a@acme.com\r\nBcc: b@acme.com' }, 'VALIDATION_FAILED'],
    [{ description: 'x'.repeat(201) }, 'VALIDATION_FAILED'],
  ])('are not created with %j', async (wrong, code) => {
    const request = newRequest(wrong);
    await expect(events.webhooks.createWebhookEndpoint(request, events.backOffice)).rejects.toMatchObject({ code });
    if (request.partnerId === '') return;
    expect((await events.webhooks.listWebhookEndpoints({ partnerId: request.partnerId }, events.backOffice)).endpoints).toEqual([]);
  });

  it('begin and begin anew only where the feed is', async () => {
    const partnerId = newPartner();
    await append(partnerId, 3);
    await expect(create({ partnerId, after: `${partnerId}:4` })).rejects.toMatchObject({ code: 'CURSOR_AHEAD' });
    const { endpoint } = await create({ partnerId, after: `${partnerId}:1` });
    const replay = { endpointId: endpoint?.id ?? '', partnerId, requestId: newId() };
    for (const [after, code] of [
      [`${partnerId}:4`, 'CURSOR_AHEAD'],
      ['other:0', 'CURSOR_INVALID'],
    ] as const) {
      await expect(events.webhooks.replayWebhookEvents({ ...replay, after }, events.backOffice)).rejects.toMatchObject({ code });
    }
    const redelivery = { ...replay, sequence: 4n };
    await expect(events.webhooks.redeliverWebhookEvent(redelivery, events.backOffice)).rejects.toMatchObject({ code: 'CURSOR_AHEAD' });
    await expect(events.webhooks.redeliverWebhookEvent({ ...redelivery, sequence: 0n }, events.backOffice)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    await events.webhooks.replayWebhookEvents({ ...replay, after: '' }, events.backOffice);
    // As if the first block were in an archive file.
    await world.connection.collection<{ _id: string; last: number }>('feed_archives').insertOne({ _id: partnerId, last: 3 });
    await world.connection.collection<{ _id: string }>('feed_blocks').deleteOne({ _id: `${partnerId}:1` });
    await append(partnerId, 1);
    const again = { ...replay, after: `${partnerId}:1`, sequence: 2n };
    await expect(events.webhooks.replayWebhookEvents(again, events.backOffice)).rejects.toMatchObject({
      code: 'EVENTS_ARCHIVED',
      metadata: { firstCursor: `${partnerId}:3` },
    });
    await expect(events.webhooks.redeliverWebhookEvent(again, events.backOffice)).rejects.toMatchObject({ code: 'EVENTS_ARCHIVED' });
  });

  it('are signed with keys that are published a day before they sign and a week after', async () => {
    const at = async (days: number) => {
      const other = await world.start({ runtime: { now: () => new Date(world.clock.now().getTime() + days * DAY_SECONDS * 1000) } });
      const { jwksJson } = await other.webhooks.listWebhookKeys({});
      await other.close();
      return (JSON.parse(jwksJson) as { keys: Record<string, string>[] }).keys;
    };
    const [first] = await at(0);
    expect(first).toMatchObject({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' });
    expect(first).not.toHaveProperty('d');
    expect(await at(89)).toEqual([first]);
    const kids = (await at(90)).map(({ kid }) => kid);
    expect(kids).toHaveLength(2);
    expect(kids[1]).toBe(first?.['kid']);
    expect((await at(97)).map(({ kid }) => kid)).toEqual(kids);
    expect((await at(98)).map(({ kid }) => kid)).toEqual(kids.slice(0, 1));
  });

  it('show attempts page by page', async () => {
    const { endpoint } = await create();
    const named = { endpointId: endpoint?.id ?? '', partnerId: endpoint?.partnerId ?? '' };
    const ids = Array.from({ length: 5 }, () => newId());
    const attempt = {
      eventId: newId(),
      eventType: 'card.issued',
      number: 1,
      at: new Date(),
      durationMs: 12,
      status: 500,
      failure: '',
      answer: 'no',
    };
    await world.connection
      .collection<{ _id: string }>('webhook_attempts')
      .insertMany([
        ...ids.map((id, index) => ({ _id: `${named.endpointId}:${id}`, endpointId: named.endpointId, sequence: index % 2, ...attempt })),
        { _id: `${newId()}:${newId()}`, endpointId: newId(), sequence: 1, ...attempt },
      ]);
    const page = (cursor: string, more = {}) =>
      events.webhooks.listWebhookAttempts({ ...named, limit: 2, cursor, ...more }, events.backOffice);
    const first = await page('');
    const second = await page(first.nextCursor);
    const third = await page(second.nextCursor);
    expect([first, second, third].flatMap(({ attempts }) => attempts.map(({ id }) => id))).toEqual(ids.toReversed());
    expect(third.nextCursor).toBe('');
    expect(first.attempts[0]).toMatchObject({ status: 500, answer: 'no', durationMs: 12, number: 1 });
    expect((await page('', { sequence: 1n })).attempts.map(({ id }) => id)).toEqual([ids[3], ids[1]]);
  });
});
