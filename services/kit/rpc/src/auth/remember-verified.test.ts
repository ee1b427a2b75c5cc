import { describe, expect, it } from 'vitest';
import { fakeClock } from '../testing/index.ts';
import { rememberVerified } from './remember-verified.ts';

const setUp = (lifeSeconds: number) => {
  const clock = fakeClock();
  const verified: string[] = [];
  const verify = async (token: string) => {
    verified.push(token);
    if (token.startsWith('bad')) throw new Error('invalid');
    return { caller: `caller of ${token}`, expiresAt: new Date(clock.now().getTime() + lifeSeconds * 1000) };
  };
  return { clock, verified, check: rememberVerified(verify, clock.now) };
};

describe('rememberVerified', () => {
  it('verifies the same token once', async () => {
    const { verified, check } = setUp(900);
    expect([await check('a'), await check('a'), await check('b')]).toEqual(['caller of a', 'caller of a', 'caller of b']);
    expect(verified).toEqual(['a', 'b']);
  });

  it('verifies a token again after its expiry', async () => {
    const { clock, verified, check } = setUp(10);
    await check('a');
    clock.advanceSeconds(10);
    await check('a');
    expect(verified).toEqual(['a', 'a']);
  });

  it('verifies a token again after a minute, so that a withdrawn key takes effect', async () => {
    const { clock, verified, check } = setUp(900);
    await check('a');
    clock.advanceSeconds(60);
    await check('a');
    expect(verified).toEqual(['a', 'a']);
  });

  it('does not cache a rejection', async () => {
    const { verified, check } = setUp(900);
    await expect(check('bad')).rejects.toThrow('invalid');
    await expect(check('bad')).rejects.toThrow('invalid');
    expect(verified).toEqual(['bad', 'bad']);
  });

  it('evicts the least recently used token beyond its limit', async () => {
    const { verified, check } = setUp(900);
    await check('first');
    for (let index = 0; index < 10_000; index += 1) await check(`token ${index}`);
    verified.length = 0;
    await check('token 9999');
    await check('first');
    expect(verified).toEqual(['first']);
  });
});
