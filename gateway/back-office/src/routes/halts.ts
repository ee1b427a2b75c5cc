import { TransferDirection } from '@florin/proto/chain/v1/watch';
import type { ResolveHaltResponse } from '@florin/proto/chain/v1/watch_service';
import type { Assets } from '@florin/rpc/assets';
import { type HaltOrder, type HaltPreview, haltOrderBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { tokenAmount } from '../views/money.ts';
import { wordOf } from '../views/words.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { decisionEndpoints, newOrder, readOrders } from './orders.ts';
import { programRead } from './read-program.ts';
import { callResolveHalt, haltFailureOf, resolveHalt } from './resolve-halt.ts';

const LIMIT = 50;
const SHOWN_TRANSFERS = 20;

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

/** Orders that let a halted chain go on. It takes two operators, because deposits that vanished from the chain are taken back from people. */
export const haltEndpoints = (parts: Dependencies): Endpoint[] => {
  const { haltOrders, assets, runtime } = parts;
  return [
    programRead(
      parts,
      {
        path: '/api/chain/halts',
        access: 'chain.read',
        operation: 'chain.halts',
        reason: 'orders that let halted chains go on',
      },
      async (): Promise<{ orders: HaltOrder[] }> => {
        const orders = await readOrders(parts, await haltOrders.list(LIMIT));
        return {
          orders: orders.map(({ stored: { chainId, fromBlock, preview }, ...order }) => ({ ...order, chainId, fromBlock, preview })),
        };
      },
    ),
    action(
      parts,
      { path: '/api/chain/halts', access: 'chain.resolve', operation: 'chain.order-halt', body: haltOrderBody },
      async (call) => {
        const order = { ...newOrder(call, runtime.now()), ...call.body };
        const preview = toPreview(await callResolveHalt(parts, order, { dryRun: true, requestId: call.requestId }), assets);
        await haltOrders.insert({ ...order, preview });
        return 'pending';
      },
    ),
    ...decisionEndpoints(parts, {
      path: '/api/chain/halts/{haltOrderId}',
      access: 'chain.resolve',
      approve: 'chain.approve-halt',
      reject: 'chain.reject-halt',
      store: haltOrders,
      find: ({ haltOrderId = '' }) => haltOrders.find(haltOrderId),
      failureOf: (order, requestId) => haltFailureOf(parts, order, requestId),
      carryOut: (order, requestId) => resolveHalt(parts, order, requestId),
    }),
  ];
};
