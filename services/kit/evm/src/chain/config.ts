import { httpUrl, json, seconds } from '@florin/rpc/config';
import { z } from 'zod';
import { type ChainNodes, createChainNodes } from './chain-nodes.ts';

/** Nodes by EIP-155 chain id. Keys of nodes stand in paths; a name and password in a URL would end up in error messages. */
const chainUrls = z.record(
  z.string().regex(/^[1-9][0-9]{0,9}$/, 'must have EIP-155 chain ids as names'),
  httpUrl.refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not carry a name or password'),
);

/** What a service that asks contracts adds to its configuration. */
export const chainShape = {
  /** JSON-RPC nodes to ask contracts by, `{"100":"http://…"}`. Without a chain's node, only plain wallets sign on it. */
  CHAIN_RPC_URLS: json(chainUrls).default({}),
  /**
   * The longest wait for a contract's answer, all questions of one check together: callers wait five seconds for what hangs on it, and
   * not for this alone.
   */
  CHAIN_RPC_TIMEOUT_MS: z.coerce.number().int().min(100).max(2000).default(2000),
  /** A node whose newest block is older is behind: it may not have heard that an owner was removed. */
  CHAIN_RPC_MAX_AGE_SECONDS: seconds.max(86_400).default(60),
} as const;

type ChainConfig = z.output<z.ZodObject<typeof chainShape>>;

/** The nodes that a configuration names. */
export const openChainNodes = (config: ChainConfig, now: () => Date): ChainNodes =>
  createChainNodes({
    urls: config.CHAIN_RPC_URLS,
    timeoutMs: config.CHAIN_RPC_TIMEOUT_MS,
    maxAgeMs: config.CHAIN_RPC_MAX_AGE_SECONDS * 1000,
    now,
  });
