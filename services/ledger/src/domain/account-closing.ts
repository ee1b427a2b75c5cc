import type { Intent } from './draft-block.ts';
import { inputHash } from './input-hash.ts';

/**
 * Ends an account. An entry of the journal, because only there a close and a deposit that race have an order: whichever is written
 * first makes the other impossible (ACCOUNT_CLOSED, or ACCOUNT_NOT_EMPTY). The account's record follows as a projection.
 */
export const accountClosed = (accountId: string): Intent => ({
  entry: { id: `account/${accountId}/closed`, kind: 'account.closed', accountId, inputHash: inputHash(), transfers: [], data: {} },
});
