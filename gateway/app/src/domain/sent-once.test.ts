import { FlorinError } from '@florin/client';
import { describe, expect, it } from 'vitest';
import { createSentOnce } from './sent-once.ts';

const failure = (code: 'NETWORK_ERROR' | 'UNEXPECTED_RESPONSE', status: number) =>
  new FlorinError(code, { status, requestId: 'r', operation: 'userMovements.submitWithdrawal' });

/** Sends orders of which each submission fails as told, or succeeds. */
const sending = (...failures: readonly unknown[]) => {
  const prepared: string[] = [];
  const submitted: number[] = [];
  const send = createSentOnce(async (content: { to: string }) => {
    const number = prepared.push(content.to);
    return {
      submit: async (_signer: string) => {
        const error = failures[submitted.push(number) - 1];
        if (error !== undefined) throw error;
      },
    };
  });
  return { send, prepared, submitted };
};

describe('an order that is sent', () => {
  it.each([failure('NETWORK_ERROR', 0), failure('UNEXPECTED_RESPONSE', 200), failure('UNEXPECTED_RESPONSE', 502)])(
    'is the same one again after an unknown outcome: $message',
    async (lost) => {
      const { send, submitted } = sending(lost);
      await expect(send({ to: 'a' }, 'wallet')).rejects.toBe(lost);
      await send({ to: 'a' }, 'wallet');
      expect(submitted).toEqual([1, 1]);
    },
  );

  it('stays the same one when the next answers are not about it', async () => {
    const { send, submitted } = sending(
      failure('NETWORK_ERROR', 0),
      failure('UNEXPECTED_RESPONSE', 429),
      failure('UNEXPECTED_RESPONSE', 401),
    );
    for (let press = 0; press < 3; press += 1) await expect(send({ to: 'a' }, 'wallet')).rejects.toThrow();
    await send({ to: 'a' }, 'wallet');
    expect(submitted).toEqual([1, 1, 1, 1]);
  });

  it('is a new one after a refusal, and after the wallet said no', async () => {
    const { send, submitted } = sending(failure('UNEXPECTED_RESPONSE', 409), new Error('refused'));
    for (let press = 0; press < 2; press += 1) await expect(send({ to: 'a' }, 'wallet')).rejects.toThrow();
    await send({ to: 'a' }, 'wallet');
    expect(submitted).toEqual([1, 2, 3]);
  });

  it('is a new one once the last has arrived, and with another content', async () => {
    const { send, prepared, submitted } = sending(undefined, failure('NETWORK_ERROR', 0));
    await send({ to: 'a' }, 'wallet');
    await expect(send({ to: 'a' }, 'wallet')).rejects.toThrow();
    await send({ to: 'b' }, 'wallet');
    expect([prepared, submitted]).toEqual([
      ['a', 'a', 'b'],
      [1, 2, 3],
    ]);
  });
});
