import { quietLogger } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { createDeciding, type DecidingParts } from './decide-request.ts';
import type { RequestInput } from './event-input.ts';

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
  now: new Date(),
};

/** Decides with parts of which one never returns, as when its database stands still. */
const decideWith = async (stuck: object) => {
  const recorded: PaymentEvent[] = [];
  const parts = {
    prepare: async () => PREPARED,
    payments: { find: async () => undefined },
    claims: { claim: async () => ({ repeated: false, ...PREPARED.claim }) },
    reservations: { reserve: async () => undefined, release: async () => undefined },
    record: async (_facts: object, event: PaymentEvent) => {
      recorded.push(event);
      return { ...FACTS, events: [event], effects: [], held: 0n, cleared: 0n, refunded: 0n };
    },
    program: { controls: {}, limits: {}, expiryDays: { online: 1, cardPresent: 1, lodging: 1 } },
    deadlineMs: 300,
    background: () => undefined,
    ...stuck,
  } as unknown as DecidingParts;
  const outcome = await createDeciding(parts)
    .decide({ type: 'authorization' } as RequestInput, quietLogger)
    .then(
      () => 'decided',
      (error: { code?: string }) => error.code,
    );
  return { outcome, recorded };
};

describe('a request while the database stands still', () => {
  it.each([
    ['the card and the payment are read', { prepare: never }],
    ['the request is claimed', { claims: { claim: never } }],
  ])('ends with an unknown outcome and without a record when it happens while %s', async (_when, stuck) => {
    expect(await decideWith(stuck)).toEqual({ outcome: 'SERVICE_UNAVAILABLE', recorded: [] });
  });

  it('is declined as timed out when it happens while the limits are reserved', async () => {
    const { recorded } = await decideWith({ reservations: { reserve: never, release: async () => undefined } });
    expect(recorded.map(({ decision }) => decision?.decline)).toEqual(['timed_out']);
  });

  it('ends with an unknown outcome when it happens while the decision is recorded', async () => {
    const approved = { billing: 100n, amount: 100n, held: 100n };
    const stuck = { record: never, askDecider: async () => undefined, takeHold: { take: async () => approved } };
    expect(await decideWith(stuck)).toEqual({ outcome: 'SERVICE_UNAVAILABLE', recorded: [] });
  });
});
