import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
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
  /** Ledger: its journal says what payments have booked. */
  LEDGER_URL: httpUrl,
  /** Currencies and tokens, as every service has them. */
  ASSETS: json(assetsSchema).default(DEFAULT_ASSETS),
  /** Private Ed25519 key (JWK) that signs closed days. */
  SETTLEMENT_KEY: json(serviceKeySchema),
  /** Hours for which a settlement record waits for the report of its clearing before an exception is raised. */
  SETTLEMENT_MATCH_HOURS: z.coerce.number().int().min(0).max(720).default(24),
  /** Days, beside these hours, after which a difference between the ledger and the network counts as an exception, and as a difference in reports. */
  SETTLEMENT_OPEN_DAYS: z.coerce.number().int().min(0).max(365).default(7),
} as const;

export type SettlementConfig = z.output<z.ZodObject<typeof configShape>>;

/** Time for which a payment may wait for its settlement, in milliseconds. */
export const waitOf = ({
  SETTLEMENT_MATCH_HOURS: hours,
  SETTLEMENT_OPEN_DAYS: days,
}: Pick<SettlementConfig, 'SETTLEMENT_MATCH_HOURS' | 'SETTLEMENT_OPEN_DAYS'>): number => (hours + days * 24) * 3_600_000;
