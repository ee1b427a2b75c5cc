import { type Assets, findToken } from '@florin/rpc/assets';
import type { Amount } from '@florin/rpc/money';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { Account } from '../domain/account.ts';
import { depositResolved } from '../domain/deposit.ts';
import { BELOW_MINIMUM } from '../domain/movement.ts';
import { currentMovement, type MovementReader } from '../journal/current-movement.ts';
import type { Journal } from '../journal/journal.ts';
import type { KytScreener, ScreenedDeposit } from '../ports/kyt-screener.ts';

/** A deposit that waits for a verdict. */
export type PendingScreening = { depositId: string; accountId: string; dueAt: Date; attempts: number };

/** Pending deposits by the time at which they are due for screening. */
export type PendingScreenings = {
  /** Returns deposits that are due, longest overdue first. */
  due: (shard: string, now: Date, limit: number) => Promise<PendingScreening[]>;
  /** Claims a deposit and makes it due again at `again`, in case this attempt fails. @returns false when another instance has claimed it */
  take: (pending: PendingScreening, again: Date) => Promise<boolean>;
  /** Removes a deposit that is already decided. */
  drop: (depositId: string) => Promise<void>;
};

const DEPOSITS_PER_ROUND = 64;
const CONCURRENCY = 8;

/** The verdict on a deposit that is too small to be screened. It is rejected: a sum of such amounts would pass by the screening. */
const TOO_SMALL = { result: BELOW_MINIMUM, riskScore: 0, riskTier: 'none' } as const;

const MAX_RETRY_MS = 900_000;

/** Runs `work` for all items with limited concurrency. Rejects with the first failure once all running work has settled. */
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
  findAccount: (accountId: string) => Promise<Pick<Account, 'safeAddress' | 'formerAccountId'> | undefined>;
  assets: Assets;
  /** Least amount of a token that is screened and credited, by symbol. */
  minimumOf: (token: string) => Amount;
  runtime: Pick<Runtime, 'now'>;
  logger: Logger;
  /** Interval between two searches for due deposits. */
  intervalMs: number;
  /** Pause before a deposit without a verdict is screened again. Doubles with each attempt, up to 15 minutes. */
  retryMs: number;
};

/**
 * Starts screening the pending deposits of one shard, oldest first, and books the verdicts.
 *
 * A deposit is claimed before the screener is called, so only one of two instances calls it. When that instance is killed, or the
 * screener fails or returns `hold`, the deposit becomes due again after a growing pause. A deposit below the minimum is rejected without a screening, unless it comes from a
 * former account of the same user. The journal accepts exactly one of a verdict and a concurrent ResolveDeposit.
 */
export const startScreening = (options: ScreeningOptions): Rounds => {
  const { shard, journal, screener, pending, movements, findAccount, assets, minimumOf, runtime, logger, intervalMs, retryMs } = options;

  const againAfter = (attempts: number): Date =>
    new Date(runtime.now().getTime() + Math.min(retryMs * 2 ** Math.min(attempts, 30), MAX_RETRY_MS));

  /** Returns undefined for a deposit that is already decided, or is not projected yet. */
  const describe = async ({ depositId, accountId }: PendingScreening) => {
    const deposit = await currentMovement(movements, journal, 'deposits', depositId);
    if (deposit === undefined) return undefined;
    if (deposit.status !== 'pending') {
      await pending.drop(depositId);
      return undefined;
    }
    const { txHash, logIndex, token, amount, decimals, currency, from: senderAddress = '' } = deposit;
    const chainId = findToken(assets, token)?.chainId;
    const account = await findAccount(accountId);
    if (chainId === undefined || account === undefined) throw new Error('the token or the account of the deposit is unknown');
    const { safeAddress } = account;
    const money = { token, amount, decimals, currency };
    const subject: ScreenedDeposit = { depositId, accountId, chainId, safeAddress, txHash, logIndex, senderAddress, ...money };
    return { deposit, subject, account };
  };

  /** Returns true if a deposit comes from the Safe of a former account: what is left there is moved, however little it is. */
  const isMove = async ({ formerAccountId }: Pick<Account, 'formerAccountId'>, { senderAddress }: ScreenedDeposit): Promise<boolean> => {
    for (let id = formerAccountId; id !== undefined; ) {
      const former = await findAccount(id);
      if (former?.safeAddress === senderAddress) return true;
      id = former?.formerAccountId;
    }
    return false;
  };

  const screen = async (one: PendingScreening): Promise<void> => {
    const { depositId, attempts } = one;
    if (!(await pending.take(one, againAfter(attempts)))) return;
    try {
      const described = await describe(one);
      if (described === undefined) return;
      const { deposit, subject, account } = described;
      const isScreened = BigInt(subject.amount) >= minimumOf(subject.token) || (await isMove(account, subject));
      const { result, riskScore, riskTier } = isScreened ? await screener.screen(subject) : TOO_SMALL;
      if (result === 'hold') return;
      const outcome = await journal.appendOne(
        depositResolved(deposit, result === 'approve' ? 'approved' : 'rejected', { result, riskScore, riskTier }),
      );
      if (outcome.kind === 'refused') logger.warn({ depositId, code: outcome.code }, 'booking the verdict on a deposit failed');
    } catch (err) {
      logger.warn({ err, depositId, attempts }, 'screening a deposit failed, it will be retried');
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
    failed: 'finding deposits to screen failed, it will be retried',
  });
};
