import { CodedError } from '@florin/rpc/errors';
import { operatorIdOf } from '../audit/recorder.ts';
import { type Order, type OrderStatus, type Permission, reasonBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { requireSecondPerson } from '../operators/four-eyes.ts';
import type { OrderStore, StoredOrder } from '../store/orders.ts';
import { type ActionCall, action } from './act.ts';
import type { Dependencies } from './dependencies.ts';

/** How long an order waits for a second operator. */
const LIFE_MS = 86_400_000;

/** The common part of an order that an action makes. */
export const newOrder = ({ actionId, actor, body }: ActionCall<{ reason: string }>, createdAt: Date): StoredOrder => ({
  ...{ _id: actionId, status: 'pending', actor, reason: body.reason, createdAt },
  expiresAt: new Date(createdAt.getTime() + LIFE_MS),
});

/** Reports whether an order expired at `now` before anybody decided it. */
const isExpired = ({ status, expiresAt }: StoredOrder, now: Date): boolean => status === 'pending' && expiresAt <= now;

/** The common part of orders as operators see them. */
export const readOrders = async <Stored extends StoredOrder>(
  { operators, runtime }: Pick<Dependencies, 'operators' | 'runtime'>,
  orders: readonly Stored[],
): Promise<(Order & { stored: Stored })[]> => {
  const names = await operators.names(orders.flatMap(({ actor, decidedBy = '' }) => [operatorIdOf(actor), operatorIdOf(decidedBy)]));
  const now = runtime.now();
  return orders.map((stored) => {
    const { _id: id, reason, actor, decidedBy, failureCode, createdAt } = stored;
    const actorName = names.get(operatorIdOf(actor));
    const decidedByName = names.get(operatorIdOf(decidedBy ?? ''));
    return {
      stored,
      id,
      status: isExpired(stored, now) ? 'expired' : stored.status,
      reason,
      actor,
      ...(actorName === undefined ? {} : { actorName }),
      ...(decidedBy === undefined ? {} : { decidedBy }),
      ...(decidedByName === undefined ? {} : { decidedByName }),
      ...(failureCode === undefined ? {} : { failureCode }),
      createdAt: createdAt.toISOString(),
    };
  });
};

/** The decisions on orders of one kind. */
type Decisions<Stored extends StoredOrder> = {
  /** The path of an order. */
  path: string;
  access: Permission;
  /** The operations in the audit log. */
  approve: string;
  reject: string;
  store: OrderStore<Stored>;
  find: (params: Readonly<Record<string, string>>) => Promise<Stored | null>;
  /** Returns why a pending order cannot be carried out any more. @throws CodedError for errors of the service, after which it can be approved again */
  failureOf?: (order: Stored, requestId: string) => Promise<string | undefined>;
  /**
   * Carries an approved order out; a repeat does nothing twice.
   * @returns the code of a refusal, after which nothing was done and nothing will be
   * @throws CodedError for other errors of the service, after which the same operator can approve the order again
   */
  carryOut: (order: Stored, requestId: string) => Promise<string | undefined>;
};

/**
 * Approves an order and carries it out. It is approved by one write before anything is done, so of several approvers one wins. Its approver may repeat it
 * until it has an end: the service does it once.
 * @returns the state that the order has come to
 * @throws CodedError NOT_FOUND, SELF_APPROVAL, ORDER_STATE_CONFLICT, and those of `failureOf` and `carryOut`
 */
const approveOrder = async <Stored extends StoredOrder>(
  parts: Dependencies,
  { store, find, failureOf, carryOut }: Decisions<Stored>,
  { params, actor, requestId }: ActionCall<unknown>,
): Promise<OrderStatus> => {
  const { runtime } = parts;
  const found = await find(params);
  if (found === null) throw new CodedError('NOT_FOUND');
  await requireSecondPerson(parts, found.actor, actor);
  if (found.decidedBy === actor && (found.status === 'resolved' || found.status === 'failed')) return found.status;
  if (found.status === 'pending' && !isExpired(found, runtime.now())) {
    const failureCode = await failureOf?.(found, requestId);
    if (failureCode !== undefined) {
      const isClosed = await store.close(found._id, { status: 'failed', failureCode, decidedBy: actor }, runtime.now());
      if (!isClosed) throw new CodedError('ORDER_STATE_CONFLICT');
      return 'failed';
    }
  }
  const order = await store.approve(found._id, actor, runtime.now());
  if (order === null) throw new CodedError('ORDER_STATE_CONFLICT');
  const refusal = await carryOut(order, requestId);
  if (refusal === undefined) await store.resolved(order._id);
  else await store.failed(order._id, refusal);
  return refusal === undefined ? 'resolved' : 'failed';
};

/** Rejects an order, which its maker may do too. @throws CodedError NOT_FOUND, ORDER_STATE_CONFLICT */
const rejectOrder = async <Stored extends StoredOrder>(
  { runtime }: Dependencies,
  { store, find }: Decisions<Stored>,
  { params, actor }: ActionCall<unknown>,
): Promise<OrderStatus> => {
  const found = await find(params);
  if (found === null) throw new CodedError('NOT_FOUND');
  if (await store.close(found._id, { status: 'rejected', decidedBy: actor }, runtime.now())) return 'rejected';
  const now = await find(params);
  if (now?.status !== 'rejected' || now.decidedBy !== actor) throw new CodedError('ORDER_STATE_CONFLICT');
  return 'rejected';
};

/** The operations by which another operator approves an order, and one of the two ends it. */
export const decisionEndpoints = <Stored extends StoredOrder>(parts: Dependencies, kind: Decisions<Stored>): Endpoint[] => {
  const { path, access, approve, reject } = kind;
  return [
    action(parts, { path: `${path}/approve`, access, operation: approve, body: reasonBody }, (call) => approveOrder(parts, kind, call)),
    action(parts, { path: `${path}/reject`, access, operation: reject, body: reasonBody }, (call) => rejectOrder(parts, kind, call)),
  ];
};
