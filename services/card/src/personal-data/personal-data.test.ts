import { randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPayment } from '../domain/new-payment.ts';
import { recordEvent } from '../domain/record-event.ts';
import { paymentModel } from '../store/payment-model.ts';
import { createPaymentStore } from '../store/payments.ts';
import { PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { createTestProcessor, createWorld, PHONE, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('exports cards to a user who has just signed in only, and tells the processor of those of an erased user, without the names', async () => {
  const { processor, told } = createTestProcessor();
  const app = await world.start({ processor });
  const channel = createRpcChannel({ baseUrl: app.app.url });
  try {
    const user = await app.as();
    const cards = [await user.create({ phone: PHONE, cardName: 'Groceries' }), await user.create({ cardName: 'Travel' })];
    const client = channel.client(PersonalDataService);
    const options = await world.serviceOptions('identity', [PRIVACY_SCOPES.eraseData]);
    const stale = await app.as(user.userId, new Date(world.clock.now().getTime() - 301_000));
    await expect(client.exportPersonalData({}, stale.options)).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    const erase = () => client.erasePersonalData({ userId: user.userId }, options);
    await erase();
    const latestOf = (cardId: string) => told.findLast((state) => state.cardId === cardId);
    await waitFor('the processor to know', async () => (cards.every(({ id }) => latestOf(id)?.name === '') ? true : undefined));
    expect(cards.map(({ id }) => latestOf(id)?.status)).toEqual(['cancelled', 'cancelled']);
    // A repeat changes nothing: the processor is told of no further revision.
    const revisions = cards.map(({ id }) => latestOf(id)?.revision);
    await erase();
    const { records } = await client.exportPersonalData(
      { userId: user.userId },
      await world.serviceOptions('identity', [PRIVACY_SCOPES.exportData]),
    );
    expect(records.map(({ kind, data }) => [kind, data?.['name'], data?.['statusReason']])).toEqual([
      ['card', '', undefined],
      ['card', '', undefined],
    ]);
    expect(cards.map(({ id }) => latestOf(id)?.revision)).toEqual(revisions);
  } finally {
    await channel.close();
    await app.close();
  }
});

it('keeps a user until some time after the latest payment and after its latest clearing, and says until when', async () => {
  const { app } = await world.start();
  const channel = createRpcChannel({ baseUrl: app.url });
  const { MONGODB_URI, MONGODB_DATABASE } = world.environment;
  const store = await openStore({ uri: String(MONGODB_URI), database: String(MONGODB_DATABASE), poolSize: 2, logger: quietLogger });
  try {
    const stamp = { now: world.clock.now, newId: () => randomUUID() as string };
    const payments = createPaymentStore(paymentModel(store.connection), stamp, { currency: 'EUR', decimals: 2 });
    const userId = randomUUID();
    const pay = async (daysAgo: number, clearedDaysAgo: number) => {
      const before = (days: number) => new Date(world.clock.now().getTime() - days * 86_400_000);
      const payment = newPayment({ ...PAYMENT_FACTS, id: randomUUID(), userId, createdAt: before(daysAgo) });
      const at = before(clearedDaysAgo);
      await payments.save(
        undefined,
        recordEvent(payment, { id: randomUUID(), type: 'clearing', at, amount: 100n, currency: 'EUR', billing: 100n }),
      );
      return new Date(at.getTime() + 30 * 86_400_000).toISOString();
    };
    const options = await world.serviceOptions('identity', [PRIVACY_SCOPES.eraseData]);
    const check = () => channel.client(PersonalDataService).checkErasure({ userId }, options);
    await pay(40, 31);
    await check();
    const erasableFrom = await pay(39, 5);
    // Newer, and cleared earlier.
    await pay(38, 37);
    await expect(check()).rejects.toMatchObject({ code: 'USER_HAS_RECENT_PAYMENTS', metadata: { erasableFrom } });
    const later = await pay(3, 3);
    await expect(check()).rejects.toMatchObject({ metadata: { erasableFrom: later } });
  } finally {
    await store.close();
    await channel.close();
    await app.close();
  }
});
