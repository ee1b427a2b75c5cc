import { CodedError } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { createDeciding, type DecidingParts } from './decide-request.ts';
import type { RequestInput } from './event-input.ts';
import { createJudging, type JudgingParts } from './judge-request.ts';

const never = (): Promise<never> => new Promise(() => undefined);

const EVENT = {
  id: 'event',
  type: 'authorization',
  at: new Date(),
  amount: 100n,
  currency: 'EUR',
  billing: 100n,
} as unknown as PaymentEvent;
const FACTS = { id: 'payment', cardId: 'card', accountId: 'account' };
const PREPARED = {
  claim: { paymentId: 'payment' },
  facts: FACTS,
  event: EVENT,
  card: { id: 'card', status: 'active', expiresAt: new Date(Date.now() + 1e9) },
  settings: { controls: {} },
  isRemembered: false,
  now: new Date(),
};

const READS = { foresee: async () => undefined, prepare: async () => PREPARED };

/** Decides with parts of which one never returns, as when its database stands still. */
const decideWith = async (stuck: object, input = { type: 'authorization' } as RequestInput) => {
  const recorded: PaymentEvent[] = [];
  const parts = {
    preparation: READS,
    payments: { find: async () => undefined },
    claims: { claim: async () => ({ repeated: false, ...PREPARED.claim }) },
    reservations: { reserve: async () => undefined, release: async () => undefined, settleLater: () => undefined },
    record: async (_facts: object, event: PaymentEvent) => {
      recorded.push(event);
      return { ...FACTS, events: [event], effects: [], held: 0n, cleared: 0n, refunded: 0n };
    },
    program: { controls: {}, limits: {}, expiryDays: { online: 1, cardPresent: 1, lodging: 1 }, acknowledgement: { clients: [] } },
    deadlineMs: 60_000,
    background: (work: Promise<unknown>) => void work.catch(() => undefined),
    ...stuck,
  } as unknown as DecidingParts;
  const judge = createJudging(parts as unknown as JudgingParts);
  const outcome = await createDeciding({ ...parts, judge })
    .decide(input, quietLogger)
    .then(
      () => 'decided',
      (error: { code?: string }) => error.code,
    );
  return { outcome, recorded };
};

describe('a request while the database stands still', () => {
  const SOON = { deadlineMs: 300 };

  it.each([
    ['the card and the payment are read', { preparation: { ...READS, prepare: never } }],
    ['the request is claimed', { claims: { claim: never } }],
  ])('ends with an unknown outcome and without a record when it happens while %s', async (_when, stuck) => {
    expect(await decideWith({ ...stuck, ...SOON })).toEqual({ outcome: 'SERVICE_UNAVAILABLE', recorded: [] });
  });

  it('is declined as timed out when it happens while the limits are reserved', async () => {
    const { recorded } = await decideWith({
      ...SOON,
      reservations: { reserve: never, release: async () => undefined, settleLater: () => undefined },
    });
    expect(recorded.map(({ decision }) => decision?.decline)).toEqual(['timed_out']);
  });

  it('ends with an unknown outcome when it happens while the decision is recorded', async () => {
    const approved = { billing: 100n, amount: 100n, held: 100n };
    const stuck = { ...SOON, record: never, askDecider: async () => undefined, takeHold: { take: async () => approved } };
    expect(await decideWith(stuck)).toEqual({ outcome: 'SERVICE_UNAVAILABLE', recorded: [] });
  });
});

describe('a declined request on a card for single use', () => {
  const settings = { controls: { singleUseFrom: new Date() } };
  const preparation = { ...READS, prepare: async () => ({ ...PREPARED, settings }) };
  const reservations = { reserve: async () => 'daily_limit_exceeded', settleLater: () => undefined };

  it('is answered once it has given the use back', async () => {
    const released = Promise.withResolvers<void>();
    let isReleased = false;
    const release = () => released.promise.then(() => (isReleased = true));
    setTimeout(released.resolve, 50);
    expect(await decideWith({ preparation, reservations: { ...reservations, release } })).toMatchObject({ outcome: 'decided' });
    expect(isReleased).toBe(true);
  });

  it.each([
    ['lasts too long', never],
    ['fails', () => Promise.reject(new CodedError('SERVICE_UNAVAILABLE'))],
  ])('is answered also when that %s', async (_how, release) => {
    const { outcome } = await decideWith({ preparation, reservations: { ...reservations, release }, deadlineMs: 500 });
    expect(outcome).toBe('decided');
  });
});

describe('a request that is claimed while it is read', () => {
  const foreseen = { ...READS, foresee: async () => PREPARED };

  it('is claimed once, without waiting for what is read', async () => {
    const claimed = Promise.withResolvers<void>();
    let claims = 0;
    const claim = async () => {
      claims += 1;
      claimed.resolve();
      return { repeated: false, ...PREPARED.claim };
    };
    const prepare = async () => {
      await claimed.promise;
      return PREPARED;
    };
    const declined = {
      reservations: { reserve: async () => 'daily_limit_exceeded', release: async () => undefined, settleLater: () => undefined },
    };
    const { recorded } = await decideWith({ preparation: { ...foreseen, prepare }, claims: { claim }, ...declined });
    expect(recorded.map(({ decision }) => decision?.decline)).toEqual(['daily_limit_exceeded']);
    expect(claims).toBe(1);
  });

  it('is the repeat of another one, and waits for its decision', async () => {
    const event = { ...EVENT, decision: { decline: 'card_frozen', billing: 0n, amount: 0n, held: 0n } };
    const decided = { ...FACTS, events: [event], effects: [], held: 0n, cleared: 0n, refunded: 0n };
    const claims = { claim: async () => ({ repeated: true, ...PREPARED.claim }) };
    const repeat = await decideWith({ preparation: foreseen, claims, payments: { find: async () => decided } });
    expect(repeat).toEqual({ outcome: 'decided', recorded: [] });
  });

  it('ends with an unknown outcome and without a record when reading fails', async () => {
    const prepare = () => Promise.reject(new CodedError('SERVICE_UNAVAILABLE'));
    expect(await decideWith({ preparation: { ...foreseen, prepare } })).toEqual({ outcome: 'SERVICE_UNAVAILABLE', recorded: [] });
  });
});

describe('a request that is judged by remembered settings', () => {
  const REMEMBERED = { ...PREPARED, isRemembered: true };
  const APPROVED = { billing: 100n, amount: 100n, held: 100n };

  /** Reads remembered settings first, and stored ones when it is asked for them. */
  const readingWith = (remembered: object, stored: object) => {
    const readings: boolean[] = [];
    const prepare = async (_input: unknown, { fromMemory } = { fromMemory: false }) => {
      readings.push(fromMemory);
      return fromMemory ? { ...REMEMBERED, settings: { controls: remembered } } : { ...PREPARED, settings: { controls: stored } };
    };
    return { readings, preparation: { ...READS, prepare } };
  };
  const approving = { askDecider: async () => undefined, takeHold: { take: async () => APPROVED } };
  const BLOCKED = { onlineOff: true };
  const online = { type: 'authorization', entryMode: 'ecommerce' } as RequestInput;

  it('is read once when the settings are those that are stored', async () => {
    const { readings, preparation } = readingWith({}, {});
    const { recorded } = await decideWith({ preparation, ...approving }, online);
    expect(recorded.map(({ decision }) => decision?.decline)).toEqual([undefined]);
    expect(readings).toEqual([true]);
  });

  it('is approved when a control that it remembers was lifted', async () => {
    const { readings, preparation } = readingWith(BLOCKED, {});
    const { recorded } = await decideWith({ preparation, ...approving }, online);
    expect(recorded.map(({ decision }) => decision?.decline)).toEqual([undefined]);
    expect(readings).toEqual([true, false]);
  });

  it('is declined by a control that it does not remember, and reserves nothing', async () => {
    const { readings, preparation } = readingWith({}, BLOCKED);
    const reserve = async ({ isRemembered }: { isRemembered: boolean }) => (isRemembered ? 'outdated' : undefined);
    const reservations = { reserve, release: async () => undefined, settleLater: () => undefined };
    const { recorded } = await decideWith({ preparation, ...approving, reservations }, online);
    expect(recorded.map(({ decision }) => decision?.decline)).toEqual(['channel_blocked']);
    expect(readings).toEqual([true, false]);
  });

  it('is declined for a fault when the stored settings cannot be read', async () => {
    const { preparation } = readingWith(BLOCKED, {});
    const prepare = (input: unknown, options?: { fromMemory: boolean }) =>
      options?.fromMemory === true ? preparation.prepare(input, options) : Promise.reject(new CodedError('SERVICE_UNAVAILABLE'));
    const { recorded } = await decideWith({ preparation: { ...preparation, prepare }, ...approving }, online);
    expect(recorded.map(({ decision }) => decision?.decline)).toEqual(['system_error']);
  });
});
