import { describe, expect, it } from 'vitest';
import type { ServiceCaller, UserCaller } from '../auth/index.ts';
import { userOfCall } from './user-of-call.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const OWN = '01890a5d-ac96-774b-bcce-b302099a8058';
const user: UserCaller = { kind: 'wallet', wallet: '0x', expiresAt: new Date(), sessionId: 's', partnerId: 'florin', userId: OWN };
const service: ServiceCaller = { kind: 'service', name: 'back-office', scopes: new Set(), expiresAt: new Date() };

describe('the user of a call', () => {
  it('is the caller, who names nobody', () => {
    expect(userOfCall({ userId: '' }, user)).toBe(OWN);
    expect(() => userOfCall({ userId: ID }, user)).toThrow('user_id: must be empty with a user token');
    expect(() => userOfCall({ userId: OWN }, user)).toThrow('user_id');
  });

  it('is the one whom a service names', () => {
    expect(userOfCall({ userId: ID }, service)).toBe(ID);
    for (const userId of ['', 'x']) expect(() => userOfCall({ userId }, service)).toThrow('user_id: must be a UUID');
  });
});
