import { describe, expect, it } from 'vitest';
import { PERMISSIONS, permissionsOf, ROLE_PERMISSIONS, ROLES, STEP_UP_PERMISSIONS } from './index.ts';

describe('roles', () => {
  it('allow nothing without a role', () => {
    expect(permissionsOf([])).toEqual([]);
  });

  it('add up, in the order of the table', () => {
    expect(permissionsOf(['admin', 'viewer'])).toEqual([
      'overview.read',
      'partners.read',
      'partners.manage',
      'operators.manage',
      'audit.read',
    ]);
    expect(permissionsOf(ROLES)).toEqual(PERMISSIONS);
  });

  it('keep what concerns people from those who manage operators', () => {
    const ofAdmin = ROLE_PERMISSIONS.admin;
    expect(ofAdmin.filter((permission) => /^(?:people|cards|sessions|accounts|kyc|deposits|disputes|money)\./.test(permission))).toEqual(
      [],
    );
    const others = ROLES.filter((role) => role !== 'admin').flatMap((role) => ROLE_PERMISSIONS[role]);
    expect(others.filter((permission) => permission === 'operators.manage' || permission === 'audit.read')).toEqual([]);
  });

  it('let nobody move money without a confirmation', () => {
    for (const permission of PERMISSIONS.filter((one) => /^money\.(?!read)|^deposits\.|^disputes\.|^accounts\.unblock/.test(one))) {
      expect(STEP_UP_PERMISSIONS).toContain(permission);
    }
  });
});
