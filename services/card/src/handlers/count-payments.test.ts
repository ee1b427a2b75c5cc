import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { openStore, type Store } from '@florin/data/store';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentDocument } from '../store/payment-model.ts';
import { createWorld, type World } from '../testing/world.ts';

const DAY_MS = 86_400_000;

let world: World;
let store: Store;
let channel: RpcChannel;
beforeAll(async () => {
  world = await createWorld();
  const { app } = await world.start();
  channel = createRpcChannel({ baseUrl: app.url, timeoutMs: 20_000 });
  const { MONGODB_URI, MONGODB_DATABASE } = world.environment;
  store = await openStore({ uri: String(MONGODB_URI), database: String(MONGODB_DATABASE), poolSize: 2, logger: quietLogger });
});
afterAll(async () => {
  await channel.close();
  await store.close();
  await world.close();
});

const ago = (days: number) => new Date(world.clock.now().getTime() - days * DAY_MS);

const count = async (
  from: Date | undefined,
  to: Date | undefined,
  bounds: readonly Date[] = [],
  scopes: string[] = [CARD_SCOPES.readPayments],
) =>
  channel.client(PaymentService).countPayments(
    {
      ...(from === undefined ? {} : { from: timestampFromDate(from) }),
      ...(to === undefined ? {} : { to: timestampFromDate(to) }),
      bounds: bounds.map(timestampFromDate),
    },
    await world.serviceOptions('office', scopes),
  );

describe('CountPayments', () => {
  it('counts those that began in a period by what became of them', async () => {
    const documents = [
      { outcome: 'approved', volume: mongo.Long.fromBigInt(1250n), createdAt: ago(7) },
      { outcome: 'approved', volume: mongo.Long.fromBigInt(9_007_199_254_740_993n), createdAt: ago(6.5) },
      { outcome: 'approved', createdAt: ago(1) },
      { outcome: 'insufficient_funds', createdAt: ago(2) },
      { outcome: 'insufficient_funds', createdAt: ago(3) },
      { outcome: 'pin_incorrect', createdAt: ago(4) },
      { outcome: 'card_lost', createdAt: ago(8) },
      { createdAt: ago(1) },
    ].map((one) => ({ _id: randomUUID(), ...one }) as PaymentDocument);
    await store.connection.collection<PaymentDocument>('payments').insertMany(documents);
    expect(await count(ago(7), ago(0))).toMatchObject({ approved: 3n, declined: { insufficient_funds: 2n, pin_incorrect: 1n } });
    expect(await count(ago(7), ago(1))).toMatchObject({ approved: 2n, volumes: [] });
    const { volumes, currency, decimals } = await count(ago(7), ago(0), [ago(7), ago(6), ago(2), ago(0)]);
    expect([currency, decimals]).toEqual(['EUR', 2]);
    expect(volumes).toMatchObject([
      { approved: 2n, amount: '9007199254742243', declined: 0n },
      { approved: 0n, amount: '0', declined: 2n },
      { approved: 1n, amount: '0', declined: 1n },
    ]);
    const { approved, declined } = await count(ago(40), ago(20));
    expect([approved, declined]).toEqual([0n, {}]);
  });

  it('reads no payment for it', async () => {
    const query = { outcome: 'approved', createdAt: { $gte: ago(7), $lt: ago(0) }, volume: 1 };
    const indexes = await store.connection.collection('payments').indexes();
    expect(indexes.map(({ key }) => Object.keys(key))).toContainEqual(Object.keys(query));
  });

  it('needs a period of at most a month, and the scope', async () => {
    for (const [from, to] of [
      [undefined, ago(0)],
      [ago(1), undefined],
      [ago(1), ago(1)],
      [ago(0), ago(1)],
      [ago(32), ago(0)],
    ]) {
      await expect(count(from, to)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
    for (const bounds of [
      [ago(1), ago(1)],
      [ago(0), ago(1)],
      [ago(32), ago(0)],
      Array.from({ length: 33 }, (_, index) => ago((33 - index) / 2)),
    ])
      await expect(count(ago(1), ago(0), bounds)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(count(ago(1), ago(0), [], [CARD_SCOPES.readCards])).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
