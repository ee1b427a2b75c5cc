import { expect, it } from 'vitest';
import type { Caller } from '../auth/index.ts';
import type { Policy } from '../contract/index.ts';
import { requireOwnUser } from './require-own-user.ts';

const expiresAt = new Date();
const service = { kind: 'service', name: 'k', scopes: new Set<string>(), expiresAt } as const;
const partner: Caller = { ...service, partnerId: 'acme' };
const user: Caller = { kind: 'wallet', wallet: '0x1', sessionId: 's', partnerId: 'acme', userId: 'theirs', expiresAt };
const POLICY: Policy = { access: 'userOrService', scope: 'x.read', partnerScope: 'p.read' };

const isOwn = async (userId: string, partnerId: string): Promise<boolean> => userId === 'own' && partnerId === 'acme';

it.each<[string, Caller | undefined, object, Policy, typeof isOwn | undefined, string]>([
  ['its own user', partner, { userId: 'own' }, POLICY, isOwn, 'ok'],
  ['the user of another partner', partner, { userId: 'theirs' }, POLICY, isOwn, 'USER_NOT_FOUND'],
  ['an own user whom another partner names', { ...partner, partnerId: 'other' }, { userId: 'own' }, POLICY, isOwn, 'USER_NOT_FOUND'],
  ['nobody', partner, { userId: '' }, POLICY, isOwn, 'VALIDATION_FAILED'],
  ['nobody, in a request without the field', partner, {}, POLICY, isOwn, 'VALIDATION_FAILED'],
  ['its own user at a service that knows no partners', partner, { userId: 'own' }, POLICY, undefined, 'FORBIDDEN'],
  ['anybody, as a platform service', service, { userId: 'theirs' }, POLICY, isOwn, 'ok'],
  ['itself, as a user', user, { userId: '' }, POLICY, isOwn, 'ok'],
  ['a feed, in an RPC that keeps partners apart itself', partner, {}, { access: 'service', scope: 'events.read' }, isOwn, 'ok'],
])('a partner that names %s', async (_what, caller, request, policy, belongs, expected) => {
  const required = requireOwnUser(policy, caller, request, belongs);
  if (expected === 'ok') await expect(required).resolves.toBeUndefined();
  else await expect(required).rejects.toMatchObject({ code: expected });
});
