import { expect, it } from 'vitest';
import type { RecordCall } from '../audit/recorder.ts';
import type { Incoming } from '../http/endpoint.ts';
import type { OperatorSession } from '../operators/sessions.ts';
import { programRead } from './read-program.ts';

it('records what was asked for by the path and by the query, though both use one name', async () => {
  const recorded: unknown[] = [];
  const record: RecordCall = async ({ request }, work) => {
    recorded.push(request);
    return work();
  };
  const reading = { path: '/api/things/{id}', access: 'overview.read', operation: 'things.read', reason: 'the page of a thing' } as const;
  const { handle } = programRead({ record }, reading, async () => ({}));
  const incoming = { requestId: 'r', params: { id: 'a' }, query: new URLSearchParams('id=b') } as unknown as Incoming;
  await handle(incoming, { operator: { _id: 'o' } } as OperatorSession);
  expect(recorded).toEqual([{ params: { id: 'a' }, query: { id: 'b' } }]);
});
