import type { ResolveHaltResponse } from '@florin/proto/chain/v1/watch_service';
import { withinRequest } from '@florin/rpc/client';
import { toCodedError } from '@florin/rpc/errors';
import { watching } from '../clients/services.ts';
import type { StoredHaltOrder } from '../store/orders.ts';
import type { Dependencies } from './dependencies.ts';

/** The chain service's limits of a reason. */
const REASON_MAX = 256;

type Order = Pick<StoredHaltOrder, 'chainId' | 'fromBlock' | 'actor' | 'reason'>;

/** Has the chain service resolve a halt, or say what that would do. @throws the service's error */
export const callResolveHalt = (
  { services }: Pick<Dependencies, 'services'>,
  { chainId, fromBlock, actor, reason }: Order,
  { dryRun, ...call }: { dryRun: boolean; requestId: string },
): Promise<ResolveHaltResponse> =>
  watching(services).resolveHalt(
    { chainId, fromBlock: BigInt(fromBlock), actor, reason: reason.slice(0, REASON_MAX).trim(), dryRun },
    withinRequest(call),
  );

const isAsOrdered = ({ preview }: StoredHaltOrder, found: ResolveHaltResponse): boolean =>
  preview.resumeHash === found.resumeHash && preview.kept === found.kept && preview.vanished === found.vanished.length;

type Parts = Pick<Dependencies, 'services'>;

/** Why an order cannot be carried out any more: a chain that goes on, or was halted anew, is not what its operator has looked at. */
export const haltFailureOf = async (parts: Parts, order: StoredHaltOrder, requestId: string): Promise<string | undefined> => {
  try {
    const plan = await callResolveHalt(parts, order, { dryRun: true, requestId });
    return isAsOrdered(order, plan) ? undefined : 'HALT_NOT_RESOLVABLE';
  } catch (thrown) {
    const { code } = toCodedError(thrown);
    if (code !== 'CHAIN_NOT_HALTED') throw thrown;
    return code;
  }
};

/** Has an approved order carried out. A chain that is not halted any more goes on already, by an earlier attempt whose end was not stored. */
export const resolveHalt = async (parts: Parts, order: StoredHaltOrder, requestId: string): Promise<undefined> => {
  try {
    await callResolveHalt(parts, order, { dryRun: false, requestId });
  } catch (thrown) {
    if (toCodedError(thrown).code !== 'CHAIN_NOT_HALTED') throw thrown;
  }
};
