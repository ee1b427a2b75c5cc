import { createHash } from 'node:crypto';
import type { Passkey as PasskeyView } from '../contract/index.ts';
import type { Passkey } from '../store/operators.ts';

/** Name of a passkey in paths and in the audit log: the beginning of a hash of its credential's id, which is of any length. */
export const passkeyIdOf = ({ id }: Pick<Passkey, 'id'>): string => createHash('sha256').update(id).digest('hex').slice(0, 32);

export const toPasskeyView = (passkey: Passkey): PasskeyView => ({
  id: passkeyIdOf(passkey),
  ...(passkey.name === undefined ? {} : { name: passkey.name }),
  createdAt: passkey.createdAt.toISOString(),
  ...(passkey.lastUsedAt === undefined ? {} : { lastUsedAt: passkey.lastUsedAt.toISOString() }),
});
