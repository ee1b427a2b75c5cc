import { z } from 'zod';
import { httpUrl, json } from '../config/index.ts';

/** Nodes by EIP-155 chain id. Keys of nodes stand in paths; a name and password in a URL would end up in error messages. */
const chainUrls = z.record(
  z.string().regex(/^[1-9][0-9]{0,9}$/, 'must have EIP-155 chain ids as names'),
  httpUrl.refine((text) => !/^https?:\/\/[^/]*@/.test(text), 'must not carry a name or password'),
);

/** What a service that asks contracts adds to its configuration. */
export const chainShape = {
  /** JSON-RPC nodes to ask contracts by, `{"100":"http://…"}`. Without a chain's node, only plain wallets sign on it. */
  CHAIN_RPC_URLS: json(chainUrls).default({}),
  /** The longest wait for a contract's answer, all questions of one check together. */
  CHAIN_RPC_TIMEOUT_MS: z.coerce.number().int().min(100).max(10_000).default(3000),
} as const;
