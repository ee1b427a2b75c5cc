import { storeShape } from '@florin/data/store';
import { chainShape } from '@florin/evm/chain';
import { ConfigError, httpUrl, seconds, serviceShape } from '@florin/rpc/config';
import { z } from 'zod';

export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...chainShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_threeds'),
  /** Address of the identity service. */
  IDENTITY_URL: httpUrl,
  /** Address of the card service. */
  CARD_URL: httpUrl,
  /** Address of the ledger service. */
  LEDGER_URL: httpUrl,
  /** Who confirms decisions: `sandbox` confirms each at once, `grpc` waits for AcknowledgeDecision. Unset: sandbox when SANDBOX, else grpc. */
  ACS: z.enum(['sandbox', 'grpc']).optional(),
  /** Time to confirm a decision; an unconfirmed one fails after it. */
  ACK_TIMEOUT_SECONDS: seconds.max(3600).default(120),
  /** Pause between two rounds of the sweeper. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(50).max(60_000).default(500),
} as const;

export type ThreedsConfig = z.output<z.ZodObject<typeof configShape>>;

/**
 * Which access control server the configuration asks for.
 * @throws ConfigError when it asks for the sandbox's outside of a sandbox: decisions would count as confirmed by nobody
 */
export const acsKind = ({ ACS, SANDBOX }: Pick<ThreedsConfig, 'ACS' | 'SANDBOX'>): 'sandbox' | 'grpc' => {
  if (ACS === 'sandbox' && !SANDBOX) throw new ConfigError('ACS: sandbox needs SANDBOX=true');
  return ACS ?? (SANDBOX ? 'sandbox' : 'grpc');
};
