import { randomUUID } from 'node:crypto';
import type { Hex } from '@florin/evm/hex';
import { EXECUTION_SUCCESS, SAFE_CONTRACTS, safeTransactionHash } from '@florin/evm/safe';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { quietLogger } from '@florin/rpc/testing';
import { type Address, encodeAbiParameters, keccak256, toFunctionSelector, toHex, zeroAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { GUARD_SLOT, HANDLER_SLOT } from '../accounts/inspect-safe.ts';
import { createKeyOwner, type PlatformOwner } from '../accounts/platform-owners.ts';
import type { WithdrawalsClient } from '../clients/withdrawals.ts';
import type { SafeWithdrawal, WithdrawalRules } from '../domain/withdrawal.ts';
import type { ExecutionNode } from '../ports/execution-node.ts';
import { createLocalKeySigner } from '../ports/local-key-signer.ts';
import type { RelayJob, RelayOutcome } from '../store/relay-jobs.ts';
import type { SafeWithdrawalStore } from '../store/safe-withdrawals.ts';
import { createSafeStore } from '../store/safes.ts';
import { createWithdrawnMoney } from '../withdrawing/returns.ts';
import { createWithdrawals, type WithdrawalParts } from '../withdrawing/withdrawals.ts';
import { fakeAddress } from './fake-chain.ts';
import { interruptible } from './interruptible.ts';

const TX_HASH = keccak256(toHex('the transaction'));
const signer = createKeyOwner(createLocalKeySigner(generatePrivateKey()));

/** A signature: callers verify it before. */
export const SIGNATURE: Hex = `0x${'11'.repeat(64)}1b`;

/** Views of a Safe. */
const [GET_OWNERS, GET_THRESHOLD] = [toFunctionSelector('getOwners()'), toFunctionSelector('getThreshold()')];

const BALANCE_OF = toFunctionSelector('balanceOf(address)');

const unused = async (): Promise<never> => {
  throw new Error('not expected');
};

type Step = () => void | Promise<void>;

/** Chains of scenes that share a store: the rounds of one do not go on with the withdrawals of another. */
let scenes = 1000;

/** A chain with one Safe, a ledger with its money, and what survives a process that is killed. */
export const createWithdrawalScene = (store: SafeWithdrawalStore, rules: Partial<WithdrawalRules> = {}) => {
  scenes += 1;
  const chainId = scenes;
  const token = { symbol: 'EURe', decimals: 18, currency: 'EUR', chainId, address: fakeAddress('EURe') };
  const owner = privateKeyToAccount(generatePrivateKey());
  const accountId = randomUUID();
  const safe = fakeAddress(accountId);
  const parties = { accountId, chainId, safe, owner: owner.address, platform: signer.address };
  let key: PlatformOwner | undefined = signer;
  let isActive = true;
  let isFormer = false;
  let hasGuard = false;
  let rejection: ErrorCode | undefined;
  const rechecked: [string, number][] = [];
  /** Accounts for which a collection was asked for at once. */
  const collected: string[] = [];
  let balance = 5n;
  let recipientIsToken = false;
  let time = 0;
  /** Block up to which the watcher has booked. */
  let bookedTo = 9;
  let executed: SafeWithdrawal['transaction'] | undefined;
  let newest = 10;
  let isFrozen = false;
  /** Owner in the place of the platform. */
  let other: Address | undefined;
  /** The account's successor. */
  const successorAccountId = randomUUID();
  const asked: string[] = [];
  const node: ExecutionNode = {
    chainId: unused,
    finalizedNumber: unused,
    blockHash: unused,
    blockTime: unused,
    events: unused,
    // The slots of the fallback handler and of the guard; the singleton's is the first one.
    storageAt: async (_safe, slot) => {
      if (slot === HANDLER_SLOT) return SAFE_CONTRACTS.fallbackHandler.address;
      if (slot === GUARD_SLOT) return hasGuard ? owner.address : zeroAddress;
      return SAFE_CONTRACTS.l2Singleton.address;
    },
    storageRoot: unused,
    transactionCount: unused,
    fees: unused,
    balance: unused,
    // Asking for the balance always succeeds.
    wouldSucceed: async ({ data }) => data.startsWith(BALANCE_OF) || (!isFrozen && balance >= 5n),
    broadcast: unused,
    newestNumber: async () => newest,
    codeAt: async (address) => (address === safe || recipientIsToken ? '0x01' : '0x'),
    // The Safe's nonce: the transaction is in the newest block.
    call: async (to, data, block) => {
      if (data.startsWith(GET_OWNERS)) return encodeAbiParameters([{ type: 'address[]' }], [[owner.address, other ?? signer.address]]);
      if (data.startsWith(GET_THRESHOLD)) return encodeAbiParameters([{ type: 'uint256' }], [2n]);
      const nonce = executed === undefined || block < 10 ? 0n : executed.nonce + 1n;
      return encodeAbiParameters([{ type: 'uint256' }], [to === safe ? nonce : balance]);
    },
    receipt: async () => ({
      blockNumber: 10,
      blockHash: TX_HASH,
      succeeded: true,
      events:
        executed === undefined ? [] : [{ address: safe.toLowerCase() as Hex, topics: [EXECUTION_SUCCESS, safeTransactionHash(executed)] }],
    }),
  };
  /** Sums of what was set aside, arrived and came back; each once, whatever is repeated. */
  const booked = new Map<string, 'reserved' | 'completed' | 'failed'>();
  const change = async (id: string, to: 'completed' | 'failed'): Promise<void> => {
    const now = booked.get(id);
    if (now !== undefined && now !== 'reserved' && now !== to) throw new Error(`a ${now} withdrawal cannot be ${to}`);
    if (now !== undefined) booked.set(id, to);
  };
  /** Codes by which the ledger refuses next. */
  const refusals: ErrorCode[] = [];
  const ledger: WithdrawalsClient = {
    reserve: async ({ id }) => {
      const refusal = refusals.shift();
      if (refusal === undefined && !booked.has(id)) booked.set(id, 'reserved');
      return refusal;
    },
    screen: unused,
    process: async (id) => {
      if (booked.get(id) === 'failed') throw new CodedError('WITHDRAWAL_STATE_CONFLICT');
    },
    complete: (id) => change(id, 'completed'),
    fail: (id) => change(id, 'failed'),
  };
  /** The exception about the deposit that `offerReturn` returns: the withdrawal that has claimed it, and whether the return was booked. */
  const returned = { by: undefined as string | undefined, bookings: new Set<string>(), isClosed: false };
  const money = createWithdrawnMoney({
    ledger,
    bookings: { bookReturned: async ({ txHash }) => void returned.bookings.add(txHash) },
    exceptions: {
      claimReturn: async (_id, by) => {
        if (!returned.isClosed) returned.by ??= by;
        return !returned.isClosed && returned.by === by;
      },
      releaseReturn: async (_id, by) => {
        if (returned.by === by) returned.by = undefined;
      },
      endReturned: async (_id, by) => {
        returned.isClosed ||= returned.by === by;
      },
    },
  });
  const jobs = new Map<string, Pick<RelayJob, 'id' | 'data' | 'gas' | 'outcome'>>();
  const added: string[] = [];
  const jobStore: WithdrawalParts['jobs'] = {
    add: async ({ id, data, gas }) => {
      added.push(`${id} ${data}`);
      if (!jobs.has(id)) jobs.set(id, { id, data, gas });
    },
    find: async (id) => jobs.get(id) as RelayJob | undefined,
  };
  const start = (step: Step = () => undefined) => {
    const wrapped = interruptible(store, step);
    const withdrawals = createWithdrawals({
      chainId,
      node: interruptible(node, step),
      signerOf: async () => key && interruptible(key, step),
      ownerOf: async () => owner.address,
      isActive: async (account) => {
        asked.push(account);
        return isActive;
      },
      isFormer: async () => isFormer,
      screen: async () => rejection,
      recheck: async (account, block) => void rechecked.push([account, block]),
      collectSoon: async (account) => void collected.push(account),
      withdrawals: wrapped,
      jobs: interruptible(jobStore, step),
      money: interruptible(money, step),
      cursor: async () => ({ chainId, number: bookedTo, hash: TX_HASH }),
      safes: createSafeStore(store.model.db),
      rules: { limits: new Map(), minimums: new Map(), freezeFrom: new Map(), perDay: 1000, coolingMs: 0, ...rules },
      runtime: { now: () => new Date(Date.now() + time), newId: () => randomUUID() },
      logger: quietLogger,
    });
    return { withdrawals, settling: { node, withdrawals: wrapped, money: interruptible(money, step) } };
  };
  const orderOf = (inspectedBlock: number) => ({
    userId: randomUUID(),
    parties,
    inspectedBlock,
    token,
    amount: 5n,
    recipient: owner.address,
  });
  const offerOf = async (order: ReturnType<typeof orderOf>): Promise<SafeWithdrawal> => {
    await store.model.db
      .collection<{ _id: string }>('safes')
      .updateOne({ _id: accountId }, { $setOnInsert: { chainId } }, { upsert: true });
    return start().withdrawals.offer(order);
  };
  const offer = (inspectedBlock = 8) => offerOf(orderOf(inspectedBlock));
  const offerTo = (recipient: Address) => offerOf({ ...orderOf(8), recipient });
  const offerReturn = () => start().withdrawals.offerReturn(orderOf(8), randomUUID(), successorAccountId);
  const offerMove = () => start().withdrawals.offerMove(orderOf(8), successorAccountId);
  return {
    offerMove,
    successorAccountId,
    /** Accounts of which it was asked if they may spend. */
    asked,
    /** The Safe has another owner in the place of the platform. */
    exchangePlatform: () => {
      other = fakeAddress('another owner');
    },
    chainId,
    parties,
    token,
    rechecked,
    collected,
    start,
    offer,
    offerTo,
    offerReturn,
    returned,
    booked,
    refusals,
    jobs,
    added,
    /** No transfer of the token succeeds from now on. */
    freeze: () => {
      isFrozen = true;
    },
    /** Changes what the Safe holds. */
    hold: (amount: bigint) => {
      balance = amount;
    },
    execute: ({ transaction }: SafeWithdrawal) => {
      executed = transaction;
    },
    /** Ends the newest job in a final block. */
    end: (outcome: Pick<RelayOutcome, 'succeeded'>) => {
      const job = [...jobs.values()].at(-1);
      if (job !== undefined) job.outcome = { ...outcome, txHash: TX_HASH, blockNumber: 10 };
    },
    /** The nodes show the chain up to a block. */
    showUpTo: (block: number) => {
      newest = block;
    },
    /** The watcher has booked all transfers of the newest block. */
    advance: () => {
      bookedTo = 10;
    },
    /** The key of the Safe's second owner is not configured any more. */
    loseKey: () => {
      key = undefined;
    },
    /** The key of the Safe's second owner does not respond. */
    silenceKey: () => {
      const sign = async () => {
        throw new CodedError('SERVICE_UNAVAILABLE');
      };
      key = { ...signer, sign };
    },
    /** Screening rejects, by a code, or accepts everything again. */
    reject: (code: ErrorCode | undefined) => {
      rejection = code;
    },
    block: () => {
      isActive = false;
    },
    /** The account gets a successor. */
    replace: () => {
      isFormer = true;
    },
    setGuard: (has: boolean) => {
      hasGuard = has;
    },
    recipient: owner.address,
    makeRecipientToken: () => {
      recipientIsToken = true;
    },
    pass: (ms: number): void => {
      time += ms;
    },
    unblock: () => {
      isActive = true;
    },
    transfer: {
      chainId,
      accountId,
      txHash: TX_HASH,
      logIndex: 0,
      blockNumber: 10,
      blockHash: TX_HASH,
      direction: 'out',
      counterparty: owner.address.toLowerCase() as Hex,
      token: 'EURe',
      amount: 5n,
    } as const,
  };
};
