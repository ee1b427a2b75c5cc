import { bytes, hexOf, word } from './abi.ts';
import { type ChainNode, callView } from './chain-node.ts';
import {
  APPROVE,
  batchOf,
  type Call,
  COLLECTOR,
  DISABLE_MODULE,
  deployModule,
  deploySafe,
  execute,
  REQUEST,
  type SafePlan,
  setUpCall,
} from './safe-calls.ts';
import type { SafeCall } from './safe-transaction.ts';
import { modulesOf, newestTime, numberOf, ownersOf, queueOf, requestedAt, SENTINEL } from './safe-views.ts';

/** Selectors, by the signatures of their functions. */
const NONCE = '0xaffed0e0'; // nonce()
const REMOVE_OWNER = 'f8dc5dd9'; // removeOwner(address,address,uint256)
const BALANCE_OF = '0x70a08231'; // balanceOf(address)
const TRANSFER = 'a9059cbb'; // transfer(address,uint256)
/** Of the Delay module 1.0.1. */
const EXECUTE_NEXT = '0xee072baf'; // executeNextTx(address,uint256,bytes,uint8)
const SKIP_EXPIRED = '0xb19d4758'; // skipExpired()
const TX_HASH = '0x6b0a4cf6'; // getTxHash(uint256)
const HASH_OF = '0x300c661f'; // getTransactionHash(address,uint256,bytes,uint8)

/** A transaction that a wallet sends with `eth_sendTransaction`. */
export type WalletTransaction = Call & { from: string };

/**
 * The next step: the owner's wallet sends a transaction, or waits. `free`: the Safe belongs to the wallet alone.
 * - `request` begins the cooldown. Anyone may send `execute` after it, until it expires; then it is skipped and requested again.
 */
export type LeaveStep =
  | { step: 'deploy_safe' | 'deploy_module' | 'set_up' | 'request' | 'skip_expired' | 'execute'; transaction: WalletTransaction }
  | { step: 'wait'; until: Date }
  | { step: 'free' };

const isDeployed = async (node: ChainNode, address: string): Promise<boolean> =>
  (await node.request({ method: 'eth_getCode', params: [address, 'latest'] })) !== '0x';

/** Words of a call of the Delay module about a transaction. */
const moduleCall = (selector: string, { to, data, operation }: SafeCall): string =>
  selector + word(to) + word('0') + word(hexOf(128)) + word(String(operation)) + bytes(data.slice(2));

/** The platform can collect nothing any more, all modules are disabled, and the other owners removed. It takes control, whatever the Safe holds by then: a transfer of an amount fails when the amount is not there. */
const takeOver = async (node: ChainNode, { safe, owner, collection }: SafePlan, owners: readonly string[]): Promise<SafeCall> => {
  const ended = (collection?.limits ?? []).map(({ token }) => ({ to: token, data: APPROVE + word(COLLECTOR) + word('0') }));
  const disabled = (await modulesOf(node, safe)).map((module) => DISABLE_MODULE + word(SENTINEL) + word(module));
  const removed = owners
    .filter((other) => other !== owner)
    .map((other) => {
      // Those before it are removed already, but for the owner.
      const previous = owners.indexOf(owner) < owners.indexOf(other) ? owner : SENTINEL;
      return REMOVE_OWNER + word(previous) + word(other) + word('1');
    });
  return batchOf([...ended, ...[...disabled, ...removed].map((data) => ({ to: safe, data }))]);
};

/** Returns the step that the queue of the Delay module asks for. */
const nextOfQueue = async (node: ChainNode, plan: SafePlan, call: SafeCall): Promise<LeaveStep> => {
  const { module, owner, delay } = plan;
  const send = (step: 'request' | 'skip_expired' | 'execute', data: string) =>
    ({ step, transaction: { from: owner, to: module, data } }) as const;
  const request = send('request', moduleCall(`0x${REQUEST}`, call));
  const { next, end } = await queueOf(node, module);
  if (next === end) return request;
  const hashAt = (index: number) => callView(node, module, TX_HASH + word(hexOf(index)));
  const hash = await callView(node, module, moduleCall(HASH_OF, call));
  const ready = (await requestedAt(node, module, next)) + delay.cooldownSeconds;
  const expires = ready + delay.expirationSeconds;
  const now = await newestTime(node);
  if (now > expires) return send('skip_expired', SKIP_EXPIRED);
  if ((await hashAt(next)) === hash) {
    return now < ready ? { step: 'wait', until: new Date(ready * 1000) } : send('execute', moduleCall(EXECUTE_NEXT, call));
  }
  // Another request of the owner comes first, until it is executed or expires.
  for (let index = next + 1; index < end; index += 1)
    if ((await hashAt(index)) === hash) return { step: 'wait', until: new Date(expires * 1000) };
  return request;
};

/**
 * Finds the next step by which the owner of a Safe takes it over without the platform. Nothing but a node and the plan is needed; the plan is what `planOf` returned
 * when the platform was there.
 * @throws Error when the node serves another chain, or fails
 */
export const nextLeaveStep = async (node: ChainNode, plan: SafePlan): Promise<LeaveStep> => {
  const { chainId, owner, platform, safe, module, setUpSignature } = plan;
  const served = Number(await node.request({ method: 'eth_chainId', params: [] }));
  if (served !== chainId) throw new Error(`the node serves chain ${served}, and the account is on chain ${chainId}`);
  const from = owner;
  if (!(await isDeployed(node, safe))) return { step: 'deploy_safe', transaction: { from, ...deploySafe(plan) } };
  const owners = await ownersOf(node, safe);
  if (owners.length === 1 && owners[0] === owner) return { step: 'free' };
  if (!(await isDeployed(node, module))) return { step: 'deploy_module', transaction: { from, ...deployModule(plan) } };
  if ((await numberOf(node, safe, NONCE)) === 0) {
    const other = setUpSignature === undefined ? undefined : { owner: platform, signature: setUpSignature };
    return { step: 'set_up', transaction: { from, ...execute(safe, setUpCall(plan), owner, other) } };
  }
  return nextOfQueue(node, plan, await takeOver(node, plan, owners));
};

/** The native coin of a chain, in the list of what cannot be moved. */
const NATIVE_COIN = 'the native coin';

/**
 * Moves all of these tokens and the native coin out of a Safe that belongs to the wallet alone. What cannot move now does not keep the rest: a token that is paused or was
 * never one, or the coin when the receiver takes none.
 * @param tokens addresses of the tokens
 * @param to address that receives them
 * @returns `transaction`: undefined when there is nothing to move; `left`: the addresses of the tokens that cannot be moved, and `the native coin`
 */
export const moveEverything = async (
  node: ChainNode,
  { safe, owner }: SafePlan,
  { tokens, to }: { tokens: readonly string[]; to: string },
): Promise<{ transaction: WalletTransaction | undefined; left: string[] }> => {
  const calls: (Call & { value?: string })[] = [];
  const left: string[] = [];
  const moving = (all: readonly (Call & { value?: string })[]): WalletTransaction => ({
    from: owner,
    ...execute(safe, batchOf(all), owner),
  });
  const add = async (name: string, call: Call & { value?: string }): Promise<void> => {
    // It is tried alone, as the wallet would send it.
    await node.request({ method: 'eth_call', params: [moving([call]), 'latest'] }).then(
      () => calls.push(call),
      () => left.push(name),
    );
  };
  for (const token of new Set(tokens.map((one) => one.toLowerCase()))) {
    const balance = await callView(node, token, BALANCE_OF + word(safe)).catch(() => '');
    // Nothing answers where no contract is.
    if (!/^0x[0-9a-f]{64}$/.test(balance)) left.push(token);
    else if (BigInt(balance) > 0n) await add(token, { to: token, data: TRANSFER + word(to) + word(balance) });
  }
  const coins = BigInt(String(await node.request({ method: 'eth_getBalance', params: [safe, 'latest'] })));
  if (coins > 0n) await add(NATIVE_COIN, { to, data: '', value: coins.toString(16) });
  return { transaction: calls.length === 0 ? undefined : moving(calls), left };
};
