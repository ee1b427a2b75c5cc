import { CodedError } from '@florin/rpc/errors';
import { operatorIdOf } from '../audit/recorder.ts';
import { assignBody, permissionsOf, QUEUE_NAMES, QUEUES, type Queue, reasonBody } from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { createQueues, queueItemKey } from '../queues/read-queue.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

/** The work queues. An item is decided where it belongs; here it is assigned and noted. */
export const queueEndpoints = (parts: Dependencies): Endpoint[] => {
  const { operators, queueItems, runtime } = parts;
  const queues = createQueues(parts);

  /** Operators who may work on a queue. */
  const workersOf = async (queue: Queue) => {
    const all = await operators.list();
    const able = all.filter(({ status, roles }) => status === 'active' && permissionsOf(roles).includes(QUEUES[queue].access));
    return able.map(({ _id: id, name }) => ({ id, name }));
  };

  const endpointsOf = (queue: Queue): Endpoint[] => {
    const { access } = QUEUES[queue];
    const path = `/api/queues/${queue}`;
    const idOf = (params: Readonly<Record<string, string>>): string => params['itemId'] ?? '';
    return [
      programRead(
        parts,
        { path, access, operation: `queues.${queue}`, reason: 'work that waits for a person', isPolled: true },
        async (call) => {
          const [found, able] = await Promise.all([queues.read(queue, call), workersOf(queue)]);
          return { ...found, operators: able };
        },
      ),
      action(
        parts,
        { path: `${path}/items/{itemId}/assign`, access, operation: 'queues.assign', body: assignBody, subjects: () => ({ queue }) },
        async ({ params, body: { from, to }, ...call }) => {
          const isWorker = to === null || (await workersOf(queue)).some(({ id }) => id === to);
          if (!isWorker) throw new CodedError('VALIDATION_FAILED', { message: 'to: must be an operator who may work on this queue' });
          await queues.requireOpen(queue, idOf(params), call);
          const isAssigned = await queueItems.assign(queueItemKey(queue, idOf(params)), { from, to }, runtime.now());
          queues.changed();
          if (!isAssigned) throw new CodedError('ASSIGNMENT_CHANGED');
          return to === null ? 'unassigned' : 'assigned';
        },
      ),
      action(
        parts,
        { path: `${path}/items/{itemId}/notes`, access, operation: 'queues.note', body: reasonBody, subjects: () => ({ queue }) },
        async ({ params, body: { reason: text }, actionId: id, actor, ...call }) => {
          await queues.requireOpen(queue, idOf(params), call);
          await queueItems.note(queueItemKey(queue, idOf(params)), { id, at: runtime.now(), by: operatorIdOf(actor), text });
          queues.changed();
          return 'noted';
        },
      ),
    ];
  };

  return [
    {
      method: 'GET',
      path: '/api/queues',
      access: 'overview.read',
      isPolled: true,
      handle: async ({ requestId }) => ({ body: await queues.counts({ requestId }) }),
    },
    ...QUEUE_NAMES.flatMap(endpointsOf),
  ];
};
