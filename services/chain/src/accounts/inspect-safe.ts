import type { Hex } from '@florin/evm/hex';
import {
  COLLECTOR,
  COLLECTOR_ABI,
  type DelaySettings,
  MODULE_PROXY_FACTORY,
  moduleProxyCodeHash,
  type PinnedContract,
  predictDelayModule,
  recoverySafe,
  SAFE_CONTRACTS,
  SAFE_PROXY_CODE_HASH,
  type SafeControl,
  type SafeParties,
  SENTINEL,
} from '@florin/evm/safe';
import { type Address, encodeFunctionData, erc20Abi, keccak256, maxUint256, toHex } from 'viem';
import type { SafeFinding } from '../domain/account-safe.ts';
import { type ExecutionNode, viewsOf } from '../ports/execution-node.ts';
import { DELAY_VIEWS, SAFE_VIEWS } from './safe-abi.ts';

/** Page size in which a list of more modules than expected shows itself. */
const PAGE = 5n;

const SINGLETON_SLOT: Hex = `0x${'00'.repeat(32)}`;
export const HANDLER_SLOT = keccak256(toHex('fallback_manager.handler.address'));
export const GUARD_SLOT = keccak256(toHex('guard_manager.guard.address'));

const ZERO: Hex = `0x${'00'.repeat(20)}`;
const addressOf = (word: Hex): Hex => `0x${word.slice(-40).toLowerCase()}`;
const isSame = (found: unknown, expected: Address): boolean => typeof found === 'string' && found.toLowerCase() === expected.toLowerCase();
const areSame = (found: readonly Address[], expected: readonly Address[]): boolean =>
  found.length === expected.length && expected.every((one) => found.some((other) => isSame(other, one)));

const firstOfPage = (page: unknown): readonly Address[] => (page as readonly [readonly Address[], Address])[0];

/**
 * The pinned contracts that are not what they should be after a block.
 * @returns their addresses
 */
export const findUnpinned = async (node: ExecutionNode, delay: DelaySettings, block: number): Promise<Address[]> => {
  const pinned: PinnedContract[] = [...Object.values(SAFE_CONTRACTS), MODULE_PROXY_FACTORY, delay.mastercopy];
  const codes = await Promise.all(pinned.map(({ address }) => node.codeAt(address, block)));
  return pinned.filter(({ codeHash }, index) => keccak256(codes[index] ?? '0x') !== codeHash).map(({ address }) => address);
};

type SafeState = { owners: readonly Address[]; threshold: bigint; modules: readonly Address[]; hasGuard: boolean };

/** Reads which contracts the proxy of a Safe relies on after a block: the code of the proxy itself follows from its address. `isPinned`: they are those of Safe 1.4.1. */
export const readSlots = async (
  node: Pick<ExecutionNode, 'storageAt'>,
  safe: Address,
  block: number,
): Promise<{ isPinned: boolean; hasGuard: boolean }> => {
  const slots = [SINGLETON_SLOT, HANDLER_SLOT, GUARD_SLOT] as const;
  const [singleton = '0x', handler = '0x', guard = '0x'] = await Promise.all(slots.map((slot) => node.storageAt(safe, slot, block)));
  const isPinned =
    isSame(addressOf(singleton), SAFE_CONTRACTS.l2Singleton.address) && isSame(addressOf(handler), SAFE_CONTRACTS.fallbackHandler.address);
  return { isPinned, hasGuard: addressOf(guard) !== ZERO };
};

/** Reads a Safe after a block. @returns undefined for another contract: its views mean nothing */
export const readSafe = async (node: ExecutionNode, safe: Address, code: Hex, block: number): Promise<SafeState | undefined> => {
  const { isPinned, hasGuard } = await readSlots(node, safe, block);
  if (keccak256(code) !== SAFE_PROXY_CODE_HASH || !isPinned) return undefined;
  const view = viewsOf(node, safe, SAFE_VIEWS, block);
  const [owners, threshold, modules] = await Promise.all([
    view('getOwners'),
    view('getThreshold'),
    view('getModulesPaginated', [SENTINEL, PAGE]),
  ]);
  return {
    owners: owners as readonly Address[],
    threshold: threshold as bigint,
    modules: firstOfPage(modules),
    hasGuard,
  };
};

/**
 * Reads a Safe of the platform after a block.
 * @returns undefined unless it has the pinned code and neither modules nor a guard
 */
export const readPlainSafe = async (
  node: ExecutionNode,
  safe: Address,
  block: number,
): Promise<Pick<SafeState, 'owners' | 'threshold'> | undefined> => {
  const found = await readSafe(node, safe, await node.codeAt(safe, block), block);
  return found === undefined || found.hasGuard || found.modules.length > 0 ? undefined : found;
};

/** How a Safe must be controlled. `requests`: digests of the exchanges that may wait. */
export type ExpectedControl = Pick<SafeControl, 'delay' | 'backup'> & { requests?: readonly Hex[] };

/**
 * Compares the Safe of an account after a block with what the account needs: deployed from the pinned code, owned by the user and the platform
 * together, without a guard, with the Delay module as the only module and the user as its only user, the terms of collection that it was set up with, and no exit under way.
 * With a backup key also with the module of the recovery.
 * @returns the differences; none: it is exactly that
 * @throws Error when a node fails, or two disagree
 */
export const inspectSafe = async (
  node: ExecutionNode,
  parties: SafeParties,
  { delay: settings, backup, requests = [] }: ExpectedControl,
  block: number,
): Promise<SafeFinding[]> => {
  const { safe, owner, platform } = parties;
  const code = await node.codeAt(safe, block);
  if (code === '0x') return ['not_deployed'];
  if ((await findUnpinned(node, settings, block)).length > 0) return ['contract_not_pinned'];
  const found = await readSafe(node, safe, code, block);
  if (found === undefined) return ['code_differs'];

  const module = predictDelayModule(safe, settings);
  const findings: SafeFinding[] = [];
  if (found.hasGuard) findings.push('guard_set');
  if (!areSame(found.owners, [owner, platform])) findings.push('owners_differ');
  if (found.threshold !== 2n) findings.push('threshold_differs');
  const recovery = backup && predictDelayModule(safe, backup.delay);
  if (!areSame(found.modules, recovery === undefined ? [module] : [module, recovery])) findings.push('modules_differ');
  if (backup !== undefined && recovery !== undefined) {
    const user = recoverySafe(parties, backup.address);
    const differences = await inspectDelay(node, recovery, { safe, owner: user }, backup.delay, block, requests);
    if (differences.length > 0) findings.push('recovery_differs');
  }
  return [
    ...findings,
    ...(await inspectDelay(node, module, { safe, owner }, settings, block)),
    ...(await inspectTerms(node, safe, settings, block)),
  ];
};

/** Tokens take what is moved from an approval: no account moves so much that this is not left. */
const LEAST_APPROVAL = maxUint256 / 2n;

const inspectTerms = async (node: ExecutionNode, safe: Address, { terms }: DelaySettings, block: number): Promise<SafeFinding[]> => {
  if (terms === undefined) return [];
  if (keccak256(await node.codeAt(COLLECTOR.address, block)) !== COLLECTOR.codeHash) return ['contract_not_pinned'];
  const allows = viewsOf(node, COLLECTOR.address, COLLECTOR_ABI, block);
  const areSet = await Promise.all(
    terms.limits.map(async ({ token, perDay }) => {
      const [limit] = (await allows('allowances', [safe, terms.treasury, token])) as readonly bigint[];
      const approved = (await viewsOf(node, token, erc20Abi, block)('allowance', [safe, COLLECTOR.address])) as bigint;
      return limit === BigInt(perDay) && approved >= LEAST_APPROVAL;
    }),
  );
  return areSet.every(Boolean) ? [] : ['collection_differs'];
};

/** Gas of a simulated transfer. */
export const SIMULATED_GAS = 300_000n;

/**
 * Looks for tokens that a Safe holds and cannot move: their issuer has frozen the Safe, or has paused them. The balance does not show it.
 * @param tokens contracts
 * @returns those that it cannot move
 * @throws Error when a node fails, or two disagree
 */
export const findFrozen = async (
  node: Pick<ExecutionNode, 'call' | 'wouldSucceed'>,
  { safe, platform, owner }: Pick<SafeParties, 'safe' | 'platform' | 'owner'>,
  tokens: readonly Address[],
  block: number,
): Promise<Address[]> => {
  const frozen: Address[] = [];
  for (const token of tokens) {
    if ((await viewsOf(node, token, erc20Abi, block)('balanceOf', [safe])) === 0n) continue;
    const canPay = (recipient: Address): Promise<boolean> => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 1n] });
      return node.wouldSucceed({ from: safe, to: token, data, gas: SIMULATED_GAS }, block);
    };
    // The issuer may have frozen a recipient: one of the platform's is the recipient for all Safes.
    if (!(await canPay(platform)) && !(await canPay(owner))) frozen.push(token);
  }
  return frozen;
};

const inspectDelay = async (
  node: ExecutionNode,
  module: Address,
  { safe, owner }: Pick<SafeParties, 'safe' | 'owner'>,
  settings: DelaySettings,
  block: number,
  requests: readonly Hex[] = [],
): Promise<SafeFinding[]> => {
  if (keccak256(await node.codeAt(module, block)) !== moduleProxyCodeHash(settings.mastercopy.address)) return ['delay_differs'];
  const view = viewsOf(node, module, DELAY_VIEWS, block);
  const [belongsTo, avatar, target, guard, cooldown, expiration, next, queued, users] = await Promise.all([
    view('owner'),
    view('avatar'),
    view('target'),
    view('guard'),
    view('txCooldown'),
    view('txExpiration'),
    view('txNonce'),
    view('queueNonce'),
    view('getModulesPaginated', [SENTINEL, PAGE]),
  ]);
  const isOurs =
    [belongsTo, avatar, target].every((address) => isSame(address, safe)) &&
    isSame(guard, ZERO) &&
    cooldown === BigInt(settings.cooldownSeconds) &&
    expiration === BigInt(settings.expirationSeconds);
  const findings: SafeFinding[] = isOurs ? [] : ['delay_differs'];
  if (!areSame(firstOfPage(users), [owner])) findings.push('delay_users_differ');
  const isRequested = async (number: bigint) => requests.includes((await view('getTxHash', [number])) as Hex);
  const [first, end] = [next as bigint, queued as bigint];
  if (first !== end && !(end === first + 1n && (await isRequested(first)))) findings.push('exit_pending');
  return findings;
};
