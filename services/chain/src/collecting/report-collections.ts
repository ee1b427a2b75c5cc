import type { Assets } from '@florin/rpc/assets';
import { type Amount, toMinorUnits } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { CollectionRecord, SettlementClient } from '../clients/settlement.ts';
import { type SafeTransfer, transferKey } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import { mapBounded } from '../ports/map-bounded.ts';
import type { CollectionReportStore, Reported } from '../store/collection-reports.ts';
import type { CursorStore } from '../store/cursors.ts';
import type { TransferStore } from '../store/transfers.ts';

/** Blocks whose transfers are read together. */
const WINDOW = 256;

/** Transfers that are looked at, and block times that are read, at the same time. */
const AT_ONCE = 64;

export type ReportingParts = {
  chainId: number;
  /** All nodes of the chain as one (`agree`). */
  node: Pick<ChainNode, 'blockTime' | 'header'>;
  /** Block up to which the watcher has booked all transfers. */
  cursors: Pick<CursorStore, 'find'>;
  transfers: Pick<TransferStore, 'from' | 'nextBlock'>;
  reports: CollectionReportStore;
  settlement: SettlementClient;
  /** Returns true if a transfer collects, or is from the treasury. */
  isMovement: (transfer: SafeTransfer) => Promise<boolean>;
  assets: Pick<Assets, 'tokens' | 'currencies'>;
  logger: Logger;
};

/**
 * Reports to the settlement service what has moved between Safes and the treasury, once it is final and booked in the ledger, each movement by its place on the chain. The
 * order and the amounts follow from the chain alone: killed anywhere, the same records are reported again.
 */
export const createCollectionReports = (parts: ReportingParts) => {
  const { chainId, node, cursors, transfers, reports, settlement, isMovement, assets, logger } = parts;

  const scaleOf = (symbol: string): { currency: string; from: number; to: number } => {
    const token = assets.tokens.find((one) => one.symbol === symbol);
    const currency = assets.currencies.find(({ code }) => code === token?.currency);
    if (token === undefined || currency === undefined) throw new Error(`ASSETS has no token ${symbol}`);
    return { currency: currency.code, from: token.decimals, to: currency.decimals };
  };

  /** The records of movements, in their order, and the sums after them. */
  const recordsOf = async (moved: readonly SafeTransfer[], before: Reported['sums']) => {
    const numbers = [...new Set(moved.map(({ blockNumber }) => blockNumber))];
    const times = await mapBounded(numbers, AT_ONCE, async (number) => [number, await node.blockTime(number)] as const);
    const dates = new Map(times.map(([number, time]) => [number, time.toISOString().slice(0, 10)]));
    const sums = new Map<string, Amount>(Object.entries(before).map(([token, sum]) => [token, BigInt(sum)]));
    const records = moved.flatMap((transfer): CollectionRecord[] => {
      const { token, amount, direction, blockNumber } = transfer;
      const { currency, from, to } = scaleOf(token);
      const sum = sums.get(token) ?? 0n;
      const after = direction === 'out' ? sum + amount : sum - amount;
      sums.set(token, after);
      const minor = toMinorUnits(after, from, to) - toMinorUnits(sum, from, to);
      return minor === 0n ? [] : [{ id: transferKey(transfer), date: dates.get(blockNumber) ?? '', currency, amount: minor }];
    });
    return { records, sums: Object.fromEntries([...sums].map(([token, sum]) => [token, sum.toString()])) };
  };

  return {
    /** Reports everything that is booked and not reported. Rejects when a node, the settlement service or the database fails; the next round goes on. */
    round: async (closed: () => boolean): Promise<void> => {
      let [stored, reported] = await reports.find(chainId).then((found) => [found, found]);
      // Finality was broken: everything is reported again, and what is known already stays.
      if (reported !== undefined && (await node.header(reported.number)).hash !== reported.hash) reported = undefined;
      while (!closed()) {
        const cursor = await cursors.find(chainId);
        const next = await transfers.nextBlock(chainId, reported?.number ?? -1);
        if (cursor === undefined || cursor.haltedAt !== undefined || next === undefined || next > cursor.number) return;
        const last = Math.min(next + WINDOW - 1, cursor.number);
        const { hash } = await node.header(last);
        const found = await transfers.from(chainId, next, last);
        const ours = await mapBounded(found, AT_ONCE, isMovement);
        const { records, sums } = await recordsOf(
          found.filter((_transfer, index) => ours[index]),
          reported?.sums ?? {},
        );
        for (const id of await settlement.importCollections(records))
          logger.warn({ id }, 'settlement has other content of a movement between a Safe and the treasury');
        const to = { chainId, number: last, hash, sums };
        if (!(await reports.move(stored, to))) return;
        stored = to;
        reported = to;
      }
    },
  };
};
