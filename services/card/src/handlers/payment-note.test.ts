import { randomUUID } from 'node:crypto';
import type { CallOptions } from '@connectrpc/connect';
import { openStore, type Store } from '@florin/data/store';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPayment } from '../domain/new-payment.ts';
import { recordEvent } from '../domain/record-event.ts';
import { paymentModel } from '../store/payment-model.ts';
import { createPaymentStore, type PaymentStore } from '../store/payments.ts';
import { PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { createWorld, type World } from '../testing/world.ts';

let world: World;
let app: Awaited<ReturnType<World['start']>>;
let store: Store;
let stored: PaymentStore;
beforeAll(async () => {
  world = await createWorld();
  app = await world.start();
  const { MONGODB_URI, MONGODB_DATABASE } = world.environment;
  store = await openStore({ uri: String(MONGODB_URI), database: String(MONGODB_DATABASE), poolSize: 2, logger: quietLogger });
  const stamp = { now: world.clock.now, newId: () => randomUUID() as string };
  stored = createPaymentStore(paymentModel(store.connection), stamp, { currency: 'EUR', decimals: 2 });
});
afterAll(async () => {
  await store.close();
  await world.close();
});

/** A user with a payment of long ago. */
const paid = async () => {
  const user = await app.as();
  const createdAt = new Date(world.clock.now().getTime() - 40 * 86_400_000);
  const payment = newPayment({ ...PAYMENT_FACTS, id: randomUUID(), userId: user.userId, createdAt });
  await stored.save(undefined, payment);
  const paymentId = payment.id;
  return {
    user,
    paymentId,
    note: (note: string, options: CallOptions = user.options) => app.payments.setPaymentNote({ paymentId, note }, options),
    read: async () => (await app.payments.getPayment({ paymentId }, user.options)).payment?.note,
  };
};

describe('the note on a payment', () => {
  it('is the cardholder’s: replaced, removed, and read by nobody else', async () => {
    const { user, paymentId, note, read } = await paid();
    expect(await read()).toBe('');
    for (const text of ['Present for Ada ❤️', 'Birthday', 'Birthday']) {
      expect((await note(text)).payment?.note).toBe(text);
      expect(await read()).toBe(text);
    }
    const { payments } = await app.payments.listPayments({}, user.options);
    expect(payments.map((one) => one.note)).toEqual(['Birthday']);

    const office = await world.serviceOptions('office', [CARD_SCOPES.readPayments]);
    expect((await app.payments.getPayment({ paymentId }, office)).payment?.note).toBe('');
    const listed = await app.payments.listPayments({ userId: user.userId }, office);
    expect(listed.payments.map((one) => one.note)).toEqual(['']);
    await expect(note('x', office)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(note('x', (await app.as()).options)).rejects.toMatchObject({ code: 'PAYMENT_NOT_FOUND' });

    await note('');
    expect(await read()).toBe('');
  });

  it('stays as it is when an event is recorded on a payment that was read before', async () => {
    const { paymentId, note, read } = await paid();
    const before = await stored.find(paymentId);
    if (before === undefined) throw new Error('the payment does not exist');
    await note('Present');
    const cleared = recordEvent(before, { id: randomUUID(), type: 'clearing', at: before.createdAt, billing: 100n });
    expect(await stored.save(before, cleared)).toBe(true);
    expect(await read()).toBe('Present');
  });

  it.each([
    ['is too long', 'x'.repeat(281)],
    ['has two lines', 'one\ntwo'],
    ['has a control character', 'one\u0000two'],
  ])('is rejected when it %s', async (_name, text) => {
    const { note, read } = await paid();
    await expect(note(text)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await read()).toBe('');
  });

  it('is exported to the user, and erased with them, also one that comes later', async () => {
    const { user, paymentId, note } = await paid();
    await note('Present');
    const channel = createRpcChannel({ baseUrl: app.app.url });
    try {
      const privacy = channel.client(PersonalDataService);
      const exportOptions = await world.serviceOptions('identity', [PRIVACY_SCOPES.exportData]);
      const { records } = await privacy.exportPersonalData({ userId: user.userId }, exportOptions);
      expect(records.map(({ data }) => data?.['note'])).toContain('Present');
      await privacy.erasePersonalData({ userId: user.userId }, await world.serviceOptions('identity', [PRIVACY_SCOPES.eraseData]));
      expect((await stored.find(paymentId))?.note).toBeUndefined();
      await note('Later');
      expect((await stored.find(paymentId))?.note).toBeUndefined();
    } finally {
      await channel.close();
    }
  });
});
