import type { Hex } from '@florin/evm/hex';
import { EXECUTION_SUCCESS, EXECUTION_TOPICS, type ModuleCall, readExecution, type SafeParties } from '@florin/evm/safe';
import type { ExecutionNode } from '../ports/execution-node.ts';

/** Clocks of accounts and of blocks differ by less. */
const CLOCKS_MS = 86_400_000;

/** Final blocks that are read once more: a node behind a balancer may have lacked some of them. */
const AGAIN = 256;

export type HistoryParts = {
  node: Pick<ExecutionNode, 'blockTime' | 'events'>;
  /** Returns the time at which an account was opened: nobody knew the address of its Safe before. */
  openedAt: (accountId: string) => Promise<Date>;
  /** Hash of the transaction that the platform signed, or may have signed, with a Safe's nonce; undefined when there is none. */
  signedWith: (safe: SafeParties, nonce: bigint) => Promise<Hex | undefined>;
  /** Returns the exchanges of an account's owner that the platform has signed, or may have. */
  exchangesOf: (accountId: string) => Promise<readonly ModuleCall[]>;
};

export type SafeHistory = {
  /** True if something was executed besides the set-up and what the platform has signed. */
  differs: boolean;
  /** True if the set-up was executed in the blocks that were read. */
  hasSetUp: boolean;
};

/** The newest block at or before a time; the first one when all are later. */
const blockBefore = async (node: HistoryParts['node'], time: Date, newest: number): Promise<number> => {
  let [low, high] = [0, newest];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await node.blockTime(middle)) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** A block before anything can have happened at the Safe of an account. */
export const firstBlock = async ({ node, openedAt }: Pick<HistoryParts, 'node' | 'openedAt'>, accountId: string, newest: number) =>
  blockBefore(node, new Date((await openedAt(accountId)).getTime() - CLOCKS_MS), newest);

/**
 * Reads the transactions that a Safe has executed. While it had one owner, the owner could have it do anything that the set-up leaves as it is and no view of the Safe
 * shows: an allowance of a token, a module outside the list of modules, an owner outside the list of owners, an approved hash, and the nonce put
 * back. The events of the Safe's address remain, even if the Safe was destroyed and deployed again.
 * @param setUp hash of the set-up with nonce 0
 * @param readTo last block of an earlier reading that found no difference; undefined at the first one
 * @param block final block
 * @throws Error when a node fails, or two disagree
 */
export const readHistory = async (
  { node, openedAt, signedWith, exchangesOf }: HistoryParts,
  safe: SafeParties,
  setUp: Hex,
  readTo: number | undefined,
  block: number,
): Promise<SafeHistory> => {
  const from = readTo === undefined ? await firstBlock({ node, openedAt }, safe.accountId, block) : Math.max(0, readTo - AGAIN);
  const events = await node.events(safe.safe, EXECUTION_TOPICS, { from, to: block });
  const exchanges = await exchangesOf(safe.accountId);
  const allowed = new Set<Hex>();
  /** Modules whose call is announced, and has not succeeded yet. */
  const exchanging = new Set<Hex>();
  let hasSetUp = false;
  for (const event of events) {
    const execution = readExecution(safe, event);
    if (execution === undefined) return { differs: true, hasSetUp };
    if ('module' in execution) {
      const { module, call } = execution;
      const isSigned = exchanges.some((one) => one.module === module && one.to === call?.to && one.data === call.data);
      if (call === undefined ? !exchanging.delete(module) : !isSigned) return { differs: true, hasSetUp };
      if (call !== undefined) exchanging.add(module);
      continue;
    }
    const { hash, nonce } = execution;
    if (nonce !== undefined && hash === (nonce === 0n ? setUp : await signedWith(safe, nonce))) allowed.add(hash);
    if (!allowed.has(hash)) return { differs: true, hasSetUp };
    hasSetUp ||= hash === setUp && event.topics[0] === EXECUTION_SUCCESS;
  }
  return { differs: false, hasSetUp };
};
