import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { type Assets, findToken } from '../domain/assets.ts';
import { depositResolved } from '../domain/deposit.ts';
import { currentMovement, type MovementReader } from '../journal/current-movement.ts';
import type { Journal } from '../journal/journal.ts';
import type { KytScreener, ScreenedDeposit } from './screener.ts';

/** A deposit that waits for a verdict. */
export type PendingScreening = { depositId: string; accountId: string; dueAt: Date; attempts: number };

/** Pending deposits by the time at which they are screened next. */
export type PendingScreenings = {
  /** Those whose time has come, the longest waiting first. */
  due: (shard: string, now: Date, limit: number) => Promise<PendingScreening[]>;
  /** Takes one on: it comes due again at `again`, should nothing come of it. Answers false when somebody else has taken it. */
  take: (pending: PendingScreening, again: Date) => Promise<boolean>;
  /** Forgets one that turned out to be decided. */
  drop: (depositId: string) => Promise<void>;
};

const DEPOSITS_PER_ROUND = 64;
const CONCURRENCY = 8;

const MAX_RETRY_MS = 900_000;

/** Does the work for all items, some of them at a time. Rejects with the first failure when nothing is under way any more. */
const forEachOf = async <T>(items: readonly T[], concurrency: number, work: (item: T) => Promise<void>): Promise<void> => {
  const rest = items.values();
  const workers = await Promise.allSettled(
    Array.from({ length: concurrency }, async () => {
      for (const item of rest) await work(item);
    }),
  );
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
};

export type ScreeningOptions = {
  shard: string;
  journal: Pick<Journal, 'appendOne' | 'unprojected'>;
  screener: KytScreener;
  pending: PendingScreenings;
  movements: MovementReader;
  /** Address of the Safe of an account; undefined when there is no such account. */
  safeAddressOf: (accountId: string) => Promise<string | undefined>;
  assets: Assets;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
  /** Pause between two looks for deposits that are due. */
  intervalMs: number;
  /** A deposit without a verdict is asked about again after this, then after twice as long, and so on, up to a quarter of an hour. */
  retryMs: number;
};

/**
 * Screens the pending deposits of one shard, oldest first, and books the verdicts.
 *
 * A deposit is taken before anybody is asked: of two instances one asks, and when that one is killed, the provider fails or says
 * `hold`, the deposit comes due again, later each time. The journal decides: of a verdict and a ResolveDeposit that race one stands.
 */
export const startScreening = (options: ScreeningOptions): Rounds => {
  const { shard, journal, screener, pending, movements, safeAddressOf, assets, runtime, logger, intervalMs, retryMs } = options;

  const againAfter = (attempts: number): Date =>
    new Date(runtime.now().getTime() + Math.min(retryMs * 2 ** Math.min(attempts, 30), MAX_RETRY_MS));

  /** Undefined for a deposit that needs no verdict any more, or not yet shows. */
  const describe = async ({ depositId, accountId }: PendingScreening) => {
    const deposit = await currentMovement(movements, journal, 'deposits', depositId);
    if (deposit === undefined) return undefined;
    if (deposit.status !== 'pending') {
      await pending.drop(depositId);
      return undefined;
    }
    const { txHash, logIndex, token, amount, decimals, currency } = deposit;
    const chainId = findToken(assets, token)?.chainId;
    const safeAddress = await safeAddressOf(accountId);
    if (chainId === undefined || safeAddress === undefined) throw new Error('the token or the account of a deposit is not known');
    const subject: ScreenedDeposit = { depositId, accountId, chainId, safeAddress, txHash, logIndex, token, amount, decimals, currency };
    return { deposit, subject };
  };

  const screen = async (one: PendingScreening): Promise<void> => {
    const { depositId, attempts } = one;
    if (!(await pending.take(one, againAfter(attempts)))) return;
    try {
      const described = await describe(one);
      if (described === undefined) return;
      const { result, riskScore, riskTier } = await screener.screen(described.subject);
      if (result === 'hold') return;
      const outcome = await journal.appendOne(
        depositResolved(described.deposit, result === 'approve' ? 'approved' : 'rejected', { result, riskScore, riskTier }),
      );
      if (outcome.kind === 'refused') logger.warn({ depositId, code: outcome.code }, 'the verdict on a deposit cannot be booked');
    } catch (err) {
      logger.warn({ err, depositId, attempts }, 'screening a deposit failed, will be repeated');
    }
  };

  return startRounds({
    round: async (closed) => {
      for (;;) {
        const due = await pending.due(shard, runtime.now(), DEPOSITS_PER_ROUND);
        await forEachOf(due, CONCURRENCY, async (one) => {
          if (!closed()) await screen(one);
        });
        if (due.length < DEPOSITS_PER_ROUND || closed()) return;
      }
    },
    intervalMs,
    logger,
    failed: 'looking for deposits to screen failed, will be repeated',
  });
};
