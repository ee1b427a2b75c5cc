import { TransferDirection } from '@florin/proto/chain/v1/watch';
import type { ResolveHaltResponse } from '@florin/proto/chain/v1/watch_service';
import type { Assets } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { operatorIdOf } from '../audit/recorder.ts';
import { type HaltOrder, type HaltPreview, haltOrderBody, reasonBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { StoredHaltOrder } from '../store/halt-orders.ts';
import { tokenAmount } from '../views/money.ts';
import { wordOf } from '../views/words.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';
import { approveHaltOrder, callResolveHalt, isExpired } from './resolve-halt.ts';

const LIMIT = 50;
const SHOWN_TRANSFERS = 20;

/** How long an order waits for a second operator. */
const LIFE_MS = 86_400_000;

const toPreview = ({ resumeBlock, resumeHash, kept, vanished }: ResolveHaltResponse, assets: Assets): HaltPreview => ({
  resumeBlock: resumeBlock.toString(),
  resumeHash,
  kept,
  vanished: vanished.length,
  transfers: vanished.slice(0, SHOWN_TRANSFERS).map(({ txHash, accountId, direction, token, amount }) => ({
    txHash,
    accountId,
    direction: wordOf(TransferDirection, direction),
    amount: tokenAmount(assets, token, amount),
  })),
});

const toOrder = (order: StoredHaltOrder, names: ReadonlyMap<string, string>, now: Date): HaltOrder => {
  const { _id: id, chainId, fromBlock, preview, reason, actor, decidedBy, failureCode, createdAt } = order;
  const actorName = names.get(operatorIdOf(actor));
  const decidedByName = names.get(operatorIdOf(decidedBy ?? ''));
  return {
    id,
    chainId,
    fromBlock,
    status: isExpired(order, now) ? 'expired' : order.status,
    preview,
    reason,
    actor,
    ...(actorName === undefined ? {} : { actorName }),
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...(decidedByName === undefined ? {} : { decidedByName }),
    ...(failureCode === undefined ? {} : { failureCode }),
    createdAt: createdAt.toISOString(),
  };
};

/** Orders that let a halted chain go on. It takes two operators, because deposits that vanished from the chain are taken back from people. */
export const haltEndpoints = (parts: Dependencies): Endpoint[] => {
  const { haltOrders, operators, assets, runtime } = parts;
  const base = '/api/chain/halts/{haltOrderId}';
  const idOf = (params: Readonly<Record<string, string>>): string => params['haltOrderId'] ?? '';
  return [
    programRead(
      parts,
      { path: '/api/chain/halts', access: 'chain.read', operation: 'chain.halts', reason: 'orders that let halted chains go on' },
      async () => {
        const orders = await haltOrders.list(LIMIT);
        const names = await operators.names(orders.flatMap(({ actor, decidedBy = '' }) => [operatorIdOf(actor), operatorIdOf(decidedBy)]));
        const now = runtime.now();
        return { orders: orders.map((order) => toOrder(order, names, now)) };
      },
    ),
    action(
      parts,
      { path: '/api/chain/halts', access: 'chain.resolve', operation: 'chain.order-halt', body: haltOrderBody },
      async (call) => {
        const { actionId: _id, actor, body, requestId } = call;
        const order = { ...body, actor };
        const preview = toPreview(await callResolveHalt(parts, order, { dryRun: true, requestId }), assets);
        const createdAt = runtime.now();
        const expiresAt = new Date(createdAt.getTime() + LIFE_MS);
        await haltOrders.insert({ _id, ...order, status: 'pending', preview, createdAt, expiresAt });
        return 'pending';
      },
    ),
    action(parts, { path: `${base}/approve`, access: 'chain.resolve', operation: 'chain.approve-halt', body: reasonBody }, (call) =>
      approveHaltOrder(parts, idOf(call.params), call),
    ),
    action(
      parts,
      { path: `${base}/reject`, access: 'chain.resolve', operation: 'chain.reject-halt', body: reasonBody },
      async ({ params, actor }) => {
        const id = idOf(params);
        const isRejected = await haltOrders.close(id, { status: 'rejected', decidedBy: actor }, runtime.now());
        const found = await haltOrders.find(id);
        if (found === null) throw new CodedError('NOT_FOUND');
        if (!isRejected && (found.status !== 'rejected' || found.decidedBy !== actor)) throw new CodedError('ORDER_STATE_CONFLICT');
        return 'rejected';
      },
    ),
  ];
};
