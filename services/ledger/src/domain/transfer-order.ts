import { hash } from 'node:crypto';
import { accountsOf } from './apply-entry.ts';
import { type Intent, intentOf } from './draft-block.ts';
import type { Transfer } from './entry.ts';

/** What a platform service orders: linked transfers between users' free money and open system accounts. */
export type TransferOrder = {
  /** Caller-chosen UUID. */
  id: string;
  /** The first user account among the transfers' sides: the entry's own account. */
  accountId: string;
  transfers: readonly Transfer[];
};

/** What tells two orders under one id apart. */
export const orderHash = (transfers: readonly Transfer[], more = ''): string =>
  hash(
    'sha256',
    `${transfers.map(({ debit, credit, token, amount }) => `${debit} ${credit} ${token} ${amount}`).join('\n')}\n${more}`,
    'base64url',
  );

export const transferOrdered = ({ id, accountId, transfers }: TransferOrder): Intent => {
  const proposal = { id, kind: 'transfer', accountId, inputHash: orderHash(transfers), transfers, data: {} } as const;
  return intentOf(proposal, accountsOf(proposal));
};
