import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute, type RouteCall } from '../../http/define-route.ts';
import { dateTime } from '../../schemas/fields.ts';

/** Records of one export, which amount to some megabytes. */
const MAX_RECORDS = 20_000;

const SERVICES = [
  'identity',
  'card',
  'ledger',
  'threeds',
  'vault',
  'notifications',
] as const satisfies readonly (keyof Upstream['personalData'])[];

const record = z.object({
  service: z.enum(SERVICES).meta({ description: 'Service that stores the record' }),
  kind: z.string().meta({ description: 'Kind of the record, as the guide Personal data lists them', examples: ['session'] }),
  data: z.unknown().meta({ description: 'The record, a JSON object as it is stored, without secrets. Fields may be added.' }),
});

/**
 * Reads every page of every service, one after the other.
 * @throws CodedError EXPORT_TOO_LARGE and what the services raise
 */
const readAll = async ({ upstream, asCaller }: Pick<RouteCall<'user'>, 'upstream' | 'asCaller'>): Promise<z.output<typeof record>[]> => {
  const all: z.output<typeof record>[] = [];
  for (const service of SERVICES) {
    const source = upstream.personalData[service];
    let cursor = '';
    // Where no such service is configured, it stores nothing.
    while (source !== undefined) {
      const { records, nextCursor } = await source.exportPersonalData({ cursor }, asCaller);
      all.push(...records.map(({ kind, data }) => ({ service, kind, data: data ?? {} })));
      if (all.length > MAX_RECORDS) throw new CodedError('EXPORT_TOO_LARGE');
      if (nextCursor === '') break;
      cursor = nextCursor;
    }
  }
  return all;
};

export const exportUserData = defineRoute({
  operationId: 'exportUserData',
  method: 'get',
  path: '/user/export',
  tag: 'User',
  summary: 'Export the personal data',
  description: `Returns everything that is stored about the caller as one document (GDPR, Art. 15 and 20): profile, sessions, accepted terms, answers, cards, who saw or changed their data, card payments, account, movements, challenges and notifications. Requires a sign-in within the last five minutes. A user gets five exports a day. An export of more than ${MAX_RECORDS} records is delivered by the back office. The guide [Personal data](/docs/guides/personal-data) lists the kinds of records.`,
  policy: 'user',
  rateLimit: 'auth',
  savedAs: 'personal-data.json',
  answers: { 200: z.object({ exportedAt: dateTime, records: z.array(record) }) },
  errors: ['REAUTHENTICATION_REQUIRED', 'EXPORT_TOO_LARGE'],
  handler: async (_input, { upstream, asCaller, now }) => ({
    exportedAt: now().toISOString(),
    records: await readAll({ upstream, asCaller }),
  }),
});
