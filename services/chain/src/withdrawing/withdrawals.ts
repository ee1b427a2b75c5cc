import type { Hex } from '@florin/evm/hex';
import type { SafeParties } from '@florin/evm/safe';
import type { Token } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Runtime } from '@florin/rpc/runtime';
import type { Address } from 'viem';
import { newestNonce, safeNonce } from '../accounts/safe-nonce.ts';
import { type SafeWithdrawal, withdrawalTransaction } from '../domain/withdrawal.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { createTurns } from '../relaying/take-turns.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { Cursor } from '../store/cursors.ts';
import { type CarryingOut, createCarryingOut } from './carry-out-withdrawal.ts';

const OFFER_MS = 600_000;
const DAY_MS = 86_400_000;

/** Withdrawals that are looked after in one round. */
const BATCH = 200;

export type WithdrawalParts = Omit<CarryingOut, 'node' | 'now'> & {
  node: ExecutionNode;
  /** Block up to which the watcher has booked all transfers. */
  cursor: () => Promise<Cursor | undefined>;
  /** Most that an account may withdraw of a token within 24 hours, in its smallest unit, by symbol. */
  limits: ReadonlyMap<string, Amount>;
  runtime: Pick<Runtime, 'now' | 'newId'>;
};

type Order = {
  userId: string;
  parties: SafeParties;
  /** Block after which the Safe was verified. */
  inspectedBlock: number | undefined;
  token: Token & { address: string };
  amount: Amount;
  recipient: Address;
};

const hasEnded = ({ status }: SafeWithdrawal): boolean => status === 'completed' || status === 'failed';

/** Carries out withdrawals that the owner of a Safe and the platform sign together. */
export const createWithdrawals = (parts: WithdrawalParts) => {
  const { chainId, node, signerOf, withdrawals, ledger, cursor, limits, runtime } = parts;
  const carryingOut = createCarryingOut({ ...parts, now: runtime.now });
  const nextOpen = createTurns(
    BATCH,
    (after, limit) => withdrawals.inStates(chainId, ['submitted', 'reserved', 'signed', 'refused'], after, limit),
    ({ id }) => id,
  );

  const usedOf = (accountId: string, token: string, butFor: string): Promise<Amount> =>
    withdrawals.sumSince(accountId, token, new Date(runtime.now().getTime() - DAY_MS), butFor);

  const assertWithinLimit = async ({ id, accountId, token, amount }: Pick<SafeWithdrawal, 'id' | 'accountId' | 'token' | 'amount'>) => {
    const limit = limits.get(token);
    if (limit === undefined) return;
    if ((await usedOf(accountId, token, id)) + amount > limit) throw new CodedError('WITHDRAWAL_LIMIT_EXCEEDED');
  };

  /** Gives the money back once the Safe's nonce is used up and no transfer was seen up to the same block. */
  const endFailed = async (id: string, bookedTo: number): Promise<void> => {
    const withdrawal = await withdrawals.find(id);
    if (withdrawal?.status !== 'signed') return;
    const { transaction } = withdrawal;
    if ((await safeNonce(node, transaction.safe, bookedTo)) <= transaction.nonce) return;
    await ledger.fail(id);
    await withdrawals.move(withdrawal, 'failed');
  };

  return {
    /**
     * Freezes a transaction for the user to sign. Sets nothing aside.
     * @throws CodedError SAFES_NOT_AVAILABLE (the key of this Safe is not configured), SERVICE_UNAVAILABLE (the nodes are behind what is known of the
     * Safe), WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_LIMIT_EXCEEDED
     */
    offer: async ({ userId, parties, inspectedBlock, token, amount, recipient }: Order): Promise<SafeWithdrawal> => {
      const { accountId, safe, owner } = parties;
      if ((await signerOf(accountId)) === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
      const nonce = await newestNonce(node, safe, inspectedBlock);
      const transaction = withdrawalTransaction({ chainId, safe, token: token.address as Address, recipient, amount, nonce });
      const claimedBy = await withdrawals.claimantOf(transaction);
      // One that has ended has used up the nonce: nodes that show it as free are behind.
      if (claimedBy !== undefined) throw new CodedError(hasEnded(claimedBy) ? 'SERVICE_UNAVAILABLE' : 'WITHDRAWAL_IN_PROGRESS');
      const now = runtime.now();
      const withdrawal: SafeWithdrawal = {
        id: runtime.newId(),
        accountId,
        userId,
        token: token.symbol,
        amount,
        recipient,
        transaction,
        owner,
        status: 'offered',
        expiresAt: new Date(now.getTime() + OFFER_MS),
        createdAt: now,
      };
      await assertWithinLimit(withdrawal);
      await withdrawals.add(withdrawal);
      return withdrawal;
    },

    /**
     * Carries out an offered withdrawal with its owner's signature, which the caller has verified. A repeat returns it as it stands.
     * @throws CodedError the code by which it failed; WITHDRAWAL_EXPIRED
     */
    submit: async (withdrawal: SafeWithdrawal, signature: Hex): Promise<SafeWithdrawal> => {
      if (withdrawal.status === 'offered') {
        if (withdrawal.expiresAt <= runtime.now()) throw new CodedError('WITHDRAWAL_EXPIRED');
        // Of two that are submitted at once, one gets the Safe's nonce: the other one cannot exceed the limit.
        await assertWithinLimit(withdrawal);
        await withdrawals.move(withdrawal, 'submitted', { signature });
      }
      const moved = await carryingOut.moveOn(withdrawal.id);
      if (moved.refusal !== undefined) throw new CodedError(moved.refusal);
      return moved;
    },

    find: withdrawals.find,

    /** The amounts that an account may still withdraw of the tokens that have a limit. */
    allowances: (accountId: string): Promise<{ token: string; amount: Amount }[]> =>
      Promise.all(
        [...limits].map(async ([token, limit]) => {
          const left = limit - (await usedOf(accountId, token, ''));
          return { token, amount: left > 0n ? left : 0n };
        }),
      ),

    /** Goes on with interrupted withdrawals, and ends those that failed on the chain. */
    round: async (closed: () => boolean): Promise<void> => {
      const bookedTo = (await cursor())?.number;
      await workOnEach(await nextOpen(), closed, async ({ id, status }) => {
        await carryingOut.moveOn(id);
        if (status === 'signed' && bookedTo !== undefined) await endFailed(id, bookedTo);
      });
    },

    stuck: carryingOut.stuck,
  };
};

export type Withdrawals = ReturnType<typeof createWithdrawals>;
