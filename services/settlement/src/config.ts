import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { serviceKeySchema } from '@florin/rpc/auth';
import { httpUrl, json, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

/** Environment variables of the settlement service, beside those of every service. */
export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_settlement'),
  /** Identity service: publishes the keys that verify user tokens. */
  IDENTITY_URL: httpUrl,
  /** Card service: knows the payments that networks settle. */
  CARD_URL: httpUrl,
  /** Private Ed25519 key (JWK) that signs closed days. */
  SETTLEMENT_KEY: json(serviceKeySchema),
  /** Hours for which a settlement record waits for the report of its clearing before an exception is raised. */
  SETTLEMENT_MATCH_HOURS: z.coerce.number().int().min(0).max(720).default(24),
} as const;

export type SettlementConfig = z.output<z.ZodObject<typeof configShape>>;
