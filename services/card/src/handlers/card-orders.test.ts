import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestProcessor, createWorld, PHONE, type World } from '../testing/world.ts';

const PER_DAY = 3;
const DAY_SECONDS = 86_400;
const REACHED = { code: 'CARD_ORDER_LIMIT_REACHED' };

let world: World;
let test: ReturnType<typeof createTestProcessor>;
let replicas: Awaited<ReturnType<World['start']>>[];
beforeAll(async () => {
  world = await createWorld({ CARD_PROGRAM: JSON.stringify({ cardsPerDay: PER_DAY }) });
  test = createTestProcessor();
  replicas = await Promise.all([1, 2].map(() => world.start({ processor: test.processor })));
});
afterAll(() => world.close());

let user: Awaited<ReturnType<(typeof replicas)[0]['as']>>;
let client: (typeof replicas)[0]['client'];
beforeEach(async () => {
  test.state.mode = 'issue';
  const [first] = replicas;
  if (first === undefined) throw new Error('there is no replica');
  user = await first.as();
  ({ client } = first);
});

const change = (cardId: string) => ({ cardId, requestId: randomUUID() });
const orderAndCancel = async () => {
  const { id } = await user.create({ phone: PHONE });
  await client.cancelCard(change(id), user.options);
};

describe('orders of cards within a day', () => {
  it('are limited, cancelled cards included, and the error states when the next one is possible', async () => {
    await orderAndCancel();
    world.clock.advanceSeconds(600);
    for (let more = 1; more < PER_DAY; more += 1) await orderAndCancel();
    const metadata = { retryAfterSeconds: String(DAY_SECONDS - 600) };
    await expect(user.create()).rejects.toMatchObject({ ...REACHED, metadata });
    world.clock.advanceSeconds(DAY_SECONDS - 600);
    await orderAndCancel();
    await expect(user.create()).rejects.toMatchObject(REACHED);
    expect(test.issued.size).toBe(PER_DAY + 1);
  });

  it('are counted exactly when they come at once, at several replicas', async () => {
    await user.create({ phone: PHONE });
    const twins = await Promise.all(replicas.map((replica) => replica.as(user.userId)));
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => twins[index % 2]?.create()));
    const codes = results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as { code?: string }).code));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(PER_DAY - 1);
    expect(new Set(codes)).toEqual(new Set(['ok', REACHED.code]));
    expect(await user.list()).toHaveLength(PER_DAY);
  });

  it('include replacements, which a later repeat of the same request issues', async () => {
    let { id } = await user.create({ phone: PHONE });
    for (let more = 1; more < PER_DAY; more += 1) {
      await client.reportCardStolen(change(id), user.options);
      id = (await client.replaceCard(change(id), user.options)).card?.id ?? '';
    }
    await client.reportCardStolen(change(id), user.options);
    const request = change(id);
    await expect(client.replaceCard(request, user.options)).rejects.toMatchObject(REACHED);
    world.clock.advanceSeconds(DAY_SECONDS);
    expect((await client.replaceCard(request, user.options)).card?.replacementFor).toBe(id);
  });

  it('do not include what the processor refuses, nor repeats of a request', async () => {
    const requestId = randomUUID();
    test.state.mode = 'refuse';
    for (let attempt = 0; attempt <= PER_DAY; attempt += 1) {
      await expect(user.create({ requestId, phone: PHONE })).rejects.toMatchObject({ code: 'CARD_ISSUING_FAILED' });
    }
    test.state.mode = 'issue';
    for (let repeat = 0; repeat <= PER_DAY; repeat += 1) await user.create({ requestId, phone: PHONE });
    for (let more = 1; more < PER_DAY; more += 1) await user.create();
    expect(await user.list()).toHaveLength(PER_DAY);
    // A card of the day is returned to a repeat after the limit is reached, too.
    await user.create({ requestId, phone: PHONE });
    await expect(user.create()).rejects.toMatchObject(REACHED);
  });
});
