import { describe, expect, it } from 'vitest';
import type { Caller } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';
import { authorize } from './authorize.ts';
import type { Policy } from './method.ts';

const WALLET: Caller = { kind: 'wallet', wallet: '0x1', sessionId: 's', partnerId: 'p' };
const CALLERS = {
  nobody: undefined,
  wallet: WALLET,
  user: { ...WALLET, userId: 'u' },
  service: { kind: 'service', name: 'a', scopes: new Set(['x.read']) },
  otherService: { kind: 'service', name: 'b', scopes: new Set(['x.write', 'x.rea', 'x.read.all']) },
} as const satisfies Record<string, Caller | undefined>;

const SCOPE = 'x.read';

describe('authorize', () => {
  it.each<[Policy, keyof typeof CALLERS, string]>([
    [{ access: 'public' }, 'nobody', 'ok'],
    [{ access: 'wallet' }, 'nobody', 'UNAUTHORIZED'],
    [{ access: 'wallet' }, 'wallet', 'ok'],
    [{ access: 'wallet' }, 'user', 'ok'],
    [{ access: 'wallet' }, 'service', 'FORBIDDEN'],
    [{ access: 'user' }, 'nobody', 'UNAUTHORIZED'],
    [{ access: 'user' }, 'wallet', 'USER_NOT_REGISTERED'],
    [{ access: 'user' }, 'user', 'ok'],
    [{ access: 'user' }, 'service', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE }, 'nobody', 'UNAUTHORIZED'],
    [{ access: 'service', scope: SCOPE }, 'wallet', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE }, 'user', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE }, 'service', 'ok'],
    [{ access: 'service', scope: SCOPE }, 'otherService', 'FORBIDDEN'],
    [{ access: 'userOrService', scope: SCOPE }, 'nobody', 'UNAUTHORIZED'],
    [{ access: 'userOrService', scope: SCOPE }, 'wallet', 'USER_NOT_REGISTERED'],
    [{ access: 'userOrService', scope: SCOPE }, 'user', 'ok'],
    [{ access: 'userOrService', scope: SCOPE }, 'service', 'ok'],
    [{ access: 'userOrService', scope: SCOPE }, 'otherService', 'FORBIDDEN'],
    [{ access: 'unheard of' } as unknown as Policy, 'user', 'FORBIDDEN'],
  ])('%j for %s: %s', async (policy, who, expected) => {
    const caller = CALLERS[who];
    const authenticate = async (): Promise<Caller> => {
      if (caller === undefined) throw new CodedError('UNAUTHORIZED');
      return caller;
    };
    const answer = authorize(policy, authenticate, 'Bearer a.b.c');
    if (expected === 'ok') expect(await answer).toBe(caller);
    else await expect(answer).rejects.toMatchObject({ code: expected });
  });

  it('does not look at tokens where none is needed', async () => {
    const authenticate = async (): Promise<Caller> => Promise.reject(new CodedError('UNAUTHORIZED'));
    expect(await authorize({ access: 'public' }, authenticate, 'Bearer bad')).toBeUndefined();
  });
});
