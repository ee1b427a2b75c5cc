import { ConfigError, httpUrl, json, seconds, serviceShape } from '@florin/kit/config';
import { storeShape } from '@florin/kit/store';
import { z } from 'zod';

/** Nodes by EIP-155 chain id. Keys of nodes stand in paths; a name and password in a URL would end up in error messages. */
const chainUrls = z.record(
  z.string().regex(/^[1-9][0-9]{0,9}$/, 'must have EIP-155 chain ids as names'),
  httpUrl.refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not carry a name or password'),
);

export const configShape = {
  ...serviceShape,
  ...storeShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_threeds'),
  IDENTITY_URL: httpUrl,
  CARD_URL: httpUrl,
  LEDGER_URL: httpUrl,
  /** Who confirms decisions: `sandbox` confirms each at once, `grpc` waits for AcknowledgeDecision. Unset: sandbox when SANDBOX, else grpc. */
  ACS: z.enum(['sandbox', 'grpc']).optional(),
  /** Time to confirm a decision; an unconfirmed one fails after it. */
  ACK_TIMEOUT_SECONDS: seconds.max(3600).default(120),
  /** Pause between two rounds of the sweeper. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(50).max(60_000).default(500),
  /** JSON-RPC nodes to ask Safes by, `{"100":"http://…"}`. Without a chain's node, only wallets sign on it. */
  CHAIN_RPC_URLS: json(chainUrls).default({}),
  /** The longest wait for a Safe's answer, all of its questions together: callers wait five seconds for a decision, and not for this alone. */
  CHAIN_RPC_TIMEOUT_MS: z.coerce.number().int().min(100).max(2000).default(2000),
  /** A node whose newest block is older is behind: it may not have heard that an owner was removed. */
  CHAIN_RPC_MAX_AGE_SECONDS: seconds.max(86_400).default(60),
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
