import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRevokedSessions, REVOCATION_KEPT_MS } from './index.ts';

const start = (maxSessions?: number) => {
  let time = 0;
  const revoked = createRevokedSessions({ now: () => time, ...(maxSessions === undefined ? {} : { maxSessions }) });
  revoked.heard();
  const verdict = async (sessionId: string): Promise<string> => {
    try {
      await revoked.check(sessionId);
      return 'good';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  /** Advances the clock while news keeps arriving. */
  const pass = (ms: number) => {
    time += ms;
    revoked.heard();
  };
  /** Advances the clock without news. */
  const silence = (ms: number) => {
    time += ms;
  };
  return { ...revoked, verdict, pass, silence };
};

describe('revoked sessions', () => {
  it('are rejected for as long as one of their tokens can be valid, and then forgotten', async () => {
    const { add, verdict, pass } = start();
    const [one, two] = [randomUUID(), randomUUID()];
    add([one]);
    pass(1000);
    add([two, one]);
    expect(await Promise.all([verdict(one), verdict(two), verdict(randomUUID())])).toEqual(['UNAUTHORIZED', 'UNAUTHORIZED', 'good']);
    pass(REVOCATION_KEPT_MS - 1000);
    add([]);
    expect(await Promise.all([verdict(one), verdict(two)])).toEqual(['good', 'UNAUTHORIZED']);
  });

  it('are unknown without news, and then no session is accepted', async () => {
    const { verdict, silence, pass } = start();
    silence(5000);
    expect(await verdict('any')).toBe('good');
    silence(1);
    expect(await verdict('any')).toBe('SERVICE_UNAVAILABLE');
    pass(0);
    expect(await verdict('any')).toBe('good');
  });

  it('are unknown before the first news, for which a request waits briefly', async () => {
    await expect(createRevokedSessions().check('any')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const revoked = createRevokedSessions();
    const [good, ended] = [revoked.check('good'), revoked.check('ended')];
    revoked.add(['ended']);
    revoked.heard();
    await good;
    await expect(ended).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('beyond the limit cause every session to be rejected until the access tokens of that time have expired', async () => {
    const { add, verdict, pass } = start(2);
    add(['1', '2', '3']);
    expect(await Promise.all([verdict('1'), verdict('3'), verdict('4')])).toEqual([
      'UNAUTHORIZED',
      'SERVICE_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ]);
    pass(REVOCATION_KEPT_MS);
    add(['5']);
    expect(await Promise.all([verdict('4'), verdict('5')])).toEqual(['good', 'UNAUTHORIZED']);
  });

  it('notify each subscriber once, and none that unsubscribed', () => {
    const { add, onRevoked } = start();
    const called: string[] = [];
    onRevoked(['1'], () => called.push('one'));
    onRevoked(['1'], () => called.push('two'));
    const forget = onRevoked(['1'], () => called.push('gone'));
    forget();
    forget();
    add(['1', '2']);
    add(['1']);
    expect(called).toEqual(['one', 'two']);
    onRevoked(['2'], () => called.push('late'));
    expect(called).toEqual(['one', 'two', 'late']);
  });
});
