import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { flag, httpUrl, serviceShape } from '@florin/rpc/config';
import type { z } from 'zod';

/** Environment variables of the events service, beside those of every service. */
export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_events'),
  /** Identity service: publishes the keys that verify user tokens, and knows the partners of users. */
  IDENTITY_URL: httpUrl,
  /** Ledger service: knows the users of accounts. */
  LEDGER_URL: httpUrl,
  /** Whether the entries of the ledger's journal become events. */
  FOLLOW_JOURNAL: flag.default(true),
} as const;

export type EventsConfig = z.output<z.ZodObject<typeof configShape>>;
