import { slotOf, storageRoot } from '@florin/evm/chain';
import type { Hex } from '@florin/evm/hex';
import { SAFE_CONTRACTS, type SafeParties, SENTINEL } from '@florin/evm/safe';
import { type Address, keccak256, toHex } from 'viem';
import { type ExecutionNode, viewsOf } from '../ports/execution-node.ts';
import { HANDLER_SLOT, readSafe } from './inspect-safe.ts';
import { SAFE_VIEWS } from './safe-abi.ts';
import { firstBlock, type HistoryParts } from './safe-history.ts';

type Parts = Pick<HistoryParts, 'openedAt'> & { node: ExecutionNode };

/** Slots of a Safe 1.4.1, as its contracts declare them. */
const [SINGLETON, MODULES, OWNERS, OWNER_COUNT, THRESHOLD, NONCE, APPROVED] = [
  '0x00',
  '0x01',
  '0x02',
  '0x03',
  '0x04',
  '0x05',
  '0x08',
] as const;

const APPROVE_HASH = keccak256(toHex('ApproveHash(bytes32,address)'));

/** The words of a list that a Safe keeps as a mapping from each member to the next one, from and to the sentinel. */
const wordsOfList = (members: readonly Address[], mapping: Hex): (readonly [Hex, Hex])[] =>
  [SENTINEL, ...members].map((member, place) => [slotOf(member, mapping), members[place] ?? SENTINEL]);

/**
 * Words of the hashes that owners approved, each by a transaction of their own. They mean nothing without the platform, whose own approvals are never explained: it signs, and
 * approves nothing.
 */
const approvals = async ({ node, openedAt }: Parts, { accountId, safe, platform }: SafeParties, block: number) => {
  const blocks = { from: await firstBlock({ node, openedAt }, accountId, block), to: block };
  return (await node.events(safe, [APPROVE_HASH], blocks)).flatMap(({ topics: [, hash = '0x', owner = '0x'] }) => {
    const by: Hex = `0x${owner.slice(-40)}`;
    return by === platform.toLowerCase() ? [] : [[slotOf(hash, slotOf(by, APPROVED)), '0x01'] as const];
  });
};

/**
 * Compares all that a Safe holds after a final block with what its views show, by the root of its storage. Logs that a node has lost hide nothing from it: a module or an owner
 * outside the lists, an approval in the platform's name, a nonce that was put back.
 * @returns undefined when the nodes prove no storage
 * @throws Error when a node fails, or two disagree
 */
export const isStorageExplained = async (parts: Parts, parties: SafeParties, block: number): Promise<boolean | undefined> => {
  const { node } = parts;
  const { safe } = parties;
  const root = await node.storageRoot(safe, block);
  if (root === undefined) return undefined;
  const [found, nonce] = await Promise.all([
    readSafe(node, safe, await node.codeAt(safe, block), block),
    viewsOf(node, safe, SAFE_VIEWS, block)('nonce'),
  ]);
  if (found === undefined) return false;
  const words = [
    [SINGLETON, SAFE_CONTRACTS.l2Singleton.address],
    [HANDLER_SLOT, SAFE_CONTRACTS.fallbackHandler.address],
    ...wordsOfList(found.modules, MODULES),
    ...wordsOfList(found.owners, OWNERS),
    [OWNER_COUNT, toHex(found.owners.length)],
    [THRESHOLD, toHex(found.threshold)],
    [NONCE, toHex(nonce as bigint)],
  ] as const;
  return root === storageRoot(words) || root === storageRoot([...words, ...(await approvals(parts, parties, block))]);
};
