import { randomUUID } from 'node:crypto';
import { AuthenticationService } from '@florin/proto/threeds/v1/authentication_service';
import { Decision } from '@florin/proto/threeds/v1/challenge';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

let world: World;
let instances: Instance[];
let closers: (() => Promise<void>)[];
let clients: ReturnType<typeof connect>[];

const connect = ({ url }: Instance) => {
  const channel = createRpcChannel({ baseUrl: url });
  closers.push(channel.close);
  return channel.client(AuthenticationService);
};

beforeAll(async () => {
  world = await createWorld();
  closers = [];
  instances = [await world.start(), await world.start()];
  clients = instances.map(connect);
});
afterAll(async () => {
  for (const close of closers) await close();
  await world.close();
});

const options = () => world.authority.asService('card', 'threeds', [THREEDS_SCOPES.consumeAuthentications]);

type More = { amount?: string; approvedBefore?: string; decidedRequestIds?: string[] };

/** The approved amount. */
const APPROVED = 1999;

/** An approval, with what a payment may do with it; every other call goes to another instance. */
const approval = async () => {
  const [first] = instances;
  if (first === undefined) throw new Error('no instance runs');
  const { person, id: challengeId, user } = await world.raise(first);
  await user.decide(challengeId, Decision.APPROVE, person.wallet);
  let turn = 0;
  const client = () => {
    turn += 1;
    const chosen = clients[turn % clients.length];
    if (chosen === undefined) throw new Error('no instance runs');
    return chosen;
  };
  const consume = async (paymentId: string, requestId: string, more: More = {}): Promise<string> => {
    const facts = { challengeId, cardId: person.cardId, currency: 'EUR', merchantId: 'M-1' };
    const request = { ...facts, paymentId, requestId, amount: '1', ...more };
    return client()
      .consumeAuthentication(request, await options())
      .then(
        () => 'used',
        ({ code }: { code: string }) => code,
      );
  };
  const release = async (paymentId: string, requestId: string) =>
    client().releaseAuthentication({ challengeId, paymentId, requestId }, await options());
  return { consume, release };
};

describe('an approval', () => {
  it('is used by one of many payments that present it at once', async () => {
    const { consume } = await approval();
    const results = await Promise.all(Array.from({ length: 20 }, () => consume(randomUUID(), 'request')));
    expect(results.filter((result) => result === 'used')).toHaveLength(1);
    expect(results.filter((result) => result === 'AUTHENTICATION_NOT_USABLE')).toHaveLength(19);
  });

  it('is used again by the same request and by further requests of its payment', async () => {
    const { consume } = await approval();
    const payment = randomUUID();
    const results = await Promise.all(['a', 'a', 'b', 'c', 'b'].map((request) => consume(payment, request)));
    expect(results).toEqual(['used', 'used', 'used', 'used', 'used']);
    expect(await consume(randomUUID(), 'a')).toBe('AUTHENTICATION_NOT_USABLE');
  });

  it('is free for another payment when the only request that used it has given it back', async () => {
    const { consume, release } = await approval();
    const [declined, retried] = [randomUUID(), randomUUID()];
    expect(await consume(declined, 'request')).toBe('used');
    await release(declined, 'request');
    await release(declined, 'request');
    expect(await consume(retried, 'request')).toBe('used');
    expect(await consume(declined, 'another')).toBe('AUTHENTICATION_NOT_USABLE');
  });

  it('stays used while another request of the payment uses it', async () => {
    const { consume, release } = await approval();
    const payment = randomUUID();
    expect([await consume(payment, 'declined'), await consume(payment, 'approved')]).toEqual(['used', 'used']);
    await release(payment, 'declined');
    expect(await consume(randomUUID(), 'request')).toBe('AUTHENTICATION_NOT_USABLE');
  });

  it('is not used by a request that arrives after it has given it back', async () => {
    const { consume, release } = await approval();
    const payment = randomUUID();
    await release(payment, 'late');
    expect(await consume(payment, 'late')).toBe('AUTHENTICATION_NOT_USABLE');
    expect(await consume(randomUUID(), 'late')).toBe('used');
  });

  it('is not given back by a payment that has not used it', async () => {
    const { consume, release } = await approval();
    expect(await consume(randomUUID(), 'request')).toBe('used');
    await release(randomUUID(), 'request');
    expect(await consume(randomUUID(), 'request')).toBe('AUTHENTICATION_NOT_USABLE');
  });

  it('is used by one payment at a time while payments take it and give it back at once', async () => {
    const { consume, release } = await approval();
    let users = 0;
    let most = 0;
    const attempt = async (): Promise<void> => {
      const payment = randomUUID();
      if ((await consume(payment, 'request')) !== 'used') return;
      users += 1;
      most = Math.max(most, users);
      expect(await consume(payment, 'request')).toBe('used');
      users -= 1;
      await release(payment, 'request');
    };
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 10 }, attempt));
    expect(most).toBe(1);
    expect(await consume(randomUUID(), 'request')).toBe('used');
  });

  it('never covers more than its amount together, by requests that come at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { consume } = await approval();
      const payment = randomUUID();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => consume(payment, `increment-${index}`, { amount: String(Math.floor(APPROVED / 4)) })),
      );
      expect(results.filter((result) => result === 'used')).toHaveLength(4);
    }
  });

  it('counts decided requests by what they were approved for', async () => {
    const { consume } = await approval();
    const payment = randomUUID();
    const decidedRequestIds = ['authorization'];
    expect(await consume(payment, 'authorization', { amount: '1999' })).toBe('used');
    expect(await consume(payment, 'early', { amount: '1' })).toBe('AUTHENTICATION_NOT_USABLE');
    expect(await consume(payment, 'rest', { amount: '999', approvedBefore: '1000', decidedRequestIds })).toBe('used');
    expect(await consume(payment, 'more', { amount: '1', approvedBefore: '1000', decidedRequestIds })).toBe('AUTHENTICATION_NOT_USABLE');
  });

  it.each<[string, More]>([
    ['no amount', { amount: '' }],
    ['an amount with leading zeros', { amount: '00' }],
    ['a negative amount', { amount: '-1' }],
    ['a negative amount before', { approvedBefore: '-1' }],
    ['an amount before with leading zeros', { approvedBefore: '00' }],
    ['a decided request with a space', { decidedRequestIds: ['a b'] }],
    ['too many decided requests', { decidedRequestIds: Array.from({ length: 1001 }, (_, index) => `r${index}`) }],
  ])('rejects %s', async (_, more) => {
    const { consume } = await approval();
    expect(await consume(randomUUID(), 'request', more)).toBe('VALIDATION_FAILED');
  });

  it.each([
    ['no request', '', 'VALIDATION_FAILED'],
    ['a request with a space', 'a b', 'VALIDATION_FAILED'],
    ['a request that is too long', 'x'.repeat(101), 'VALIDATION_FAILED'],
  ])('rejects %s', async (_, requestId, code) => {
    const { consume, release } = await approval();
    expect(await consume(randomUUID(), requestId)).toBe(code);
    await expect(release(randomUUID(), requestId)).rejects.toMatchObject({ code });
  });
});
