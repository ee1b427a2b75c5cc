import { EntryResultCode as Code } from '@florin/proto/ledger/v1/entry';
import type { RpcChannel } from '@florin/rpc/client';
import { createEntriesClient } from '@florin/rpc/entries';
import type { Amount } from '@florin/rpc/money';
import { type SafeTransfer, transferId } from '../domain/transfer.ts';
import { nettingId } from './ledger-entries.ts';

/** Entries about what cards have spent and has moved between Safes and the treasury. Repeating a call changes nothing. */
export type CollectionsClient = {
  /**
   * Books a final transfer between a Safe and the treasury: what was collected is not in the Safe any more, and what was returned is there again for the refund that it pays.
   * @throws CodedError SERVICE_UNAVAILABLE; Error when the ledger does not know the account or the token
   */
  book: (transfer: SafeTransfer) => Promise<void>;
  /**
   * Books the final transfer that returned a rejected deposit to its sender.
   * @throws CodedError SERVICE_UNAVAILABLE; Error when the ledger does not know the account or the token
   */
  bookReturned: (transfer: SafeTransfer) => Promise<void>;
  /**
   * Pays refunds out of what was spent and is still in the Safe (`owed` below zero), or makes what others have received from the account collectable (above zero).
   * @param n nettings of the account in this token so far
   * @returns false when another process has netted, or the money is not there
   */
  net: (account: { accountId: string; token: string }, owed: Amount, n: number) => Promise<boolean>;
};

export const createCollectionsClient = (channel: RpcChannel): CollectionsClient => {
  const entries = createEntriesClient(channel);
  type Move = { debit: string; credit: string };
  const bookTransfer = async (transfer: SafeTransfer, reason: string, moves: readonly Move[]): Promise<void> => {
    const { token, amount, txHash } = transfer;
    const metadata = { actor: 'chain', reason, externalReference: txHash };
    const transfers = moves.map((move) => ({ ...move, token, amount: amount.toString() }));
    const code = await entries.create({ entryId: transferId(transfer), transfers, forced: true, metadata });
    if (code !== Code.CREATED && code !== Code.EXISTS) throw new Error(`the ledger did not book the transfer ${txHash}: code ${code}`);
  };
  return {
    book: async (transfer) => {
      const { accountId, direction } = transfer;
      const [settling, chain] = [`${accountId}/settling`, 'chain'];
      const [debit, credit] = direction === 'out' ? [settling, chain] : [chain, settling];
      await bookTransfer(transfer, direction === 'out' ? 'collected' : 'returned', [{ debit, credit }]);
    },
    bookReturned: async (transfer) => {
      // Through settling money, which repays no debt on its way.
      const settling = `${transfer.accountId}/settling`;
      await bookTransfer(transfer, 'rejected deposit returned', [
        { debit: 'refused', credit: settling },
        { debit: settling, credit: 'chain' },
      ]);
    },
    net: async ({ accountId, token }, owed, n) => {
      const [settling, network] = [`${accountId}/settling`, 'settlement'];
      const [debit, credit] = owed < 0n ? [settling, network] : [network, settling];
      const amount = (owed < 0n ? -owed : owed).toString();
      const metadata = { actor: 'chain', reason: 'netted' };
      // Settling money is never taken from what the user has: only what is there.
      const entry = { entryId: nettingId(accountId, token, n), transfers: [{ debit, credit, token, amount }], forced: owed > 0n, metadata };
      return (await entries.create(entry)) === Code.CREATED;
    },
  };
};
