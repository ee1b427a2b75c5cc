import { describe, expect, it } from 'vitest';
import type { Caller } from '../auth/index.ts';
import type { Policy } from '../contract/index.ts';
import { CodedError } from '../errors/index.ts';
import { authorize } from './authorize.ts';

const expiresAt = new Date();
const WALLET: Caller = { kind: 'wallet', wallet: '0x1', sessionId: 's', partnerId: 'p', expiresAt };
const CALLERS = {
  anonymous: undefined,
  wallet: WALLET,
  user: { ...WALLET, userId: 'u' },
  service: { kind: 'service', name: 'a', scopes: new Set(['x.read']), expiresAt },
  person: { kind: 'service', name: 'ada', scopes: new Set(['x.read']), expiresAt, person: true },
  otherService: { kind: 'service', name: 'b', scopes: new Set(['x.write', 'x.rea', 'x.read.all']), expiresAt },
  partner: { kind: 'service', name: 'k', scopes: new Set(['p.read']), expiresAt, partnerId: 'acme' },
  platform: { kind: 'service', name: 'c', scopes: new Set(['p.read']), expiresAt },
} as const satisfies Record<string, Caller | undefined>;

const SCOPE = 'x.read';

describe('authorize', () => {
  it.each<[Policy, keyof typeof CALLERS, string]>([
    [{ access: 'public' }, 'anonymous', 'ok'],
    [{ access: 'wallet' }, 'anonymous', 'UNAUTHORIZED'],
    [{ access: 'wallet' }, 'wallet', 'ok'],
    [{ access: 'wallet' }, 'user', 'ok'],
    [{ access: 'wallet' }, 'service', 'FORBIDDEN'],
    [{ access: 'user' }, 'anonymous', 'UNAUTHORIZED'],
    [{ access: 'user' }, 'wallet', 'USER_NOT_REGISTERED'],
    [{ access: 'user' }, 'user', 'ok'],
    [{ access: 'user' }, 'service', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE }, 'anonymous', 'UNAUTHORIZED'],
    [{ access: 'service', scope: SCOPE }, 'wallet', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE }, 'user', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE }, 'service', 'ok'],
    [{ access: 'service', scope: SCOPE }, 'person', 'ok'],
    [{ access: 'service', scope: SCOPE }, 'otherService', 'FORBIDDEN'],
    [{ access: 'process', scope: SCOPE }, 'anonymous', 'UNAUTHORIZED'],
    [{ access: 'process', scope: SCOPE }, 'user', 'FORBIDDEN'],
    [{ access: 'process', scope: SCOPE }, 'service', 'ok'],
    [{ access: 'process', scope: SCOPE }, 'person', 'FORBIDDEN'],
    [{ access: 'process', scope: SCOPE }, 'otherService', 'FORBIDDEN'],
    [{ access: 'userOrService', scope: SCOPE }, 'anonymous', 'UNAUTHORIZED'],
    [{ access: 'userOrService', scope: SCOPE }, 'wallet', 'USER_NOT_REGISTERED'],
    [{ access: 'userOrService', scope: SCOPE }, 'user', 'ok'],
    [{ access: 'userOrService', scope: SCOPE }, 'service', 'ok'],
    [{ access: 'userOrService', scope: SCOPE }, 'otherService', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE }, 'partner', 'FORBIDDEN'],
    [{ access: 'process', scope: SCOPE }, 'partner', 'FORBIDDEN'],
    [{ access: 'userOrService', scope: SCOPE }, 'partner', 'FORBIDDEN'],
    [{ access: 'service', scope: SCOPE, partnerScope: 'p.read' }, 'partner', 'ok'],
    [{ access: 'userOrService', scope: SCOPE, partnerScope: 'p.read' }, 'partner', 'ok'],
    [{ access: 'userOrService', scope: SCOPE, partnerScope: 'p.other' }, 'partner', 'FORBIDDEN'],
    // The scope of partners admits nobody else.
    [{ access: 'userOrService', scope: SCOPE, partnerScope: 'p.read' }, 'platform', 'FORBIDDEN'],
    [{ access: 'userOrService', scope: SCOPE, partnerScope: 'p.read' }, 'service', 'ok'],
    [{ access: 'unknown' } as unknown as Policy, 'user', 'FORBIDDEN'],
  ])('applies policy %j to caller %s: %s', async (policy, name, expected) => {
    const caller = CALLERS[name];
    const authenticate = async (): Promise<Caller> => {
      if (caller === undefined) throw new CodedError('UNAUTHORIZED');
      return caller;
    };
    const result = authorize(policy, authenticate, 'Bearer a.b.c');
    if (expected === 'ok') expect(await result).toBe(caller);
    else await expect(result).rejects.toMatchObject({ code: expected });
  });

  it('ignores tokens on public methods', async () => {
    const authenticate = async (): Promise<Caller> => Promise.reject(new CodedError('UNAUTHORIZED'));
    expect(await authorize({ access: 'public' }, authenticate, 'Bearer bad')).toBeUndefined();
  });
});
