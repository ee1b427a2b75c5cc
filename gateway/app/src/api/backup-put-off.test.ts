import { expect, test } from 'vitest';
import { isBackupPutOff, putOffBackup } from './backup-put-off.ts';

test('each account is put off for itself, whoever uses the browser next', () => {
  const accounts = ['a', 'b', 'c'];
  for (const account of ['a', 'b', 'b']) putOffBackup(account);
  expect(accounts.map(isBackupPutOff)).toEqual([true, true, false]);
});
