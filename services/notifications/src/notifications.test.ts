import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Language, NotificationKind } from '@florin/proto/notifications/v1/notification_service';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './testing/world.ts';

const LONG_MS = 60_000;
const POLL = { timeout: 30_000, interval: 20 };

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
const newWorld = async (...more: Parameters<typeof createWorld>) => {
  const world = await createWorld(...more);
  worlds.push(world);
  return world;
};

/** Returns the outcomes of deliveries, in alphabetical order: engines keep none. Those that wait have no outcome. */
const outcomes = async ({ connection }: World) => {
  const found = await connection.collection('deliveries').find().toArray();
  return found.map(({ outcome }) => outcome as string | undefined).sort();
};

const kindsWith = (kind: NotificationKind, channels: { push: boolean; email: boolean }) => [{ kind, ...channels }];

describe('a device', { timeout: LONG_MS }, () => {
  it('shows what happened, encrypted for it alone, in its language', async () => {
    const world = await newWorld();
    const { newPerson } = await world.start();
    const person = await newPerson(Language.DE);
    const [phone, tablet] = [await person.addDevice(), await person.addDevice()];
    const other = await newPerson();
    const stranger = await other.addDevice();
    const paymentId = world.newPayment();
    const event = world.tell(person.userId, 'payment.authorized', `payment/${paymentId}`, { paymentId });
    await expect.poll(() => [phone, tablet].map(({ device }) => world.push.shownOn(device).length), POLL).toEqual([1, 1]);
    expect(world.push.shownOn(phone.device)).toEqual([
      {
        title: expect.stringMatching(/^Bezahlt: 49,99\s€$/),
        body: 'Bookshop',
        tag: event.id,
        path: `/payments/${paymentId}`,
        language: 'de',
        urgent: false,
      },
    ]);
    expect(world.push.shownOn(stranger.device)).toEqual([]);
    expect(world.push.faults).toEqual([]);
  });

  it('opens the approval of a challenge, which is urgent and ends with it', async () => {
    const world = await newWorld();
    const { newPerson } = await world.start();
    const person = await newPerson();
    const { device } = await person.addDevice();
    const challengeId = randomUUID();
    const expiresAt = timestampFromDate(new Date(world.clock.now().getTime() + 300_000));
    const merchant = { id: '1', displayName: 'Bookshop' };
    const challenge = { id: challengeId, amount: '1999', currency: 'EUR', decimals: 2, merchant, decisionAvailable: true, expiresAt };
    world.state.challenges.set(challengeId, challenge);
    world.tell(person.userId, 'challenge.created', `challenge/${challengeId}`);
    await expect
      .poll(() => world.push.shownOn(device), POLL)
      .toMatchObject([
        {
          title: 'Is this payment yours?',
          body: expect.stringContaining('€19.99, Bookshop'),
          path: `?approve=${challengeId}`,
          urgent: true,
        },
      ]);
    const [pushed] = world.push.pushed;
    expect(pushed?.urgency).toBe('high');
    expect(pushed?.ttl).toBeGreaterThan(200);
    expect(pushed?.ttl).toBeLessThanOrEqual(300);

    // One that was decided meanwhile is not worth a notification.
    const decidedId = randomUUID();
    world.state.challenges.set(decidedId, { ...challenge, id: decidedId, decisionAvailable: false });
    world.tell(person.userId, 'challenge.created', `challenge/${decidedId}`);
    await expect.poll(() => outcomes(world), POLL).toEqual(['not_wanted', 'sent']);
    expect(world.push.shownOn(device)).toHaveLength(1);
  });

  it('tells of every kind of event without a secret', async () => {
    const world = await newWorld();
    const { newPerson } = await world.start();
    const person = await newPerson();
    const { device } = await person.addDevice();
    const cardId = randomUUID();
    world.state.cards.set(cardId, { id: cardId, last4: '4242' });
    const declined = world.newPayment({ declineReason: { code: 'daily_limit_exceeded', message: 'x' } });
    const refunded = world.newPayment({ refundedAmount: '1000' });
    const moved = { token: 'EURe', amount: '25000000000000000000', currency: 'EUR', decimals: 18 };
    const expected: [string, string, object, string, string][] = [
      ['payment.declined', `payment/${declined}`, { paymentId: declined }, 'Declined: €49.99', 'Bookshop. It was more than a limit.'],
      ['payment.refunded', `payment/${refunded}`, { paymentId: refunded }, 'Refund: €10.00', 'Bookshop'],
      ['deposit.approved', 'deposit/1', moved, 'Money received', '€25.00'],
      ['withdrawal.failed', 'withdrawal/1', moved, 'Withdrawal failed', '€25.00. The money is back in your account.'],
      ['card.frozen', `card/${cardId}`, { cardId }, 'Your card', 'The card 4242 is frozen.'],
      ['user.wallet_added', `user/${person.userId}`, {}, 'Your account', 'A wallet was added. If it was not you, tell support at once.'],
      ['user.card_limits_raising', `user/${person.userId}`, {}, 'Your account', expect.stringContaining('Limits of a card')],
      ['user.card_controls_opening', `user/${person.userId}`, {}, 'Your account', expect.stringContaining('being allowed')],
      ['user.signed_in_elsewhere', `user/${person.userId}`, {}, 'Your account', expect.stringContaining('a new sign-in')],
      ['cardholder.phone_changed', `cardholder/${person.userId}`, {}, 'Your account', expect.stringContaining('phone number')],
      ['backup_key.named', 'recovery/1', {}, 'Your account', expect.stringContaining('backup key')],
      ['recovery.requested', 'recovery/2', {}, 'Your account', expect.stringContaining('once the waiting time is over')],
      ['recovery.completed', 'recovery/2', {}, 'Your account', expect.stringContaining('Another wallet owns')],
      ['recovery.cancelled', 'recovery/3', {}, 'Your account', expect.stringContaining('did not take place')],
      ['safe.changed', 'exception/1', { change: 'TOKEN_FROZEN' }, 'Your account', expect.stringContaining('has frozen your address')],
      ['safe.changed', 'exception/2', { change: 'DELAY_ENQUEUED' }, 'Your account', expect.stringContaining('way out')],
      ['return.requested', 'exception/3', {}, 'Deposit rejected', expect.stringContaining('back to its sender')],
      ['recipient.requested', 'withdrawal/1', {}, 'New recipient', expect.stringContaining('new address')],
    ];
    for (const [type, subject, data] of expected) world.tell(person.userId, type, subject, data);
    world.tell(person.userId, 'hold.created', 'entry/0/hold/1', {});
    await expect.poll(() => world.push.shownOn(device).length, POLL).toBe(expected.length);
    for (const [type, , , title, body] of expected) {
      expect(world.push.shownOn(device), type).toContainEqual(expect.objectContaining({ title, body }));
    }
  });

  it('is told once of each event by two instances, one of which is replaced', async () => {
    const world = await newWorld();
    const one = await world.start();
    const two = await world.start();
    const person = await one.newPerson();
    const { device } = await person.addDevice();
    await expect.poll(() => world.state.streams, POLL).toBeGreaterThanOrEqual(2);
    const tell = () => {
      const paymentId = world.newPayment();
      return world.tell(person.userId, 'payment.authorized', `payment/${paymentId}`, { paymentId }).id;
    };
    const ids = Array.from({ length: 20 }, tell);
    await one.close();
    ids.push(...Array.from({ length: 5 }, tell));
    const three = await world.start();
    ids.push(...Array.from({ length: 5 }, tell));
    await expect.poll(() => new Set(world.push.shownOn(device).map(({ tag }) => tag)).size, POLL).toBe(ids.length);
    await two.close();
    await three.close();
    expect(
      world.push
        .shownOn(device)
        .map(({ tag }) => tag)
        .sort(),
    ).toEqual([...ids].sort());
  });

  it('is told again with the same topic after a kill between sending and noting it', async () => {
    const world = await newWorld();
    const { newPerson } = await world.start();
    const person = await newPerson();
    const { device } = await person.addDevice();
    const paymentId = world.newPayment();
    world.tell(person.userId, 'payment.authorized', `payment/${paymentId}`, { paymentId });
    await expect.poll(() => outcomes(world), POLL).toEqual(['sent']);
    // A killed process leaves the claim.
    await world.connection
      .collection('deliveries')
      .updateMany({}, { $unset: { outcome: '', endedAt: '' }, $set: { dueAt: new Date(world.clock.now().getTime() + 60_000) } });
    world.clock.advanceSeconds(61);
    await expect.poll(() => world.push.shownOn(device).length, POLL).toBe(2);
    const [first, second] = world.push.pushed;
    expect(second?.topic).toBe(first?.topic);
    expect(second?.topic).toMatch(/^[\w-]{32}$/);
    expect(second?.shown.tag).toBe(first?.shown.tag);
  });

  it('is tried again when the push service or a service of the platform is away, and as late as it asks', async () => {
    const world = await newWorld();
    const { newPerson } = await world.start();
    const person = await newPerson();
    const { device } = await person.addDevice();
    world.push.setAnswer(() => ({ status: 503, retryAfter: '40' }));
    const paymentId = world.newPayment();
    world.tell(person.userId, 'payment.authorized', `payment/${paymentId}`, { paymentId });
    const due = async () => {
      const [found] = await world.connection.collection('deliveries').find().toArray();
      return ((found?.['dueAt'] as Date | undefined)?.getTime() ?? 0) - world.clock.now().getTime();
    };
    await expect.poll(due, POLL).toBe(40_000);
    world.push.setAnswer();
    world.state.cardIsAway = true;
    world.clock.advanceSeconds(40);
    await expect.poll(due, POLL).toBe(5000);
    world.state.cardIsAway = false;
    world.clock.advanceSeconds(5);
    await expect.poll(() => world.push.shownOn(device).length, POLL).toBe(1);
  });

  it.each([404, 410])('is forgotten once the push service answers %d', async (status) => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const person = await newPerson();
    await person.addDevice();
    world.push.setAnswer(() => ({ status }));
    const paymentId = world.newPayment();
    world.tell(person.userId, 'payment.authorized', `payment/${paymentId}`, { paymentId });
    await expect.poll(() => outcomes(world), POLL).toEqual(['unsubscribed']);
    expect((await notifications.getPreferences({}, person.options)).devices).toEqual([]);
  });

  it('belongs to the user who registered it last, and is removed by its own user only', async () => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const [one, two] = [await newPerson(), await newPerson()];
    const { device, id, subscription } = await one.addDevice();
    const { endpoint, keys } = subscription;
    const { device: again } = await notifications.putSubscription({ endpoint, ...keys, language: Language.FR }, two.options);
    expect(again).toMatchObject({ id, language: Language.FR });
    const devicesOf = async ({ options }: typeof one) => (await notifications.getPreferences({}, options)).devices.map((each) => each.id);
    expect([await devicesOf(one), await devicesOf(two)]).toEqual([[], [id]]);
    world.tell(one.userId, 'user.wallet_added', `user/${one.userId}`);
    world.tell(two.userId, 'user.wallet_added', `user/${two.userId}`);
    await expect.poll(() => world.push.shownOn(device).length, POLL).toBe(1);
    expect(world.push.shownOn(device)[0]?.language).toBe('fr');
    await notifications.deleteSubscription({ id }, one.options);
    expect(await devicesOf(two)).toEqual([id]);
    await notifications.deleteSubscription({ id }, two.options);
    await notifications.deleteSubscription({ id }, two.options);
    expect(await devicesOf(two)).toEqual([]);
  });

  it('is mailed to its user before it is registered, once, and not registered if that fails', async () => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const person = await newPerson();
    const { subscription } = await person.addDevice();
    const { endpoint, keys } = subscription;
    const renew = () => notifications.putSubscription({ endpoint, ...keys, language: Language.EN }, person.options);
    const told = () => world.state.told.filter(([userId]) => userId === person.userId).map(([, kind]) => kind);
    expect(told()).toEqual(['DEVICE_ADDING']);
    await renew();
    expect(told()).toHaveLength(1);
    await person.addDevice();
    expect(told()).toHaveLength(2);
    world.state.identityIsAway = true;
    await expect(person.addDevice()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await notifications.getPreferences({}, person.options)).devices).toHaveLength(2);
    await renew();
  });

  it('is one of ten at most: those that were renewed last', async () => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const person = await newPerson();
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      ids.push((await person.addDevice()).id);
      world.clock.advanceSeconds(1);
    }
    const { devices } = await notifications.getPreferences({}, person.options);
    expect(devices.map(({ id }) => id)).toEqual(ids.slice(2).reverse());
  });

  it('is stored encrypted, and its endpoint must be a push service', async () => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const person = await newPerson();
    const { subscription } = await person.addDevice();
    const stored = JSON.stringify(await world.connection.collection('devices').find().toArray());
    for (const secret of [subscription.endpoint, subscription.keys.auth, subscription.keys.p256dh]) expect(stored).not.toContain(secret);
    const wrong = { endpoint: 'https://169.254.169.254/latest', ...subscription.keys, language: Language.EN };
    await expect(notifications.putSubscription(wrong, person.options)).rejects.toMatchObject({ code: 'PUSH_ENDPOINT_FORBIDDEN' });
  });

  it('cannot be registered without a key of Web Push', async () => {
    const world = await newWorld({ VAPID_KEY: undefined });
    const { newPerson, notifications } = await world.start();
    expect(await notifications.getPushKey({})).toMatchObject({ publicKey: '' });
    await expect((await newPerson()).addDevice()).rejects.toMatchObject({ code: 'PUSH_NOT_AVAILABLE' });
  });
});

describe('preferences', { timeout: LONG_MS }, () => {
  it('choose the channels of each kind, and mails link to the app', async () => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const person = await newPerson();
    world.state.addresses.set(person.userId, 'ada@example.org');
    const { device } = await person.addDevice();
    await notifications.setPreferences(
      { preferences: { kinds: kindsWith(NotificationKind.PAYMENT_APPROVED, { push: false, email: true }), language: Language.FR } },
      person.options,
    );
    const paymentId = world.newPayment();
    world.tell(person.userId, 'payment.authorized', `payment/${paymentId}`, { paymentId });
    await expect.poll(() => world.mails, POLL).toHaveLength(1);
    expect(world.mails[0]).toMatchObject({
      to: 'ada@example.org',
      subject: expect.stringMatching(/^Payé: 49,99\s€$/),
      text: expect.stringContaining(`https://florin.example/app/payments/${paymentId}`),
    });
    world.tell(person.userId, 'user.wallet_added', `user/${person.userId}`);
    await expect.poll(() => world.push.shownOn(device).length, POLL).toBe(1);
    expect(world.mails).toHaveLength(1);
  });

  it('keep devices silent during quiet hours, but for challenges and security', async () => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const person = await newPerson();
    const { device } = await person.addDevice();
    const minute = world.clock.now().getUTCHours() * 60 + world.clock.now().getUTCMinutes();
    const quietHours = { fromMinute: (minute + 1439) % 1440, toMinute: (minute + 60) % 1440, timeZone: 'UTC' };
    await notifications.setPreferences({ preferences: { quietHours, language: Language.EN } }, person.options);
    const paymentId = world.newPayment();
    const quiet = world.tell(person.userId, 'payment.authorized', `payment/${paymentId}`, { paymentId });
    const loud = world.tell(person.userId, 'user.wallet_added', `user/${person.userId}`);
    await expect.poll(() => world.push.shownOn(device).map(({ tag }) => tag), POLL).toEqual([loud.id]);
    await expect.poll(async () => (await outcomes(world)).filter((outcome) => outcome === undefined), POLL).toHaveLength(1);
    world.clock.advanceSeconds(3600);
    await expect.poll(() => world.push.shownOn(device).map(({ tag }) => tag), POLL).toEqual([loud.id, quiet.id]);
  });

  it.each([
    ['a kind twice', { kinds: [...kindsWith(3, { push: true, email: true }), ...kindsWith(3, { push: true, email: true })] }],
    ['an unknown time zone', { quietHours: { fromMinute: 1, toMinute: 2, timeZone: 'Nowhere/At all' } }],
    ['quiet hours without an end', { quietHours: { fromMinute: 1, toMinute: 1, timeZone: 'UTC' } }],
  ])('are rejected with %s', async (_what, preferences) => {
    const world = await newWorld();
    const { newPerson, notifications } = await world.start();
    const set = notifications.setPreferences({ preferences: { language: Language.EN, ...preferences } }, (await newPerson()).options);
    await expect(set).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('a feed', { timeout: LONG_MS }, () => {
  it('is read from its end at first, and from where it was left later', async () => {
    const world = await newWorld();
    const userId = randomUUID();
    world.tell(userId, 'user.wallet_added', `user/${userId}`);
    const first = await world.start();
    const person = await first.newPerson();
    const { device } = await person.addDevice();
    await expect.poll(() => world.state.streams, POLL).toBe(1);
    await first.close();
    const missed = world.tell(person.userId, 'user.wallet_added', `user/${person.userId}`);
    await world.start();
    await expect.poll(() => world.push.shownOn(device).map(({ tag }) => tag), POLL).toEqual([missed.id]);
  });

  it('that was restored to an earlier state is read from its end', async () => {
    const world = await newWorld();
    const first = await world.start();
    const person = await first.newPerson();
    const { device } = await person.addDevice();
    const events = Array.from({ length: 5 }, () => world.tell(person.userId, 'user.wallet_added', `user/${person.userId}`));
    await expect.poll(() => world.push.shownOn(device).length, POLL).toBe(events.length);
    const cursor = async () => (await world.connection.collection<{ _id: string; cursor: string }>('cursors').findOne())?.cursor;
    await expect.poll(cursor, POLL).toBe('florin:5');
    await first.close();
    world.state.events.splice(2);
    await world.start();
    await expect.poll(cursor, POLL).toBe('florin:2');
    const next = world.tell(person.userId, 'user.wallet_removed', `user/${person.userId}`);
    await expect.poll(() => world.push.shownOn(device).map(({ tag }) => tag), POLL).toContain(next.id);
  });

  it('tells nothing that is too old', async () => {
    const world = await newWorld();
    const first = await world.start();
    const person = await first.newPerson();
    const { device } = await person.addDevice();
    await expect.poll(() => world.state.streams, POLL).toBe(1);
    await first.close();
    world.tell(person.userId, 'user.wallet_added', `user/${person.userId}`);
    world.clock.advanceSeconds(86_401);
    const second = await world.start();
    const fresh = world.tell(person.userId, 'user.wallet_removed', `user/${person.userId}`);
    await expect.poll(() => world.push.shownOn(device).map(({ tag }) => tag), POLL).toEqual([fresh.id]);
    await second.close();
  });
});

describe('personal data', { timeout: LONG_MS }, () => {
  it('is exported without secrets, and erased', async () => {
    const world = await newWorld();
    const { newPerson, notifications, personalData, asIdentity } = await world.start();
    const person = await newPerson();
    const { subscription, device } = await person.addDevice();
    await notifications.setPreferences({ preferences: { language: Language.DE } }, person.options);
    world.tell(person.userId, 'user.wallet_added', `user/${person.userId}`);
    await expect.poll(() => world.push.shownOn(device).length, POLL).toBe(1);
    const exportAll = async () => {
      const records = [];
      for (let cursor = '', more = true; more; more = cursor !== '') {
        const page = await personalData.exportPersonalData({ cursor }, person.options);
        records.push(...page.records);
        cursor = page.nextCursor;
      }
      return records;
    };
    const records = await exportAll();
    expect(records.map(({ kind }) => kind)).toEqual(['notification_device', 'notification_preferences', 'notification']);
    expect(JSON.stringify(records)).not.toContain(subscription.keys.auth);
    for (let round = 0; round < 2; round += 1) await personalData.erasePersonalData({ userId: person.userId }, await asIdentity());
    expect(await exportAll()).toEqual([]);
    await expect(personalData.erasePersonalData({ userId: person.userId }, person.options)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
