import { httpUrl, json, seconds } from '@florin/rpc/config';
import { z } from 'zod';
import { type ChainNodes, createChainNodes } from './chain-nodes.ts';

/** Nodes by EIP-155 chain id. API keys belong in the path: credentials in a URL would appear in error messages. */
const chainUrls = z.record(
  z.string().regex(/^[1-9][0-9]{0,9}$/, 'must have EIP-155 chain ids as keys'),
  httpUrl.refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not contain a user name or password'),
);

/** Configuration of a service that checks contract signatures. */
export const chainShape = {
  /** JSON-RPC nodes by chain id, `{"100":"http://…"}`. On a chain without a node, only plain wallets can sign. */
  CHAIN_RPC_URLS: json(chainUrls).default({}),
  /**
   * Time limit of one check of a contract signature, with all its requests. It must fit within the five-second deadline of the calls
   * that depend on it.
   */
  CHAIN_RPC_TIMEOUT_MS: z.coerce.number().int().min(100).max(2000).default(2000),
  /** Maximum age of a node's newest block. An older node is behind, and may not know that an owner was removed. */
  CHAIN_RPC_MAX_AGE_SECONDS: seconds.max(86_400).default(60),
} as const;

type ChainConfig = z.output<z.ZodObject<typeof chainShape>>;

/** Creates the nodes named by a configuration. */
export const openChainNodes = (config: ChainConfig, now: () => Date): ChainNodes =>
  createChainNodes({
    urls: config.CHAIN_RPC_URLS,
    timeoutMs: config.CHAIN_RPC_TIMEOUT_MS,
    maxAgeMs: config.CHAIN_RPC_MAX_AGE_SECONDS * 1000,
    now,
  });
