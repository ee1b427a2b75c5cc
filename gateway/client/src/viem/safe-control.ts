import { hexOf } from './abi.ts';
import { addressesIn, type ChainNode, callView, wordsOf } from './chain-node.ts';
import { expectLines } from './expected-text.ts';
import { type SafePlan, SINGLETON } from './safe-calls.ts';
import { modulesOf, newestTime, ownersOf, queueOf, requestedAt } from './safe-views.ts';

/** Selectors, by the signatures of their functions. */
const MASTER_COPY = '0xa619486e'; // masterCopy(), which the proxy answers itself
const GET_THRESHOLD = '0xe75235b8'; // getThreshold()
/** Of the Delay module. */
const OWNER = '0x8da5cb5b'; // owner()
const AVATAR = '0x5aef7de6'; // avatar()
const TARGET = '0xd4b83992'; // target()
const COOLDOWN = '0xdcafac09'; // txCooldown()
const EXPIRATION = '0x605df59c'; // txExpiration()

/** The module in which an exchange of the owner waits, with its times in seconds. */
type RecoveryModule = {
  module: string;
  /** The Safe of backup key and platform, which alone may use it. */
  pair: string;
  cooldownSeconds: number;
  expirationSeconds: number;
};

/**
 * Reads from a node that a Safe is controlled as a plan says, because a backup key, or the owner of today, does not follow from its address: the owners are the wallet and the
 * platform; its modules are the exit, which is the wallet's, and that of the recovery, which is of backup key and platform; both belong to the Safe, act on it, and have
 * no request waiting, in the recovery's but for expired ones.
 * @throws UnexpectedTextError when it is not, and Error when the node fails
 */
export const expectControl = async (node: ChainNode, plan: SafePlan, recovery: RecoveryModule): Promise<void> => {
  const { chainId, safe, owner, platform } = plan;
  const read = async (to: string, selector: string): Promise<string> => BigInt(await callView(node, to, selector)).toString(16);
  const addressAt = async (to: string, selector: string): Promise<string> =>
    addressesIn(wordsOf(await callView(node, to, selector)))[0] ?? '';
  const sorted = (addresses: string[]): string => addresses.sort().join(', ');
  const found = [
    `Chain: ${Number(await node.request({ method: 'eth_chainId', params: [] }))}`,
    `Code: ${await addressAt(safe, MASTER_COPY)}`,
    `Owners: ${sorted(await ownersOf(node, safe))}`,
    `Signatures: ${await read(safe, GET_THRESHOLD)}`,
    `Modules: ${sorted(await modulesOf(node, safe))}`,
  ];
  const expected = [
    `Chain: ${chainId}`,
    `Code: ${SINGLETON}`,
    `Owners: ${sorted([owner, platform])}`,
    'Signatures: 2',
    `Modules: ${sorted([plan.module, recovery.module])}`,
  ];
  for (const { name, module, user, cooldownSeconds, expirationSeconds } of [
    { name: 'Exit', module: plan.module, user: owner, ...plan.delay },
    { name: 'Recovery', user: recovery.pair, ...recovery },
  ]) {
    const { next, end } = await queueOf(node, module);
    // Nobody executes a request that has expired, and the later ones of a queue expire later.
    const hasExpired = async (): Promise<boolean> =>
      expirationSeconds > 0 && (await requestedAt(node, module, end - 1)) + cooldownSeconds + expirationSeconds < (await newestTime(node));
    const isEmpty = next === end || (module === recovery.module && (await hasExpired()));
    found.push(
      `${name}, users: ${sorted(await modulesOf(node, module))}`,
      `${name}, of: ${await addressAt(module, OWNER)} ${await addressAt(module, AVATAR)} ${await addressAt(module, TARGET)}`,
      `${name}, times: ${await read(module, COOLDOWN)} ${await read(module, EXPIRATION)}`,
      `${name}, waiting requests: ${isEmpty ? 0 : end - next}`,
    );
    expected.push(
      `${name}, users: ${user}`,
      `${name}, of: ${safe} ${safe} ${safe}`,
      `${name}, times: ${hexOf(cooldownSeconds)} ${hexOf(expirationSeconds)}`,
      `${name}, waiting requests: 0`,
    );
  }
  expectLines(found.join('\n'), expected);
};
