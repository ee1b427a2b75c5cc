import { type ChainWatch, ExceptionStatus, WatchState } from '@florin/proto/chain/v1/watch';
import { withinRequest } from '@florin/rpc/client';
import { z } from 'zod';
import { watching } from '../clients/services.ts';
import { type chainWatches, closeExceptionBody, reasonBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { toException } from '../views/chain.ts';
import { isoUnlessAbsent, nextOf, wordOf } from '../views/words.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

const LIMIT = 50;

const STATUSES = { open: ExceptionStatus.OPEN, closed: ExceptionStatus.CLOSED, retrying: ExceptionStatus.RETRYING } as const;

const query = z.strictObject({ status: z.enum(['open', 'closed', 'retrying']).optional(), cursor: z.string().max(500).default('') });

const toWatch = (watch: ChainWatch): z.output<typeof chainWatches>['watches'][number] => ({
  chainId: watch.chainId,
  state: wordOf(WatchState, watch.state),
  problem: watch.problem,
  blockNumber: watch.blockNumber.toString(),
  finalizedBlockNumber: watch.finalizedBlockNumber.toString(),
  nodes: watch.nodes,
  ...isoUnlessAbsent('succeededAt', watch.succeededAt),
});

/** How chains are watched, and the transfers that need a person. */
export const chainEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services, assets } = parts;
  const base = '/api/chain/exceptions/{exceptionId}';
  const idOf = (params: Readonly<Record<string, string>>): string => params['exceptionId'] ?? '';

  return [
    programRead(parts, { path: '/api/chain', access: 'chain.read', operation: 'chain.watches', reason: 'watched chains' }, async (call) => {
      const found = await services.watches?.listChainWatches({}, withinRequest(call));
      return { watches: found?.watches.map(toWatch) ?? [] };
    }),
    programRead(
      parts,
      {
        path: '/api/chain/exceptions',
        access: 'chain.read',
        operation: 'chain.exceptions',
        reason: 'transfers that need a person',
        query,
      },
      async ({ query: { status, cursor }, ...call }) => {
        if (services.watches === undefined) return { exceptions: [] };
        const wire = status === undefined ? ExceptionStatus.UNSPECIFIED : STATUSES[status];
        const found = await services.watches.listExceptions({ status: wire, page: { limit: LIMIT, cursor } }, withinRequest(call));
        return { exceptions: found.exceptions.map((one) => toException(one, assets)), ...nextOf(found.page?.nextCursor) };
      },
    ),
    action(parts, { path: `${base}/retry`, access: 'chain.resolve', operation: 'chain.retry', body: reasonBody }, async (call) => {
      const order = { exceptionId: idOf(call.params), actor: call.actor };
      const { exception } = await watching(services).retryException(order, withinRequest(call));
      return wordOf(ExceptionStatus, exception?.status ?? ExceptionStatus.UNSPECIFIED);
    }),
    action(parts, { path: `${base}/return`, access: 'chain.resolve', operation: 'chain.return', body: reasonBody }, async (call) => {
      const order = { exceptionId: idOf(call.params), actor: call.actor, note: call.body.reason };
      const { exception } = await watching(services).returnDeposit(order, withinRequest(call));
      return wordOf(ExceptionStatus, exception?.status ?? ExceptionStatus.UNSPECIFIED);
    }),
    action(parts, { path: `${base}/close`, access: 'chain.resolve', operation: 'chain.close', body: closeExceptionBody }, async (call) => {
      const { reason: note, booked } = call.body;
      const order = { exceptionId: idOf(call.params), actor: call.actor, note, booked };
      const { exception } = await watching(services).closeException(order, withinRequest(call));
      return wordOf(ExceptionStatus, exception?.status ?? ExceptionStatus.UNSPECIFIED);
    }),
  ];
};
