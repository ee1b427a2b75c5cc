import type { Hex } from '@florin/evm/hex';
import { encodeExecution, joinOwnerSignatures, type SafeParties } from '@florin/evm/safe';
import type { Token } from '@florin/rpc/assets';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Runtime } from '@florin/rpc/runtime';
import type { Address } from 'viem';
import { newestNonce, safeNonce } from '../accounts/safe-nonce.ts';
import type { WithdrawalsClient } from '../clients/withdrawals.ts';
import { type SafeWithdrawal, WITHDRAWAL_GAS, withdrawalTransaction } from '../domain/withdrawal.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import type { KeySigner } from '../ports/key-signer.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { Cursor } from '../store/cursors.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { SafeWithdrawalStore } from '../store/safe-withdrawals.ts';

const OFFER_MS = 600_000;
const DAY_MS = 86_400_000;

/** Withdrawals that are looked after in one round. */
const BATCH = 200;

export type WithdrawalParts = {
  chainId: number;
  node: ExecutionNode;
  /** The platform's key, second owner of every Safe. */
  signer: KeySigner;
  withdrawals: SafeWithdrawalStore;
  jobs: Pick<RelayJobStore, 'add' | 'find'>;
  ledger: WithdrawalsClient;
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
  const { chainId, node, signer, withdrawals, jobs, ledger, cursor, limits, runtime } = parts;

  const usedOf = (accountId: string, token: string, butFor: string): Promise<Amount> =>
    withdrawals.sumSince(accountId, token, new Date(runtime.now().getTime() - DAY_MS), butFor);

  const assertWithinLimit = async ({ id, accountId, token, amount }: Pick<SafeWithdrawal, 'id' | 'accountId' | 'token' | 'amount'>) => {
    const limit = limits.get(token);
    if (limit === undefined) return;
    if ((await usedOf(accountId, token, id)) + amount > limit) throw new CodedError('WITHDRAWAL_LIMIT_EXCEEDED');
  };

  /** reserved or submitted → failed, over `refused`, from where an interrupted call is gone on with. */
  const refuse = async (withdrawal: SafeWithdrawal, refusal: ErrorCode): Promise<never> => {
    await withdrawals.move(withdrawal, 'refused', { refusal });
    await release(withdrawal.id);
    throw new CodedError(refusal);
  };

  /** refused → failed. */
  const release = async (id: string): Promise<void> => {
    await ledger.fail(id);
    await withdrawals.move({ id, status: 'refused' }, 'failed');
  };

  /** submitted → reserved. */
  const reserve = async (withdrawal: SafeWithdrawal): Promise<SafeWithdrawal> => {
    const refusal = await ledger.reserve(withdrawal);
    if (refusal !== undefined) return refuse(withdrawal, refusal);
    await withdrawals.move(withdrawal, 'reserved');
    return { ...withdrawal, status: 'reserved' };
  };

  /** reserved → signed: from here on, the chain alone decides. */
  const sign = async (withdrawal: SafeWithdrawal): Promise<SafeWithdrawal> => {
    const { transaction } = withdrawal;
    // An interrupted call has claimed it: nothing else can have used it since.
    if (!(await withdrawals.hasNonce(withdrawal))) {
      const nonce = await safeNonce(node, transaction.safe, await node.newestNumber());
      // The nodes are behind those that the user was asked with: nothing is known about the nonce yet.
      if (nonce < transaction.nonce) throw new CodedError('SERVICE_UNAVAILABLE');
      if (nonce !== transaction.nonce || !(await withdrawals.claimNonce(withdrawal))) return refuse(withdrawal, 'WITHDRAWAL_IN_PROGRESS');
    }
    await withdrawals.move(withdrawal, 'signed');
    return { ...withdrawal, status: 'signed' };
  };

  /** Has a signed withdrawal sent. Every step may be repeated: the platform's signature is the same each time. */
  const send = async ({ id, owner, transaction, signature }: SafeWithdrawal): Promise<void> => {
    const jobId = `withdrawal/${id}`;
    if ((await jobs.find(jobId)) !== undefined) return;
    if (signature === undefined) throw new Error('a signed withdrawal must have a signature');
    await ledger.process(id);
    const signatures = joinOwnerSignatures([
      { owner, signature },
      { owner: signer.address, signature: await signer.signSafeTransaction(transaction) },
    ]);
    await jobs.add({ id: jobId, chainId, ...encodeExecution(transaction, signatures), gas: WITHDRAWAL_GAS, createdAt: runtime.now() });
  };

  const moveOn = async (id: string): Promise<SafeWithdrawal> => {
    const current = await withdrawals.find(id);
    if (current === undefined) throw new CodedError('WITHDRAWAL_NOT_FOUND');
    if (current.status === 'refused') await release(id);
    if (!['submitted', 'reserved', 'signed'].includes(current.status)) return current;
    const reserved = current.status === 'submitted' ? await reserve(current) : current;
    const signed = reserved.status === 'reserved' ? await sign(reserved) : reserved;
    await send(signed);
    return signed;
  };

  /** Calls under way, by withdrawal: one process works on a chain, and two calls must not decide about one withdrawal at the same time. */
  const running = new Map<string, Promise<SafeWithdrawal>>();
  /** Moves a withdrawal on until it is sent. @throws CodedError by which it failed, or SERVICE_UNAVAILABLE when a later round goes on */
  const advance = (id: string): Promise<SafeWithdrawal> => {
    const known = running.get(id);
    if (known !== undefined) return known;
    const started = moveOn(id).finally(() => running.delete(id));
    running.set(id, started);
    return started;
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
     * @throws CodedError SERVICE_UNAVAILABLE (the nodes are behind what is known of the Safe), WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_LIMIT_EXCEEDED
     */
    offer: async ({ userId, parties, inspectedBlock, token, amount, recipient }: Order): Promise<SafeWithdrawal> => {
      const { accountId, safe, owner } = parties;
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
      const moved = await advance(withdrawal.id);
      // A round may have come first.
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

    /** Goes on with what was interrupted, and ends what failed on the chain. */
    round: async (closed: () => boolean): Promise<void> => {
      const open = await withdrawals.inStates(chainId, ['submitted', 'reserved', 'signed', 'refused'], BATCH);
      const bookedTo = (await cursor())?.number;
      await workOnEach(open, closed, async ({ id, status }) => {
        try {
          await advance(id);
        } catch (error) {
          if ((await withdrawals.find(id))?.status !== 'failed') throw error;
        }
        if (status === 'signed' && bookedTo !== undefined) await endFailed(id, bookedTo);
      });
    },
  };
};

export type Withdrawals = ReturnType<typeof createWithdrawals>;
