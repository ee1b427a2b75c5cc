import type { Hex } from '@florin/evm/hex';
import type { SafeParties } from '@florin/evm/safe';
import type { Token } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import type { Amount } from '@florin/rpc/money';
import type { Runtime } from '@florin/rpc/runtime';
import { type Address, erc20Abi } from 'viem';
import { readSlots } from '../accounts/inspect-safe.ts';
import { SAFE_VIEWS } from '../accounts/safe-abi.ts';
import { newestNonce, safeNonce } from '../accounts/safe-nonce.ts';
import type { EntryTotals } from '../clients/ledger-entries.ts';
import { newRecipientEvent } from '../domain/events.ts';
import { type SafeWithdrawal, type WithdrawalRules, withdrawalTransaction } from '../domain/withdrawal.ts';
import { type ExecutionNode, viewsOf } from '../ports/execution-node.ts';
import { createTurns } from '../relaying/take-turns.ts';
import { workOnEach } from '../relaying/work-on-each.ts';
import type { Cursor } from '../store/cursors.ts';
import type { SafeStore } from '../store/safes.ts';
import { type CarryingOut, canMove, createCarryingOut } from './carry-out-withdrawal.ts';

const OFFER_MS = 600_000;
const DAY_MS = 86_400_000;

/** New recipients within a day for each withdrawal that may be sent: a person mistypes an address, or changes their mind. */
const RECIPIENTS_PER_WITHDRAWAL = 10;

/** Withdrawals that are looked after in one round. */
const BATCH = 200;

export type WithdrawalParts = Omit<CarryingOut, 'node' | 'now'> & {
  node: ExecutionNode;
  /** Returns the owner that the Safe of an account was found to have last (EIP-55). */
  ownerOf: (accountId: string) => Promise<Address | undefined>;
  /** Block up to which the watcher has booked all transfers. */
  cursor: () => Promise<Cursor | undefined>;
  safes: Pick<SafeStore, 'countRecipient'>;
  rules: WithdrawalRules;
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

/** `totalSupply()` of a token (EIP-20). */
const TOTAL_SUPPLY = '0x18160ddd';
const WORD_DIGITS = 64;

/** Returns true if a contract answers as a token does. */
const isToken = async (node: Pick<ExecutionNode, 'newestNumber' | 'codeAt' | 'call'>, address: Address): Promise<boolean> => {
  const newest = await node.newestNumber();
  if ((await node.codeAt(address, newest)) === '0x') return false;
  // A call that reverts is an error.
  const supply = await node.call(address, TOTAL_SUPPLY, newest).catch(() => '0x');
  return supply.length === '0x'.length + WORD_DIGITS;
};

const hasEnded = ({ status }: SafeWithdrawal): boolean => status === 'completed' || status === 'failed';

/** Carries out withdrawals that the owner of a Safe and the platform sign together. */
export const createWithdrawals = (parts: WithdrawalParts) => {
  const { chainId, node, signerOf, ownerOf, withdrawals, money, cursor, recheck, collectSoon, safes, rules, runtime } = parts;
  const carryingOut = createCarryingOut({ ...parts, now: runtime.now });
  const nextOpen = createTurns(
    BATCH,
    (after, limit) => withdrawals.inStates(chainId, ['submitted', 'reserved', 'signed', 'refused'], after, limit),
    ({ id }) => id,
  );

  const aDayAgo = (): Date => new Date(runtime.now().getTime() - DAY_MS);

  const usedOf = (accountId: string, token: string, butFor: string): Promise<Amount> =>
    withdrawals.sumSince(accountId, token, aDayAgo(), butFor);

  /** Rejects recipients that could not return what they got, and amounts that are not worth their gas. */
  const assertSensible = async ({ token, amount, recipient }: Pick<Order, 'token' | 'amount' | 'recipient'>): Promise<void> => {
    const least = rules.minimums.get(token.symbol) ?? 1n;
    if (amount < least) throw new CodedError('AMOUNT_INVALID', { message: `amount: must be at least ${least}` });
    if (await isToken(node, recipient))
      throw new CodedError('VALIDATION_FAILED', { message: 'recipient: must not be the contract of a token' });
  };

  /**
   * The first request for an address tells the user, which may not be had without end. Those for known addresses have no limit: whoever has a session without the wallet
   * must not keep the owner from their money.
   */
  const countNewRecipient = async (accountId: string): Promise<void> => {
    const most = rules.perDay * RECIPIENTS_PER_WITHDRAWAL;
    if (!(await safes.countRecipient(accountId, { most, since: aDayAgo(), at: runtime.now() })))
      throw new CodedError('WITHDRAWAL_LIMIT_EXCEEDED', { message: `recipient: requests for at most ${most} addresses within 24 hours` });
  };

  const assertWithinLimit = async (withdrawal: SafeWithdrawal) => {
    const { id, accountId, token, amount, successorAccountId } = withdrawal;
    if ((await withdrawals.countSince(withdrawal, aDayAgo())) >= rules.perDay)
      throw new CodedError('WITHDRAWAL_LIMIT_EXCEEDED', { message: `at most ${rules.perDay} withdrawals within 24 hours` });
    const limit = rules.limits.get(token);
    if (limit === undefined || successorAccountId !== undefined) return;
    if ((await usedOf(accountId, token, id)) + amount > limit) throw new CodedError('WITHDRAWAL_LIMIT_EXCEEDED');
  };

  /** Returns true if the signer of a withdrawal does not own the Safe any more after a block. */
  const isReplaced = async ({ accountId, owner, transaction }: SafeWithdrawal, block: number): Promise<boolean> => {
    const current = await ownerOf(accountId);
    if (current === undefined || current === owner) return false;
    return !((await viewsOf(node, transaction.safe, SAFE_VIEWS, block)('getOwners')) as Address[]).includes(owner);
  };

  /** Gives the money back once the Safe's nonce is used up and no transfer was seen up to the same block. */
  const endFailed = async (id: string, bookedTo: number): Promise<void> => {
    const withdrawal = await withdrawals.find(id);
    if (withdrawal?.status !== 'signed') return;
    const { transaction } = withdrawal;
    if ((await safeNonce(node, transaction.safe, bookedTo)) <= transaction.nonce) {
      // A recovery has exchanged the owner who signed: the nonce is free for the new one.
      if (!(await isReplaced(withdrawal, bookedTo))) return;
      await money.fail(withdrawal);
      await withdrawals.move(withdrawal, 'failed', { refusal: 'ACCOUNT_NOT_ACTIVE' });
      return;
    }
    // It may be that the tokens cannot move at all: then the Safe must not be spent from, and no further try is paid for.
    await recheck(withdrawal.accountId, bookedTo);
    await money.fail(withdrawal);
    await withdrawals.move(withdrawal, 'failed');
  };

  /** Freezes the next transaction of a Safe. @throws CodedError SAFES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, WITHDRAWAL_IN_PROGRESS */
  const freeze = async ({ userId, parties, inspectedBlock, token, amount, recipient }: Order): Promise<SafeWithdrawal> => {
    const { accountId, safe, owner } = parties;
    const nonce = await newestNonce(node, safe, inspectedBlock);
    const transaction = withdrawalTransaction({ chainId, safe, token: token.address as Address, recipient, amount, nonce });
    const claimedBy = await withdrawals.claimantOf(transaction);
    // One that has ended has used up the nonce: nodes that show it as free are behind.
    if (claimedBy !== undefined) throw new CodedError(hasEnded(claimedBy) ? 'SERVICE_UNAVAILABLE' : 'WITHDRAWAL_IN_PROGRESS');
    const now = runtime.now();
    return {
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
  };

  const isShared = async ({ safe, owner, platform }: SafeParties): Promise<boolean> => {
    const newest = await node.newestNumber();
    const { isPinned, hasGuard } = await readSlots(node, safe, newest);
    if (!isPinned || hasGuard) return false;
    const view = viewsOf(node, safe, SAFE_VIEWS, newest);
    const owners = (await view('getOwners')) as Address[];
    return (await view('getThreshold')) === 2n && owners.length === 2 && owners.includes(owner) && owners.includes(platform);
  };

  const requireSigner = async ({ parties: { accountId } }: Order): Promise<void> => {
    if ((await signerOf(accountId)) === undefined) throw new CodedError('SAFES_NOT_AVAILABLE');
  };

  return {
    /**
     * Freezes a transaction for the user to sign. Sets nothing aside.
     * @throws CodedError AMOUNT_INVALID, RECIPIENT_COOLING (with usableFrom and retryAfterSeconds), SAFES_NOT_AVAILABLE (the key of this Safe is not configured),
     * SERVICE_UNAVAILABLE (the nodes are behind what is known of the Safe), VALIDATION_FAILED, WITHDRAWAL_IN_PROGRESS, WITHDRAWAL_LIMIT_EXCEEDED
     */
    offer: async (order: Order): Promise<SafeWithdrawal> => {
      await requireSigner(order);
      await assertSensible(order);
      const withdrawal = await freeze(order);
      const { accountId, recipient, createdAt: now } = withdrawal;
      await assertWithinLimit(withdrawal);
      const known = await withdrawals.firstTo(accountId, recipient);
      if (known === undefined) await countNewRecipient(accountId);
      const usableFrom = new Date((known ?? now).getTime() + rules.coolingMs);
      const isCooling = usableFrom > now;
      // The first request for an address makes it known. Those that come too early add nothing.
      if (known === undefined || !isCooling)
        await withdrawals.add(withdrawal, isCooling ? newRecipientEvent(withdrawal, usableFrom, runtime.newId()) : undefined);
      if (isCooling) {
        const retryAfterSeconds = String(Math.ceil((usableFrom.getTime() - now.getTime()) / 1000));
        throw new CodedError('RECIPIENT_COOLING', { metadata: { usableFrom: usableFrom.toISOString(), retryAfterSeconds } });
      }
      return withdrawal;
    },

    /**
     * Freezes the transaction that returns a rejected deposit to its sender.
     * @param returns the exception about it
     * @param stoppedBy the current account of the user, whichever account has the deposit
     * @throws CodedError SAFES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, WITHDRAWAL_IN_PROGRESS
     */
    offerReturn: async (order: Order, returns: string, stoppedBy: string): Promise<SafeWithdrawal> => {
      await requireSigner(order);
      const withdrawal = { ...(await freeze(order)), returns, stoppedBy };
      // Nobody should sign in vain: its sender may be frozen, or have minted the token.
      if (!(await canMove(node, withdrawal, await node.newestNumber())))
        throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the token cannot be sent to the sender of the deposit now' });
      await withdrawals.add(withdrawal);
      return withdrawal;
    },

    /**
     * Freezes the transaction that moves money of a former account, whose Safe is shared, to the current account's Safe.
     * @throws CodedError SAFES_NOT_AVAILABLE, SERVICE_UNAVAILABLE, WITHDRAWAL_IN_PROGRESS
     */
    offerMove: async (order: Order, successorAccountId: string): Promise<SafeWithdrawal> => {
      await requireSigner(order);
      const withdrawal = { ...(await freeze(order)), successorAccountId };
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
        if (withdrawal.returns === undefined) await assertWithinLimit(withdrawal);
        await withdrawals.move(withdrawal, 'submitted', { signature });
      }
      const moved = await carryingOut.moveOn(withdrawal.id);
      if (moved.refusal !== undefined) throw new CodedError(moved.refusal);
      return moved;
    },

    find: withdrawals.find,

    /** Returns true if the wallet and the platform own a Safe, and both must sign. Another contract, or a guard, could use up nonces at the platform's cost, and move nothing. */
    isShared,

    /**
     * Returns how much of an account's available money is in its Safe after the newest block: besides deposits that are unscreened or rejected, and what cards have spent
     * or hold. Zero or less: nothing. What is missing was refunded, and is returned at once.
     * @param sums undefined for an account without entries
     */
    movable: async (
      { accountId, safe }: SafeParties,
      token: Address,
      available: Amount,
      sums: EntryTotals | undefined,
    ): Promise<Amount> => {
      const kept = sums === undefined ? 0n : sums.incoming + sums.refused + sums.settling + sums.held;
      const free = ((await viewsOf(node, token, erc20Abi, await node.newestNumber())('balanceOf', [safe])) as bigint) - kept;
      if (free >= available) return available;
      await collectSoon(accountId);
      return free;
    },

    /** The amounts that an account may still withdraw of the tokens that have a limit. */
    allowances: (accountId: string): Promise<{ token: string; amount: Amount }[]> =>
      Promise.all(
        [...rules.limits].map(async ([token, limit]) => {
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
