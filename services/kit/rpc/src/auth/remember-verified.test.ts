import { describe, expect, it } from 'vitest';
import { fakeClock } from '../testing/index.ts';
import { rememberVerified } from './remember-verified.ts';

const setUp = (lifeSeconds: number) => {
  const clock = fakeClock();
  const asked: string[] = [];
  const verify = async (token: string) => {
    asked.push(token);
    if (token.startsWith('bad')) throw new Error('refused');
    return { caller: `caller of ${token}`, expiresAt: new Date(clock.now().getTime() + lifeSeconds * 1000) };
  };
  return { clock, asked, check: rememberVerified(verify, clock.now) };
};

describe('rememberVerified', () => {
  it('verifies the same bytes once', async () => {
    const { asked, check } = setUp(900);
    expect([await check('a'), await check('a'), await check('b')]).toEqual(['caller of a', 'caller of a', 'caller of b']);
    expect(asked).toEqual(['a', 'b']);
  });

  it('never remembers a token past its end', async () => {
    const { clock, asked, check } = setUp(10);
    await check('a');
    clock.advanceSeconds(10);
    await check('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('looks again after a minute, so that a withdrawn key counts', async () => {
    const { clock, asked, check } = setUp(900);
    await check('a');
    clock.advanceSeconds(60);
    await check('a');
    expect(asked).toEqual(['a', 'a']);
  });

  it('remembers no refusal', async () => {
    const { asked, check } = setUp(900);
    await expect(check('bad')).rejects.toThrow('refused');
    await expect(check('bad')).rejects.toThrow('refused');
    expect(asked).toEqual(['bad', 'bad']);
  });

  it('forgets the oldest beyond its bound', async () => {
    const { asked, check } = setUp(900);
    await check('first');
    for (let index = 0; index < 10_000; index += 1) await check(`token ${index}`);
    asked.length = 0;
    await check('token 9999');
    await check('first');
    expect(asked).toEqual(['first']);
  });
});
