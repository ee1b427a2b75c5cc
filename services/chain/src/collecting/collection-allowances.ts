import { COLLECTOR, COLLECTOR_ABI, type CollectionTerms } from '@florin/evm/safe';
import type { Amount } from '@florin/rpc/money';
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem';
import type { ExecutionNode } from '../ports/execution-node.ts';

export const DAY_SECONDS = 86_400n;

/** The Collector's record of an account, a treasury and a token. */
export type Allowance = { limit: bigint; spent: bigint; day: number; nonce: number };

/** @throws Error when a node fails, or two disagree */
export const readAllowance = async (
  node: Pick<ExecutionNode, 'call'>,
  { safe, treasury, token }: { safe: Address; treasury: Address; token: Address },
  block: number,
): Promise<Allowance> => {
  const asked = { abi: COLLECTOR_ABI, functionName: 'allowances' } as const;
  const data = await node.call(COLLECTOR.address, encodeFunctionData({ ...asked, args: [safe, treasury, token] }), block);
  const [limit, spent, day, nonce] = decodeFunctionResult({ ...asked, data }) as readonly [bigint, bigint, number, number];
  return { limit, spent, day, nonce };
};

/** Returns the rest of an allowance on a day, numbered from 1970 (UTC). */
export const leftOn = ({ limit, spent, day }: Allowance, today: bigint): Amount => {
  const left = limit - (BigInt(day) === today ? spent : 0n);
  return left > 0n ? left : 0n;
};

/** The amount of a token that may be collected from a Safe. */
export type CollectionAllowance = { token: string; perDay: Amount; left: Amount; resetsAt: Date };

/**
 * Reads what may still be collected from a Safe today, as of the newest block.
 * @param symbols of the watched tokens by contract, in lower case
 * @throws Error when a node fails, or two disagree
 */
export const collectionAllowances = async (
  node: Pick<ExecutionNode, 'call' | 'newestNumber' | 'blockTime'>,
  { safe, terms: { treasury, limits } }: { safe: Address; terms: CollectionTerms },
  symbols: ReadonlyMap<string, string>,
): Promise<CollectionAllowance[]> => {
  const newest = await node.newestNumber();
  const today = BigInt(Math.floor((await node.blockTime(newest)).getTime() / 1000)) / DAY_SECONDS;
  const resetsAt = new Date(Number((today + 1n) * DAY_SECONDS) * 1000);
  const found = limits.map(async ({ token: contract }) => {
    const token = symbols.get(contract.toLowerCase());
    if (token === undefined) return [];
    const allowance = await readAllowance(node, { safe, treasury, token: contract }, newest);
    return [{ token, perDay: allowance.limit, left: leftOn(allowance, today), resetsAt }];
  });
  return (await Promise.all(found)).flat();
};
