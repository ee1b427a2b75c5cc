import type { ResolveHaltResponse } from '@florin/proto/chain/v1/watch_service';
import { withinRequest } from '@florin/rpc/client';
import { CodedError, toCodedError } from '@florin/rpc/errors';
import { watching } from '../clients/services.ts';
import type { HaltOrder } from '../contract/index.ts';
import { requireSecondPerson } from '../operators/four-eyes.ts';
import type { StoredHaltOrder } from '../store/halt-orders.ts';
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

/** Reports whether an order expired at `now` before anybody decided it. */
export const isExpired = ({ status, expiresAt }: Pick<StoredHaltOrder, 'status' | 'expiresAt'>, now: Date): boolean =>
  status === 'pending' && expiresAt <= now;

const isAsOrdered = ({ preview }: StoredHaltOrder, found: ResolveHaltResponse): boolean =>
  preview.resumeHash === found.resumeHash && preview.kept === found.kept && preview.vanished === found.vanished.length;

type Parts = Pick<Dependencies, 'services' | 'haltOrders' | 'operators' | 'runtime'>;

/** Why an order cannot be carried out any more: a chain that goes on, or was halted anew, is not what its operator has looked at. */
const failureOf = async (parts: Parts, order: StoredHaltOrder, requestId: string): Promise<string | undefined> => {
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
const carryOut = async (parts: Parts, order: StoredHaltOrder, requestId: string): Promise<void> => {
  try {
    await callResolveHalt(parts, order, { dryRun: false, requestId });
  } catch (thrown) {
    if (toCodedError(thrown).code !== 'CHAIN_NOT_HALTED') throw thrown;
  }
  await parts.haltOrders.resolved(order._id);
};

/**
 * Approves an order and carries it out. It is approved by one write before anything is done, so of several approvers one wins. Its approver may repeat it
 * until it has an end: the chain service resolves a halt once.
 * @returns the state that the order has come to
 * @throws CodedError NOT_FOUND, SELF_APPROVAL, ORDER_STATE_CONFLICT; errors of the chain service, after which the same operator can approve the order again
 */
export const approveHaltOrder = async (
  parts: Parts,
  id: string,
  { actor, requestId }: { actor: string; requestId: string },
): Promise<HaltOrder['status']> => {
  const { haltOrders, runtime } = parts;
  const found = await haltOrders.find(id);
  if (found === null) throw new CodedError('NOT_FOUND');
  await requireSecondPerson(parts, found.actor, actor);
  if (found.decidedBy === actor && (found.status === 'resolved' || found.status === 'failed')) return found.status;
  if (found.status === 'pending' && !isExpired(found, runtime.now())) {
    const failureCode = await failureOf(parts, found, requestId);
    if (failureCode !== undefined) {
      const isClosed = await haltOrders.close(id, { status: 'failed', failureCode, decidedBy: actor }, runtime.now());
      if (!isClosed) throw new CodedError('ORDER_STATE_CONFLICT');
      return 'failed';
    }
  }
  const order = await haltOrders.approve(id, actor, runtime.now());
  if (order === null) throw new CodedError('ORDER_STATE_CONFLICT');
  await carryOut(parts, order, requestId);
  return 'resolved';
};
