import { decodeIdCursor, pageOf } from '@florin/data/paging';
import type { ReconcileBalancesRequest } from '@florin/proto/chain/v1/reconciliation_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Reconciled, Reconciler } from '../reconciling/reconcile-accounts.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireDifference } from './to-wire.ts';

/** @throws CodedError SERVICE_UNAVAILABLE when a node fails */
const reconcileWith = async (
  { reconcile }: Reconciler,
  accounts: Parameters<Reconciler['reconcile']>[0],
): Promise<Reconciled | undefined> => {
  try {
    return await reconcile(accounts);
  } catch (cause) {
    throw cause instanceof CodedError ? cause : new CodedError('SERVICE_UNAVAILABLE', { cause });
  }
};

/** Compares the balances of a page of accounts with their chains. */
export const reconcileBalances = ({ accounts, reconcilers }: Dependencies) =>
  serviceMethod(async (request: ReconcileBalancesRequest) => {
    const page = pageOf(request);
    // The ledger's cursors have the form of this service's own.
    decodeIdCursor(page.cursor);
    const found = await accounts.page(page.cursor, page.limit);
    let compared = 0;
    const differences: Reconciled['differences'] = [];
    const blocks: { chainId: number; number: bigint; hash: string }[] = [];
    for (const reconciler of reconcilers) {
      const { chainId } = reconciler;
      const own = found.accounts.filter((account) => account.chainId === chainId);
      const reconciled = own.length === 0 ? undefined : await reconcileWith(reconciler, own);
      if (reconciled === undefined) continue;
      compared += own.length;
      differences.push(...reconciled.differences);
      blocks.push({ chainId, number: BigInt(reconciled.blockNumber), hash: reconciled.blockHash });
    }
    return { compared, differences: differences.map(toWireDifference), blocks, page: { nextCursor: found.nextCursor } };
  });
