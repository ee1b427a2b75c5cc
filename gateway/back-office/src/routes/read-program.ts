import { z } from 'zod';
import { actorOf } from '../audit/recorder.ts';
import type { Permission } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import type { Dependencies } from './dependencies.ts';
import { subjectsOf } from './read-person.ts';

/** The input of a read: the ids of its path, its query, valid, and the name of the operator at the services. */
export type ProgramRead<Query> = { params: Readonly<Record<string, string>>; query: Query; actor: string; requestId: string };

type Reading<Query extends z.ZodType> = {
  path: string;
  access: Permission;
  /** For example `chain.watches`. */
  operation: string;
  /** The reason in the audit log; nobody is asked for one. */
  reason: string;
  /** Default: without a query. */
  query?: Query;
  isPolled?: true;
};

const NO_QUERY = z.object({});

/** An endpoint that reads something of the program. Each read is recorded before anything is read. */
export const programRead = <Query extends z.ZodType = typeof NO_QUERY>(
  { record }: Pick<Dependencies, 'record'>,
  { path, access, operation, reason, query: schema, ...polled }: Reading<Query>,
  read: (call: ProgramRead<z.output<Query>>) => Promise<unknown>,
): Endpoint => ({
  method: 'GET',
  path,
  access,
  ...polled,
  handle: async ({ params, query: given, requestId }, { operator }) => {
    const asked = Object.fromEntries(given);
    const query = parse((schema ?? NO_QUERY) as Query, asked);
    const call = {
      actor: actorOf(operator._id),
      operation,
      reason,
      requestId,
      subjects: subjectsOf(params),
      request: { params, query: asked },
    };
    return record(call, async () => ({ body: await read({ params, query, actor: call.actor, requestId }) }));
  },
});
